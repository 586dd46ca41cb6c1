import type { UsageMeter } from "./billing/meter";
import type { Catalog } from "./catalog/catalog";
import type { Clock } from "./clock";
import type { Keyring } from "./http/auth";
import type { Faults } from "./http/faults";
import type { RateLimits } from "./http/rateLimit";
import type { RequestLog } from "./http/requestLog";
import type { Logs } from "./logs";
import type { Handler } from "./queue/handlers";
import type { Holds } from "./queue/holds";
import type { QueueLimits } from "./queue/limits";
import type { Settings } from "./settings";
import type { Store } from "./store";
import type { Veil } from "./store/veil";
import type { Looks, Run } from "./workers/underWay";

/** Everything that handlers share: one emulated account. */
export interface Service {
  readonly clock: Clock;
  readonly store: Store;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** What pods and workers print. */
  readonly logs: Logs;
  readonly keys: Keyring;
  readonly limits: RateLimits;
  readonly queueLimits: QueueLimits;
  readonly meter: UsageMeter;
  /** What was just created and cannot be read yet. */
  readonly veil: Veil;
  /** Job handlers given as functions, by template image. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Requests that wait for something to happen to a job. */
  readonly holds: Holds;
  /** Handlers under way, by job. */
  readonly runs: Map<string, Run>;
  readonly looks: Looks;
  settings: Settings;
  /** What there is to rent, with what the settings add. */
  readonly catalog: Catalog;
  /** Where the interfaces answer; known once they listen. */
  urls: { baseUrl: string; serverlessUrl: string; graphqlUrl: string };
}
