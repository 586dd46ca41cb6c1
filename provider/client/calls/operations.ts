import { billingOperations } from "../rest/billing";
import { catalogOperations } from "../rest/catalog";
import { clusterOperations } from "../rest/clusters";
import { costCenterOperations } from "../rest/costCenters";
import { delegationOperations } from "../rest/delegations";
import { globalVolumeOperations } from "../rest/globalVolumes";
import { networkVolumeOperations } from "../rest/networkVolumes";
import { podOperations } from "../rest/pods";
import { registryOperations } from "../rest/registries";
import { secretOperations } from "../rest/secrets";
import { serverlessOperations } from "../rest/serverless";
import { sshKeyOperations } from "../rest/sshKeys";
import { tagOperations } from "../rest/tags";
import { templateOperations } from "../rest/templates";
import type { Operation } from "./operation";

/** Every REST operation that the client can call. */
export const operations: readonly Operation[] = [
  billingOperations,
  catalogOperations,
  clusterOperations,
  costCenterOperations,
  delegationOperations,
  globalVolumeOperations,
  networkVolumeOperations,
  podOperations,
  registryOperations,
  secretOperations,
  serverlessOperations,
  sshKeyOperations,
  tagOperations,
  templateOperations,
].flatMap((noun) => Object.values<Operation>(noun));
