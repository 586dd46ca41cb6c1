// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import "./compileCache";
import { requireNode } from "../requireNode";
import { dynamicProvider } from "./engine/dynamic";
import { Lifecycle } from "./lifecycle/lifecycle";

requireNode();

// Programs' states hold `require("pulumi-computecloud/provider").<kind>` for every resource, so that neither this module's
// name nor an export's may ever change.

export const cluster = dynamicProvider((connect) => {
  const { cluster } = require("./resources/cluster") as typeof import("./resources/cluster");
  return new Lifecycle(cluster, connect);
});

export const ecrDelegation = dynamicProvider((connect) => {
  const { ecrDelegation } = require("./resources/ecrDelegation") as typeof import("./resources/ecrDelegation");
  return new Lifecycle(ecrDelegation, connect);
});

export const networkVolume = dynamicProvider((connect) => {
  const { networkVolume } = require("./resources/networkVolume") as typeof import("./resources/networkVolume");
  return new Lifecycle(networkVolume, connect);
});

export const pod = dynamicProvider((connect) => {
  const { pod } = require("./resources/pod") as typeof import("./resources/pod");
  return new Lifecycle(pod, connect);
});

export const registry = dynamicProvider((connect) => {
  const { registry } = require("./resources/registry") as typeof import("./resources/registry");
  return new Lifecycle(registry, connect);
});

export const serverlessContainer = dynamicProvider((connect) => {
  const { serverlessContainer } =
    require("./resources/serverlessContainer") as typeof import("./resources/serverlessContainer");
  return new Lifecycle(serverlessContainer, connect);
});

export const serverlessEndpoint = dynamicProvider((connect) => {
  const { serverlessEndpoint } =
    require("./resources/serverlessEndpoint") as typeof import("./resources/serverlessEndpoint");
  return new Lifecycle(serverlessEndpoint, connect);
});

export const serverlessFleet = dynamicProvider((connect) => {
  const { FleetLifecycle } =
    require("./resources/fleet/fleetLifecycle") as typeof import("./resources/fleet/fleetLifecycle");
  return new FleetLifecycle(connect);
});

export const smokeJob = dynamicProvider((connect) => {
  const { smokeJob } = require("./resources/smokeJob") as typeof import("./resources/smokeJob");
  return new Lifecycle(smokeJob, connect);
});

export const sshKeys = dynamicProvider((connect) => {
  const { sshKeys } = require("./resources/sshKeys") as typeof import("./resources/sshKeys");
  return new Lifecycle(sshKeys, connect);
});

export const template = dynamicProvider((connect) => {
  const { template } = require("./resources/template") as typeof import("./resources/template");
  return new Lifecycle(template, connect);
});
