import type { Readable } from "node:stream";
import { bucketStart } from "../billing/buckets";
import { chargesOf } from "../billing/charges";
import type { LoggedRequest } from "../http/requestLog";
import type { Service } from "../service";
import type { UsageRecord } from "../store/records";
import { concerns, detailOf, type Focus } from "./detail";
import { frame, openFeed, send } from "./feed";
import type { DayCost, Kind, Overview, Row } from "./page/protocol";
import { allRows, isKind, rowOf } from "./rows";
import { maskSettings } from "./secrets";

/** Changes within this time become one event. Real ms. */
const GATHER_MS = 200;
/** The costs are recomputed at most this often, because that reads all usage. Real ms. */
const COSTS_EVERY_MS = 2000;
/** How many calls of the log a page gets when it opens. */
const MOST_REQUESTS = 500;

const USAGE_KINDS: Readonly<Record<UsageRecord["resource"], Kind>> = {
  pod: "pods",
  serverless: "endpoints",
  networkVolume: "networkVolumes",
  cluster: "clusters",
};

const DAYS = 14;

/** The costs of the last days, by kind. Days without costs are left out. */
function costByDay({ clock, store }: Service): DayCost[] {
  const window = {
    start: bucketStart("day", clock.now(), 1 - DAYS),
    end: bucketStart("day", clock.now(), 1),
    bucketSize: "day",
  } as const;
  const groupOf = ({ resource }: UsageRecord) => USAGE_KINDS[resource];
  const plan = { fields: [], fieldOf: () => "usd", groupOf };
  const charges = chargesOf(store.usage.values(), window, plan, clock);
  return Array.from(
    Map.groupBy(charges, ({ bucket }) => bucket),
    ([bucket, ofDay]) => ({
      day: new Date(bucket).toISOString().slice(0, 10),
      amounts: Object.fromEntries(ofDay.map(({ resourceId, amounts }) => [resourceId, amounts.totalAmount ?? 0])),
    }),
  );
}

interface DetailFeed {
  readonly feed: Readable;
  readonly focus: Focus;
  /** The id whose log is followed. For a job, it is its worker's. */
  logSource?: string;
  unfollow: () => void;
  isDue: boolean;
}

/**
 * Sends changes to open pages. It watches the store and the request log only while a page is open, so otherwise it costs
 * nothing.
 */
export class Watch {
  private readonly overviews = new Set<Readable>();
  private readonly details = new Set<DetailFeed>();
  private readonly resources = new Map<string, Pick<Row, "kind" | "id">>();
  private readonly requests = new Set<LoggedRequest>();
  private lastControls = "";
  private costsAreDue = false;
  private costsSentAt = Number.NEGATIVE_INFINITY;
  private gathering: NodeJS.Timeout | undefined;
  private unwatch: readonly (() => void)[] = [];

  constructor(private readonly service: Service) {}

  /** A page's feed of all resources, requests, costs, faults, settings and the clock. */
  openOverview(): Readable {
    this.begin();
    const feed = openFeed();
    this.overviews.add(feed);
    feed.once("close", () => this.end(() => this.overviews.delete(feed)));
    send(feed, frame("overview", this.everything()));
    return feed;
  }

  openDetail(focus: Focus): Readable {
    this.begin();
    const detail: DetailFeed = { feed: openFeed(), focus, unfollow: () => {}, isDue: false };
    this.details.add(detail);
    detail.feed.once("close", () => {
      detail.unfollow();
      this.end(() => this.details.delete(detail));
    });
    this.send(detail);
    return detail.feed;
  }

  /** For changes outside the records: faults, settings, the clock's speed. */
  touch(): void {
    if (this.unwatch.length > 0) this.gather();
  }

  private begin(): void {
    if (this.unwatch.length > 0) return;
    const { store, log } = this.service;
    this.unwatch = [
      store.watch((collection, id, record, before) => this.noteRecord(collection, id, record ?? before ?? { id })),
      log.watch((entry) => {
        this.requests.add(entry);
        this.gather();
      }),
    ];
  }

  private end(leave: () => void): void {
    leave();
    if (this.overviews.size + this.details.size > 0) return;
    clearTimeout(this.gathering);
    this.gathering = undefined;
    for (const unwatch of this.unwatch) unwatch();
    this.unwatch = [];
  }

  private noteRecord(collection: string, id: string, record: object): void {
    if (isKind(collection)) this.noteResource(collection, id);
    const endpointId = collection === "endpoints" ? id : Reflect.get(record, "endpointId");
    if (typeof endpointId === "string") this.noteResource("endpoints", endpointId);
    if (collection === "usage") {
      this.costsAreDue = true;
      // A resource's row shows its cost per hour.
      const { resource, resourceId } = record as UsageRecord;
      this.noteResource(USAGE_KINDS[resource], resourceId);
    }
    for (const detail of this.details)
      if (concerns(this.service, detail.focus, collection, record)) detail.isDue = true;
    this.gather();
  }

  private noteResource(kind: Kind, id: string): void {
    this.resources.set(`${kind}/${id}`, { kind, id });
  }

  private followLog(detail: DetailFeed): void {
    const { kind, id } = detail.focus;
    const source = kind === "jobs" ? (this.service.store.jobs.get(id)?.workerId ?? id) : id;
    if (source === detail.logSource) return;
    detail.unfollow();
    detail.logSource = source;
    detail.unfollow = this.service.logs.follow(source, () => {
      detail.isDue = true;
      this.gather();
    });
  }

  private gather(): void {
    this.gathering ??= setTimeout(() => this.flush(), GATHER_MS).unref();
  }

  private flush(): void {
    this.gathering = undefined;
    const text = frame("overview", this.changes());
    for (const feed of this.overviews) send(feed, text);
    for (const detail of this.details) if (detail.isDue) this.send(detail);
    // Costs that were not due yet are sent with a later event.
    if (this.costsAreDue) this.gather();
  }

  private send(detail: DetailFeed): void {
    detail.isDue = false;
    this.followLog(detail);
    send(detail.feed, frame("detail", detailOf(this.service, detail.focus)));
  }

  private everything(): Overview {
    const { service } = this;
    return {
      fresh: true,
      clock: this.clock(),
      resources: [...allRows(service)],
      removed: [],
      requests: service.log.list().slice(-MOST_REQUESTS),
      ...this.controls(),
      costByDay: costByDay(service),
      addresses: service.urls,
    };
  }

  private changes(): Overview {
    const resources: Row[] = [];
    const removed: Pick<Row, "kind" | "id">[] = [];
    for (const { kind, id } of this.resources.values()) {
      const row = rowOf(this.service, kind, id);
      if (row === undefined) removed.push({ kind, id });
      else resources.push(row);
    }
    const requests = [...this.requests].slice(-MOST_REQUESTS);
    this.resources.clear();
    this.requests.clear();
    return { fresh: false, clock: this.clock(), resources, removed, requests, ...this.news(), ...this.costs() };
  }

  private costs(): Pick<Overview, "costByDay"> {
    if (!this.costsAreDue || performance.now() - this.costsSentAt < COSTS_EVERY_MS) return {};
    this.costsAreDue = false;
    this.costsSentAt = performance.now();
    return { costByDay: costByDay(this.service) };
  }

  /** The faults and settings, if they have changed since the last event. */
  private news(): Pick<Overview, "faults" | "settings"> {
    const controls = this.controls();
    const before = this.lastControls;
    this.lastControls = JSON.stringify(controls);
    return this.lastControls === before ? {} : controls;
  }

  private controls() {
    const { faults, settings } = this.service;
    return { faults: faults.list().map(({ fault, seen }) => ({ fault, seen })), settings: maskSettings(settings) };
  }

  private clock = () => ({ now: this.service.clock.now(), speed: this.service.clock.speed });
}
