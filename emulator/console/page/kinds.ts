import type { Kind } from "./protocol";

/** The kinds in the order in which they are shown; `path` is the collection's in REST, if that has single resources of the kind. */
export const KINDS: Readonly<
  Record<Kind, { readonly title: string; readonly path?: string; readonly changes: boolean }>
> = {
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
