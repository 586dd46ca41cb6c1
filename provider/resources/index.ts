import { cluster } from "./cluster";
import { costCenter } from "./costCenter";
import { ecrDelegation } from "./ecrDelegation";
import { globalVolume } from "./globalVolume";
import { networkVolume } from "./networkVolume";
import { pod } from "./pod";
import { registry } from "./registry";
import { secret } from "./secret";
import { serverlessContainer } from "./serverlessContainer";
import { serverlessEndpoint } from "./serverlessEndpoint";
import { serverlessFleet } from "./serverlessFleet";
import { smokeJob } from "./smokeJob";
import { sshKeys } from "./sshKeys";
import { tag } from "./tag";
import { template } from "./template";

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
  sshKeys,
  tag,
  template,
};

/** The kinds as programs name them, for tables that need an entry for each kind. A type import loads no kind. */
export type KindName = Capitalize<keyof typeof definitions>;
