/**
 * The schemas of the service's answers, by the noun's module, for functions that show them. A module is loaded when it is read.
 *
 * @internal
 */
export const answers = {
  get account() {
    return require("./rest/account") as typeof import("./rest/account");
  },
  get billing() {
    return require("./schemas/billing") as typeof import("./schemas/billing");
  },
  get catalog() {
    return require("./schemas/catalog") as typeof import("./schemas/catalog");
  },
  get clusters() {
    return require("./rest/clusters") as typeof import("./rest/clusters");
  },
  get costCenters() {
    return require("./rest/costCenters") as typeof import("./rest/costCenters");
  },
  get delegations() {
    return require("./rest/delegations") as typeof import("./rest/delegations");
  },
  get globalVolumes() {
    return require("./rest/globalVolumes") as typeof import("./rest/globalVolumes");
  },
  get logs() {
    return require("./schemas/logs") as typeof import("./schemas/logs");
  },
  get networkVolumes() {
    return require("./rest/networkVolumes") as typeof import("./rest/networkVolumes");
  },
  get pods() {
    return require("./schemas/pods") as typeof import("./schemas/pods");
  },
  get queues() {
    return require("./queue/replies") as typeof import("./queue/replies");
  },
  get registries() {
    return require("./rest/registries") as typeof import("./rest/registries");
  },
  get savedEndpoints() {
    return require("./schemas/savedEndpoints") as typeof import("./schemas/savedEndpoints");
  },
  get secrets() {
    return require("./rest/secrets") as typeof import("./rest/secrets");
  },
  get serverless() {
    return require("./schemas/serverless") as typeof import("./schemas/serverless");
  },
  get tags() {
    return require("./rest/tags") as typeof import("./rest/tags");
  },
  get templates() {
    return require("./rest/templates") as typeof import("./rest/templates");
  },
};
