// Made from the modules that it lists by `npm run generate`: change them, not this file.

import { Lifecycle } from "../lifecycle/lifecycle";
import type { definitions } from "../resources";
import type { Connect, Operations } from "./hostedOperations";

type Definitions = Omit<typeof definitions, "serverlessFleet">;

function lifecycle<Name extends keyof Definitions>(name: Name, module: string) {
  return (connect: Connect): Operations => {
    const { [name]: definition } = require(`../resources/${module}`) as Pick<Definitions, Name>;
    return new Lifecycle(definition, connect);
  };
}

/** Kinds by the name of their definition's export. The first operation of a kind loads its module. */
export const kinds = {
  cluster: lifecycle("cluster", "pods/cluster"),
  costCenter: lifecycle("costCenter", "account/costCenter"),
  ecrDelegation: lifecycle("ecrDelegation", "account/ecrDelegation"),
  globalVolume: lifecycle("globalVolume", "storage/globalVolume"),
  networkVolume: lifecycle("networkVolume", "storage/networkVolume"),
  pod: lifecycle("pod", "pods/pod"),
  registry: lifecycle("registry", "account/registry"),
  secret: lifecycle("secret", "account/secret"),
  serverlessContainer: lifecycle("serverlessContainer", "serverless/serverlessContainer"),
  serverlessEndpoint: lifecycle("serverlessEndpoint", "serverless/serverlessEndpoint"),
  serverlessFleet: (connect: Connect): Operations => {
    const { FleetLifecycle } = require("../resources/fleet") as typeof import("../resources/fleet");
    return new FleetLifecycle(connect);
  },
  smokeJob: lifecycle("smokeJob", "serverless/smokeJob"),
  smokeRequest: lifecycle("smokeRequest", "serverless/smokeRequest"),
  sshKeys: lifecycle("sshKeys", "account/sshKeys"),
  tag: lifecycle("tag", "account/tag"),
  template: lifecycle("template", "serverless/template"),
};
