import type { Server } from "./balancer/servers";
import { Traffic } from "./balancer/traffic";
import { UsageMeter } from "./billing/meter";
import { Catalog } from "./catalog/catalog";
import { Clock } from "./clock";
import { Keyring } from "./http/auth";
import { Faults } from "./http/faults";
import { RateLimits } from "./http/rateLimit";
import { RequestLog } from "./http/requestLog";
import { Logs } from "./logs";
import type { Handler } from "./queue/handlers";
import { Holds } from "./queue/holds";
import { QueueLimits } from "./queue/limits";
import { type Settings, type SettingsInput, settingsSchema } from "./settings";
import type { Store } from "./store";
import { Veil } from "./store/veil";
import type { Looks, Run } from "./workers/underWay";

/** One emulated account, which all handlers share. */
export class Service {
  readonly clock: Clock;
  readonly faults = new Faults();
  readonly log = new RequestLog(() => this.settings.requestLogSize);
  /** The output of pods and workers. */
  readonly logs: Logs;
  readonly keys: Keyring;
  readonly limits: RateLimits;
  readonly queueLimits: QueueLimits;
  readonly meter: UsageMeter;
  /** What reads and lists do not show yet. */
  readonly veil: Veil;
  /** Whether the handler only reads. */
  readonly isReading: boolean = false;
  readonly traffic = new Traffic();
  /** Requests that wait for a change of a job. */
  readonly holds: Holds;
  /** Running handlers, by job. */
  readonly runs = new Map<string, Run>();
  readonly looks: Looks = new Map();
  /** The addresses of the interfaces, set once they listen. */
  urls = { baseUrl: "", serverlessUrl: "", graphqlUrl: "" };
  private current: { readonly settings: Settings; readonly catalog: Catalog };

  /**
   * @param handlers job handlers given as functions, by template image
   * @param servers web servers of workers and pods given as functions, by image
   */
  constructor(
    readonly store: Store,
    apiKey: string,
    settings: SettingsInput,
    readonly handlers: Readonly<Record<string, Handler>>,
    readonly servers: Readonly<Record<string, Server>>,
  ) {
    const clock = new Clock(Date.now() + (store.clock.get("clock")?.aheadMs ?? 0));
    const now = () => this.settings;
    this.current = withCatalog(settingsSchema.parse(settings));
    this.clock = clock;
    this.logs = new Logs(clock);
    this.keys = new Keyring(apiKey, now);
    this.limits = new RateLimits(clock, now);
    this.queueLimits = new QueueLimits(clock, now);
    this.meter = new UsageMeter(clock, store);
    this.veil = new Veil(clock, now);
    this.holds = new Holds(clock);
    store.watch((collection, id, _, before) => this.veil.changed(collection, id, before));
  }

  get settings(): Settings {
    return this.current.settings;
  }

  set settings(settings: Settings) {
    this.current = withCatalog(settings);
  }

  /** The catalog, with the additions of the settings. */
  get catalog(): Catalog {
    return this.current.catalog;
  }
}

const withCatalog = (settings: Settings) => ({ settings, catalog: new Catalog(settings.catalog) });
