import type { Server } from "./balancer/servers";
import type { Traffic } from "./balancer/traffic";
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

/** One emulated account, which all handlers share. */
export interface Service {
  readonly clock: Clock;
  readonly store: Store;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** The output of pods and workers. */
  readonly logs: Logs;
  readonly keys: Keyring;
  readonly limits: RateLimits;
  readonly queueLimits: QueueLimits;
  readonly meter: UsageMeter;
  /** What reads and lists do not show yet. */
  readonly veil: Veil;
  /** Whether the handler only reads. */
  readonly isReading: boolean;
  /** Job handlers given as functions, by template image. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Web servers of workers and pods given as functions, by image. */
  readonly servers: Readonly<Record<string, Server>>;
  readonly traffic: Traffic;
  /** Requests that wait for a change of a job. */
  readonly holds: Holds;
  /** Running handlers, by job. */
  readonly runs: Map<string, Run>;
  readonly looks: Looks;
  settings: Settings;
  /** The catalog, with the additions of the settings. */
  readonly catalog: Catalog;
  /** The addresses of the interfaces, set once they listen. */
  urls: { baseUrl: string; serverlessUrl: string; graphqlUrl: string };
}
