// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import { Lifecycle } from "../lifecycle/lifecycle";
import type { Connect, Operations } from "./operations";

/** Kinds by the name of their definition's export. The first operation of a kind loads its module. */
export const kinds = {
  cluster: (connect: Connect) => {
    const { cluster } = require("../resources/cluster") as typeof import("../resources/cluster");
    return new Lifecycle(cluster, connect);
  },
  costCenter: (connect: Connect) => {
    const { costCenter } = require("../resources/costCenter") as typeof import("../resources/costCenter");
    return new Lifecycle(costCenter, connect);
  },
  ecrDelegation: (connect: Connect) => {
    const { ecrDelegation } = require("../resources/ecrDelegation") as typeof import("../resources/ecrDelegation");
    return new Lifecycle(ecrDelegation, connect);
  },
  globalVolume: (connect: Connect) => {
    const { globalVolume } = require("../resources/globalVolume") as typeof import("../resources/globalVolume");
    return new Lifecycle(globalVolume, connect);
  },
  networkVolume: (connect: Connect) => {
    const { networkVolume } = require("../resources/networkVolume") as typeof import("../resources/networkVolume");
    return new Lifecycle(networkVolume, connect);
  },
  pod: (connect: Connect) => {
    const { pod } = require("../resources/pod") as typeof import("../resources/pod");
    return new Lifecycle(pod, connect);
  },
  registry: (connect: Connect) => {
    const { registry } = require("../resources/registry") as typeof import("../resources/registry");
    return new Lifecycle(registry, connect);
  },
  secret: (connect: Connect) => {
    const { secret } = require("../resources/secret") as typeof import("../resources/secret");
    return new Lifecycle(secret, connect);
  },
  serverlessContainer: (connect: Connect) => {
    const { serverlessContainer } =
      require("../resources/serverlessContainer") as typeof import("../resources/serverlessContainer");
    return new Lifecycle(serverlessContainer, connect);
  },
  serverlessEndpoint: (connect: Connect) => {
    const { serverlessEndpoint } =
      require("../resources/serverlessEndpoint") as typeof import("../resources/serverlessEndpoint");
    return new Lifecycle(serverlessEndpoint, connect);
  },
  serverlessFleet: (connect: Connect) => {
    const { FleetLifecycle } =
      require("../resources/fleet/fleetLifecycle") as typeof import("../resources/fleet/fleetLifecycle");
    return new FleetLifecycle(connect);
  },
  smokeJob: (connect: Connect) => {
    const { smokeJob } = require("../resources/smokeJob") as typeof import("../resources/smokeJob");
    return new Lifecycle(smokeJob, connect);
  },
  sshKeys: (connect: Connect) => {
    const { sshKeys } = require("../resources/sshKeys") as typeof import("../resources/sshKeys");
    return new Lifecycle(sshKeys, connect);
  },
  tag: (connect: Connect) => {
    const { tag } = require("../resources/tag") as typeof import("../resources/tag");
    return new Lifecycle(tag, connect);
  },
  template: (connect: Connect) => {
    const { template } = require("../resources/template") as typeof import("../resources/template");
    return new Lifecycle(template, connect);
  },
} satisfies Readonly<Record<string, (connect: Connect) => Operations>>;
