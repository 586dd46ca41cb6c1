// Made from the modules that it lists by `npm run generate`: change them, not this file.

import { Lifecycle } from "../lifecycle/lifecycle";
import type { definitions } from "../resources";
import type { Connect, Operations } from "./hostedOperations";

type Definitions = Omit<typeof definitions, "serverlessFleet">;

function lifecycle<Name extends keyof Definitions>(name: Name, load: () => Pick<Definitions, Name>) {
  return (connect: Connect): Operations => new Lifecycle(load()[name], connect);
}

/** Kinds by the name of their definition's export. The first operation of a kind loads its module, by a name that a bundler can read. */
export const kinds = {
  cluster: lifecycle("cluster", () => require("../resources/pods/cluster")),
  costCenter: lifecycle("costCenter", () => require("../resources/account/costCenter")),
  ecrDelegation: lifecycle("ecrDelegation", () => require("../resources/account/ecrDelegation")),
  globalVolume: lifecycle("globalVolume", () => require("../resources/storage/globalVolume")),
  networkVolume: lifecycle("networkVolume", () => require("../resources/storage/networkVolume")),
  pod: lifecycle("pod", () => require("../resources/pods/pod")),
  registry: lifecycle("registry", () => require("../resources/account/registry")),
  secret: lifecycle("secret", () => require("../resources/account/secret")),
  serverlessContainer: lifecycle("serverlessContainer", () => require("../resources/serverless/serverlessContainer")),
  serverlessEndpoint: lifecycle("serverlessEndpoint", () => require("../resources/serverless/serverlessEndpoint")),
  serverlessFleet: (connect: Connect): Operations => {
    const { FleetLifecycle } = require("../resources/fleet") as typeof import("../resources/fleet");
    return new FleetLifecycle(connect);
  },
  smokeJob: lifecycle("smokeJob", () => require("../resources/serverless/smokeJob")),
  smokeRequest: lifecycle("smokeRequest", () => require("../resources/serverless/smokeRequest")),
  sshKeys: lifecycle("sshKeys", () => require("../resources/account/sshKeys")),
  tag: lifecycle("tag", () => require("../resources/account/tag")),
  template: lifecycle("template", () => require("../resources/serverless/template")),
};
