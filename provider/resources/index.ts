// Made from the modules that it lists by `npm run generate`: change them, not this file.

import { costCenter } from "./account/costCenter";
import { ecrDelegation } from "./account/ecrDelegation";
import { registry } from "./account/registry";
import { secret } from "./account/secret";
import { sshKeys } from "./account/sshKeys";
import { tag } from "./account/tag";
import { serverlessFleet } from "./fleet";
import { cluster } from "./pods/cluster";
import { pod } from "./pods/pod";
import { serverlessContainer } from "./serverless/serverlessContainer";
import { serverlessEndpoint } from "./serverless/serverlessEndpoint";
import { smokeJob } from "./serverless/smokeJob";
import { smokeRequest } from "./serverless/smokeRequest";
import { template } from "./serverless/template";
import { globalVolume } from "./storage/globalVolume";
import { networkVolume } from "./storage/networkVolume";

/** All kinds, by the name of their export. Code that needs a single kind imports its module instead. */
export const definitions = {
  cluster,
  costCenter,
  ecrDelegation,
  globalVolume,
  networkVolume,
  pod,
  registry,
  secret,
  serverlessContainer,
  serverlessEndpoint,
  serverlessFleet,
  smokeJob,
  smokeRequest,
  sshKeys,
  tag,
  template,
};
