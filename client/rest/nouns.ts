// Made from the modules that it lists by `npm run generate`: change them, not this file.

import type { Operation } from "../calls/operation";
import type { Subject } from "../outcomes/statuses";
import type { Rest } from "./rest";

export interface Noun<Calls extends object> {
  /** Its REST operations, as data. */
  readonly operations: Readonly<Record<string, Operation>>;
  calls(rest: Rest): Calls;
}

/** The nouns whose operations the contract has. The code of each is loaded on first use. */
export const nouns = {
  billing: () => require("./billing") as typeof import("./billing"),
  catalog: () => require("./catalog") as typeof import("./catalog"),
  clusters: () => require("./clusters") as typeof import("./clusters"),
  costCenters: () => require("./costCenters") as typeof import("./costCenters"),
  delegations: () => require("./delegations") as typeof import("./delegations"),
  globalVolumes: () => require("./globalVolumes") as typeof import("./globalVolumes"),
  networkVolumes: () => require("./networkVolumes") as typeof import("./networkVolumes"),
  pods: () => require("./pods") as typeof import("./pods"),
  registries: () => require("./registries") as typeof import("./registries"),
  secrets: () => require("./secrets") as typeof import("./secrets"),
  serverless: () => require("./serverless") as typeof import("./serverless"),
  sshKeys: () => require("./sshKeys") as typeof import("./sshKeys"),
  tags: () => require("./tags") as typeof import("./tags"),
  templates: () => require("./templates") as typeof import("./templates"),
} satisfies Readonly<Record<string, () => Noun<object>>>;

/** The noun of each kind whose resources have ids, by which they are deleted. */
export const nounsWithIds: ReadonlyMap<Subject, keyof typeof nouns> = new Map([
  ["Cluster", "clusters"],
  ["CostCenter", "costCenters"],
  ["EcrDelegation", "delegations"],
  ["GlobalVolume", "globalVolumes"],
  ["NetworkVolume", "networkVolumes"],
  ["Pod", "pods"],
  ["Registry", "registries"],
  ["Secret", "secrets"],
  ["Endpoint", "serverless"],
  ["Tag", "tags"],
  ["Template", "templates"],
]);

/** The nouns as a client has them. */
export abstract class Nouns {
  /** The calls of a noun, created on first use. */
  protected abstract noun<Calls extends object>(name: keyof typeof nouns, load: () => Noun<Calls>): Calls;

  /**
   * What was spent, in USD: a record for each resource and time bucket, and totals. `/v2/billing`. Times are RFC 3339. Default:
   * the last 30 days, by day.
   *
   * Each call throws PermissionError when the key may not read bills.
   */
  get billing() {
    return this.noun("billing", nouns.billing);
  }
  /**
   * What the service offers, with list prices in USD an hour. `/v2/catalog`. With `include`, and `product`, an answer also tells
   * what is free now: that is not reserved, and may be gone at the next call.
   */
  get catalog() {
    return this.noun("catalog", nouns.catalog);
  }
  /** Clusters: pods on one fast network. `/v2/clusters`. */
  get clusters() {
    return this.noun("clusters", nouns.clusters);
  }
  /** Cost centers, to which pods, clusters, endpoints and volumes are attributed. `/v2/cost-centers`. */
  get costCenters() {
    return this.noun("costCenters", nouns.costCenters);
  }
  /** Permissions to pull from private ECR repositories. `/v2/registries/delegations`. They never change. */
  get delegations() {
    return this.noun("delegations", nouns.delegations);
  }
  /** Global volumes: storage that belongs to no data center. `/v2/global-volumes`. */
  get globalVolumes() {
    return this.noun("globalVolumes", nouns.globalVolumes);
  }
  /** Network volumes: storage that outlives pods and workers. `/v2/network-volumes`. Sizes are in GB. */
  get networkVolumes() {
    return this.noun("networkVolumes", nouns.networkVolumes);
  }
  /** Pods: containers on GPU or CPU machines. `/v2/pods`. Lists omit members of clusters unless `includeClusterPods` is set. */
  get pods() {
    return this.noun("pods", nouns.pods);
  }
  /**
   * Credentials of private image registries. `/v2/registries`. Names are unique in the account; no answer shows the
   * credentials.
   */
  get registries() {
    return this.noun("registries", nouns.registries);
  }
  /** Secrets of the account. `/v2/account/secrets`. Names are unique, whatever their case; no answer shows a value. */
  get secrets() {
    return this.noun("secrets", nouns.secrets);
  }
  /** Serverless endpoints as REST shows them. `/v2/serverless`. */
  get serverless() {
    return this.noun("serverless", nouns.serverless);
  }
  /** Public SSH keys of the account: one list, replaced as a whole. `/v2/account/ssh-keys`. */
  get sshKeys() {
    return this.noun("sshKeys", nouns.sshKeys);
  }
  /** Tags: a key and a value, on pods, clusters, endpoints and volumes. `/v2/tags`. */
  get tags() {
    return this.noun("tags", nouns.tags);
  }
  /** Templates: the settings of a container. `/v2/templates`. Names are unique in the account. */
  get templates() {
    return this.noun("templates", nouns.templates);
  }
}
