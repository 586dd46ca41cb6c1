import { nouns } from "./rest/nouns";

/**
 * The schemas of the service's answers, by the noun's module, for functions that show them. Each call loads a module.
 *
 * @internal
 */
export const answers = {
  ...nouns,
  account: () => require("./rest/account") as typeof import("./rest/account"),
  billing: () => require("./schemas/billing") as typeof import("./schemas/billing"),
  catalog: () => require("./schemas/catalog") as typeof import("./schemas/catalog"),
  logs: () => require("./schemas/logs") as typeof import("./schemas/logs"),
  pods: () => require("./schemas/pods") as typeof import("./schemas/pods"),
  queues: () => require("./queue/replies") as typeof import("./queue/replies"),
  savedEndpoints: () => require("./schemas/savedEndpoints") as typeof import("./schemas/savedEndpoints"),
  serverless: () => require("./schemas/serverless") as typeof import("./schemas/serverless"),
};
