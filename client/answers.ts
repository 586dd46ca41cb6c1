/**
 * The schemas of the service's answers, by the noun's module, for functions that show them. Each call loads a module.
 *
 * @internal
 */
export const answers = {
  account: () => require("./rest/account") as typeof import("./rest/account"),
  billing: () => require("./schemas/billing") as typeof import("./schemas/billing"),
  catalog: () => require("./schemas/catalog") as typeof import("./schemas/catalog"),
  clusters: () => require("./rest/clusters") as typeof import("./rest/clusters"),
  costCenters: () => require("./rest/costCenters") as typeof import("./rest/costCenters"),
  delegations: () => require("./rest/delegations") as typeof import("./rest/delegations"),
  globalVolumes: () => require("./rest/globalVolumes") as typeof import("./rest/globalVolumes"),
  logs: () => require("./schemas/logs") as typeof import("./schemas/logs"),
  networkVolumes: () => require("./rest/networkVolumes") as typeof import("./rest/networkVolumes"),
  pods: () => require("./schemas/pods") as typeof import("./schemas/pods"),
  queues: () => require("./queue/replies") as typeof import("./queue/replies"),
  registries: () => require("./rest/registries") as typeof import("./rest/registries"),
  savedEndpoints: () => require("./schemas/savedEndpoints") as typeof import("./schemas/savedEndpoints"),
  secrets: () => require("./rest/secrets") as typeof import("./rest/secrets"),
  serverless: () => require("./schemas/serverless") as typeof import("./schemas/serverless"),
  tags: () => require("./rest/tags") as typeof import("./rest/tags"),
  templates: () => require("./rest/templates") as typeof import("./rest/templates"),
};
