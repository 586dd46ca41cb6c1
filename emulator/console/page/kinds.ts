import type { Kind } from "./protocol";

interface KindFacts {
  readonly title: string;
  /** The path of the collection in REST; undefined if REST has no single resources of the kind. */
  readonly path?: string;
  readonly changes: boolean;
}

/** The kinds in the order in which they are shown. */
export const KINDS: Readonly<Record<Kind, KindFacts>> = {
  endpoints: { title: "Endpoints", path: "/v2/serverless", changes: true },
  pods: { title: "Pods", path: "/v2/pods", changes: true },
  clusters: { title: "Clusters", path: "/v2/clusters", changes: true },
  templates: { title: "Templates", path: "/v2/templates", changes: true },
  networkVolumes: { title: "Network volumes", path: "/v2/network-volumes", changes: true },
  globalVolumes: { title: "Global volumes", path: "/v2/global-volumes", changes: true },
  registries: { title: "Registries", path: "/v2/registries", changes: true },
  delegations: { title: "ECR delegations", path: "/v2/registries/delegations", changes: false },
  secrets: { title: "Secrets", path: "/v2/account/secrets", changes: true },
  sshKeys: { title: "SSH keys", changes: false },
};

export const KIND_NAMES = Object.keys(KINDS) as Kind[];
