import type { Operation } from "./operation";
import { billingOperations } from "./rest/billing";
import { catalogOperations } from "./rest/catalog";
import { clusterOperations } from "./rest/clusters";
import { delegationOperations } from "./rest/delegations";
import { networkVolumeOperations } from "./rest/networkVolumes";
import { podOperations } from "./rest/pods";
import { registryOperations } from "./rest/registries";
import { serverlessOperations } from "./rest/serverless";
import { sshKeyOperations } from "./rest/sshKeys";
import { templateOperations } from "./rest/templates";

/** Every REST operation that the client can call. */
export const operations: readonly Operation[] = [
  billingOperations,
  catalogOperations,
  clusterOperations,
  delegationOperations,
  networkVolumeOperations,
  podOperations,
  registryOperations,
  serverlessOperations,
  sshKeyOperations,
  templateOperations,
].flatMap((noun) => Object.values<Operation>(noun));
