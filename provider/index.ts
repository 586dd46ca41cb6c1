// Made from the modules that it lists by `npm run generate`: change them, not this file.

import "./engine/compileCache";
import { requireNode } from "../common/requireNode";
import { dynamicProvider } from "./engine/dynamic";
import { kinds } from "./engine/kinds";

requireNode();

// Users' states hold `require("pulumi-computecloud/provider").<kind>` for every resource. So neither this module nor its
// exports may ever be renamed.

export const cluster = dynamicProvider(kinds.cluster);
export const costCenter = dynamicProvider(kinds.costCenter);
export const ecrDelegation = dynamicProvider(kinds.ecrDelegation);
export const globalVolume = dynamicProvider(kinds.globalVolume);
export const networkVolume = dynamicProvider(kinds.networkVolume);
export const pod = dynamicProvider(kinds.pod);
export const registry = dynamicProvider(kinds.registry);
export const secret = dynamicProvider(kinds.secret);
export const serverlessContainer = dynamicProvider(kinds.serverlessContainer);
export const serverlessEndpoint = dynamicProvider(kinds.serverlessEndpoint);
export const serverlessFleet = dynamicProvider(kinds.serverlessFleet);
export const smokeJob = dynamicProvider(kinds.smokeJob);
export const smokeRequest = dynamicProvider(kinds.smokeRequest);
export const sshKeys = dynamicProvider(kinds.sshKeys);
export const tag = dynamicProvider(kinds.tag);
export const template = dynamicProvider(kinds.template);
