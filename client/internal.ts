// What only the provider, the command line and the tools use: left out of the published types.

import type { Client } from "./client";
import type { ClientOptions } from "./options";

export { answers } from "./answers";
export { abortable, systemClock } from "./calls/cancellation";
export { Pools } from "./calls/dispatcher";
export { type QuotaWindow, readQuotas } from "./calls/headers";
export { clocksApart } from "./calls/shared";
export { readEvents } from "./calls/sse";
export { userAgent } from "./calls/wire";
export { checkAddress } from "./options";
export { isRefusal, wasRefused } from "./outcomes/create";
export { APPEARS_WITHIN_MS, isUntouched } from "./outcomes/retry";
export { areaOf, isUnknownAddress, type Right, rights, type Subject } from "./outcomes/statuses";
export { errorText } from "./queue/status";
export {
  type Connection,
  type Existing,
  fromEnvironment,
  type Setting,
  type SettingsPlace,
  SettingsReader,
  variables,
} from "./settings";
export {
  commaParts,
  countriesIn,
  globalMounts,
  globalVolumesOf,
  gpuChoice,
  withoutFlashBoot,
} from "./values/endpointTexts";
export { isEmptyInput } from "./values/jobInput";

/** A client that takes nothing from the environment. */
export function connectedClient(options: ClientOptions): Client {
  const { Client } = require("./client") as typeof import("./client");
  return new Client(options);
}
