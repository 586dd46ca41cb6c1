// Made from the modules that it lists by `npm run generate`: change them, not this file.

import { Lifecycle } from "../lifecycle/lifecycle";
import type { Connect, Operations } from "./operations";

/** Kinds by the name of their definition's export. The first operation of a kind loads its module. */
export const kinds = {
  cluster: (connect: Connect) => {
    const { cluster } = require("../resources/pods/cluster") as typeof import("../resources/pods/cluster");
    return new Lifecycle(cluster, connect);
  },
  costCenter: (connect: Connect) => {
    const { costCenter } =
      require("../resources/account/costCenter") as typeof import("../resources/account/costCenter");
    return new Lifecycle(costCenter, connect);
  },
  ecrDelegation: (connect: Connect) => {
    const { ecrDelegation } =
      require("../resources/account/ecrDelegation") as typeof import("../resources/account/ecrDelegation");
    return new Lifecycle(ecrDelegation, connect);
  },
  globalVolume: (connect: Connect) => {
    const { globalVolume } =
      require("../resources/storage/globalVolume") as typeof import("../resources/storage/globalVolume");
    return new Lifecycle(globalVolume, connect);
  },
  networkVolume: (connect: Connect) => {
    const { networkVolume } =
      require("../resources/storage/networkVolume") as typeof import("../resources/storage/networkVolume");
    return new Lifecycle(networkVolume, connect);
  },
  pod: (connect: Connect) => {
    const { pod } = require("../resources/pods/pod") as typeof import("../resources/pods/pod");
    return new Lifecycle(pod, connect);
  },
  registry: (connect: Connect) => {
    const { registry } = require("../resources/account/registry") as typeof import("../resources/account/registry");
    return new Lifecycle(registry, connect);
  },
  secret: (connect: Connect) => {
    const { secret } = require("../resources/account/secret") as typeof import("../resources/account/secret");
    return new Lifecycle(secret, connect);
  },
  serverlessContainer: (connect: Connect) => {
    const { serverlessContainer } =
      require("../resources/serverless/serverlessContainer") as typeof import("../resources/serverless/serverlessContainer");
    return new Lifecycle(serverlessContainer, connect);
  },
  serverlessEndpoint: (connect: Connect) => {
    const { serverlessEndpoint } =
      require("../resources/serverless/serverlessEndpoint") as typeof import("../resources/serverless/serverlessEndpoint");
    return new Lifecycle(serverlessEndpoint, connect);
  },
  serverlessFleet: (connect: Connect) => {
    const { FleetLifecycle } = require("../resources/fleet") as typeof import("../resources/fleet");
    return new FleetLifecycle(connect);
  },
  smokeJob: (connect: Connect) => {
    const { smokeJob } =
      require("../resources/serverless/smokeJob") as typeof import("../resources/serverless/smokeJob");
    return new Lifecycle(smokeJob, connect);
  },
  smokeRequest: (connect: Connect) => {
    const { smokeRequest } =
      require("../resources/serverless/smokeRequest") as typeof import("../resources/serverless/smokeRequest");
    return new Lifecycle(smokeRequest, connect);
  },
  sshKeys: (connect: Connect) => {
    const { sshKeys } = require("../resources/account/sshKeys") as typeof import("../resources/account/sshKeys");
    return new Lifecycle(sshKeys, connect);
  },
  tag: (connect: Connect) => {
    const { tag } = require("../resources/account/tag") as typeof import("../resources/account/tag");
    return new Lifecycle(tag, connect);
  },
  template: (connect: Connect) => {
    const { template } =
      require("../resources/serverless/template") as typeof import("../resources/serverless/template");
    return new Lifecycle(template, connect);
  },
} satisfies Readonly<Record<string, (connect: Connect) => Operations>>;
