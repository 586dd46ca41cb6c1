import { type CallOptions, type Client, ComputeCloudError, type Endpoint, type QueueHealth } from "../../client";
import { getOrCreate } from "../../common/getOrCreate";
import { workerQuota } from "../../provider/cost/quota";
import { haveAllCrashed, type WorkerCounts } from "../../provider/smoke/crashLoop";
import type { Labels, Sample, Samples } from "./openMetrics";

/** Conditions that don't resolve themselves, with the way out. */
export const STUCK = {
  crash_loop:
    "its workers crash again and again: read `npx pulumi-computecloud logs`, and correct the image or its command",
  throttled: "no machine is free for its workers: add GPU pools or data centers",
  jobs_wait: "jobs wait beside workers that are ready: look at the handler, or replace the workers by a new release",
  no_answer: "its workers do not answer the health check: look at the server, and at PORT and PORT_HEALTH",
} as const;
type Stuck = keyof typeof STUCK;

/** An endpoint has been stuck for the given time. Reported once. */
export interface StuckEvent {
  readonly endpointId: string;
  readonly name: string;
  readonly reason: Stuck;
}

/** What a look reads. Queues and load balancers are found among the endpoints. */
const KINDS = ["endpoints", "pods", "balance", "billing", "queues", "balancers"] as const;
type Kind = (typeof KINDS)[number];

/** A day, and the hour that has begun. */
const BILLED_HOURS = 25;

/** How long a load balancer's answer to a probe may take. */
const PROBE_MS = 10_000;

/** What the watch remembers of an endpoint. */
class Memory {
  readonly arrivals = new Arrivals();
  /** What the probes of a load balancer got since the watch began. */
  readonly probes = { answered: 0, refused: 0 };
  /** Why it is stuck: since when, and whether that was reported. */
  readonly stuck = new Map<Stuck, { readonly since: number; isReported: boolean }>();
}

/** Reads an account again and again. Each read requests every list once, and queues and load balancers one by one. */
export class Watch {
  /** When each kind could last be read. */
  readonly #read = new Map<Kind, number>();
  /** By the endpoint's id. */
  readonly #memories = new Map<string, Memory>();
  /** What the last look could not read. */
  #unread: ReadonlySet<Kind> = new Set();

  /** @param patienceMs how long an endpoint has to be stuck until it is reported */
  constructor(
    private readonly client: Client,
    private readonly patienceMs: number,
    private readonly onStuck: (event: StuckEvent) => void,
    /** Whether a load balancer answers its health check. Left out, none is probed. */
    private readonly probe?: (endpoint: Endpoint, signal: AbortSignal) => Promise<boolean>,
    /** Called once for each kind until it can be read again. */
    private readonly onUnread?: (kind: Kind, error: Error) => void,
  ) {}

  /** In place of figures that are too old to be served. */
  overdue(): Samples {
    return this.#readings(new Set(KINDS));
  }

  /** Reads the account's current figures. What can't be read is left out, and shows as `computecloud_up` 0. */
  async look(options: CallOptions): Promise<Samples> {
    const { client } = this;
    const unread = new Set<Kind>();
    const read = async <T>(kind: Kind, answer: Promise<T>): Promise<T | undefined> => {
      try {
        return await answer;
      } catch (error) {
        if (!(error instanceof ComputeCloudError)) throw error;
        if (!unread.has(kind) && !this.#unread.has(kind)) this.onUnread?.(kind, error);
        unread.add(kind);
        return undefined;
      }
    };
    const [endpoints = [], pods = [], quota, balance, billing] = await Promise.all([
      read("endpoints", client.serverless.list(options)),
      read("pods", client.pods.list(options)),
      workerQuota(client, options),
      read("balance", client.account.balance(options)),
      read("billing", client.billing.summary({ bucketSize: "hour", lastN: BILLED_HOURS }, options)),
    ]);
    if (unread.has("endpoints")) unread.add("queues").add("balancers");
    else this.#forgetAllBut(new Set(endpoints.map(({ id }) => id)));
    const all = await Promise.all(
      endpoints.map((endpoint) =>
        endpoint.type === "LOAD_BALANCER"
          ? read("balancers", this.#balancer(endpoint, options))
          : read("queues", this.#queue(endpoint, options)),
      ),
    );
    this.#unread = unread;
    const seen = all.filter((each) => each !== undefined);
    return {
      ...this.#readings(unread),
      endpoint_workers_max: endpoints.map((each) => [labels(each), each.workers?.max]),
      endpoint_workers_min: endpoints.map((each) => [labels(each), each.workers?.min]),
      endpoint_jobs: seen.flatMap(({ endpoint, jobs }) => byState(endpoint, { ...jobs })),
      endpoint_workers: seen.flatMap(({ endpoint, workers }) => byState(endpoint, { ...workers })),
      endpoint_healthy: seen.flatMap(({ endpoint, isHealthy }): Sample[] =>
        isHealthy === undefined ? [] : [[labels(endpoint), Number(isHealthy)]],
      ),
      endpoint_probes: seen.flatMap(({ endpoint, probes }) => byState(endpoint, { ...probes }, "result")),
      endpoint_queue_age_seconds: seen.map(({ endpoint, times }) => [labels(endpoint), times?.queueAge]),
      endpoint_job_latency_seconds: seen.map(({ endpoint, times }) => [labels(endpoint), times?.latency]),
      endpoint_stuck: this.#stuck(seen),
      pods: [...Map.groupBy(pods, ({ status = "UNKNOWN" }) => status)].map(([status, all]) => [{ status }, all.length]),
      pod_cost_usd_per_hour: pods.map(({ id, name = id, cost }) => [{ pod_id: id, pod: name }, cost]),
      worker_quota: [[{}, quota.limit]],
      balance_usd: [[{}, balance?.balanceAmount]],
      billed_last_day_usd: [[{}, billing?.metadata?.totals?.totalAmount]],
    };
  }

  #readings(unread: ReadonlySet<Kind>): Samples {
    const now = this.client.clock.now();
    for (const kind of KINDS) if (!unread.has(kind)) this.#read.set(kind, now);
    return {
      up: KINDS.map((kind) => [{ kind }, unread.has(kind) ? 0 : 1]),
      read_timestamp_seconds: [...this.#read].map(([kind, at]) => [{ kind }, Math.round(at / 1000)]),
    };
  }

  #forgetAllBut(live: ReadonlySet<string>): void {
    for (const id of this.#memories.keys()) if (!live.has(id)) this.#memories.delete(id);
  }

  #memoryOf({ id }: Endpoint): Memory {
    return getOrCreate(this.#memories, id, () => new Memory());
  }

  async #queue(endpoint: Endpoint, options: CallOptions): Promise<Seen> {
    const { jobs, workers } = await this.client.queue(endpoint.id).health(options);
    const times = this.#memoryOf(endpoint).arrivals.seen(jobs, this.client.clock.now());
    const isStill = jobs.inQueue > 0 && jobs.inProgress === 0 && Math.max(workers.idle, workers.ready ?? 0) > 0;
    return {
      endpoint,
      workers,
      jobs,
      times,
      reasons: [...reasonsOf(workers), { reason: "jobs_wait", holds: isStill }],
    };
  }

  /**
   * A load balancer's workers, and its answer to a probe. A probe would start a worker, or keep one from stopping when idle. So
   * only an endpoint is probed that has workers at all times, or that serves a request just now.
   */
  async #balancer(endpoint: Endpoint, options: CallOptions): Promise<Seen> {
    const { summary = {} } = await this.client.serverless.workers(endpoint.id, options);
    const { total: _, ...workers } = summary;
    const { probes } = this.#memoryOf(endpoint);
    const { running = 0, idle = 0, initializing = 0 } = workers;
    const isAlwaysOn = (endpoint.workers?.min ?? 0) > 0;
    const mayProbe = running > 0 || (idle > 0 && isAlwaysOn);
    const patience = [AbortSignal.timeout(PROBE_MS), options.signal].filter((signal) => signal !== undefined);
    const isHealthy = mayProbe ? await this.probe?.(endpoint, AbortSignal.any(patience)) : undefined;
    if (isHealthy !== undefined) probes[isHealthy ? "answered" : "refused"] += 1;
    const neverReady = isAlwaysOn && initializing > 0 && running + idle === 0;
    const reasons: Reason[] = [
      ...reasonsOf(workers),
      { reason: "no_answer", holds: isHealthy === false || neverReady },
    ];
    return { endpoint, workers, probes, isHealthy, reasons };
  }

  /** An endpoint that could not be read counts as neither recovered nor stuck for longer. */
  #stuck(seen: readonly Seen[]): Sample[] {
    const now = this.client.clock.now();
    return seen.flatMap(({ endpoint, reasons }) => {
      const { stuck } = this.#memoryOf(endpoint);
      for (const { reason, holds } of reasons) if (!holds) stuck.delete(reason);
      return reasons.map(({ reason, holds }): Sample => {
        if (!holds) return [{ ...labels(endpoint), reason }, 0];
        const condition = getOrCreate(stuck, reason, () => ({ since: now, isReported: false }));
        const isStuck = now - condition.since >= this.patienceMs;
        if (isStuck && !condition.isReported) {
          condition.isReported = true;
          this.onStuck({ endpointId: endpoint.id, name: endpoint.name ?? endpoint.id, reason });
        }
        return [{ ...labels(endpoint), reason }, isStuck ? 1 : 0];
      });
    });
  }
}

/** What a look reads of an endpoint: of a queue `jobs` and `times`, of a load balancer `probes`. */
interface Seen {
  readonly endpoint: Endpoint;
  readonly workers: WorkerCounts;
  readonly reasons: readonly Reason[];
  readonly jobs?: QueueHealth["jobs"];
  readonly times?: ReturnType<Arrivals["seen"]>;
  readonly probes?: Memory["probes"];
  readonly isHealthy?: boolean | undefined;
}
interface Reason {
  readonly reason: Stuck;
  readonly holds: boolean;
}

function reasonsOf(workers: WorkerCounts): Reason[] {
  const { running = 0, idle = 0, ready = 0, initializing = 0, throttled = 0 } = workers;
  return [
    { reason: "crash_loop", holds: haveAllCrashed(workers) },
    { reason: "throttled", holds: throttled > 0 && running + idle + ready + initializing === 0 },
  ];
}

const labels = ({ id, name = id }: Endpoint): Labels => ({ endpoint_id: id, endpoint: name });

function byState(endpoint: Endpoint, counts: Readonly<Record<string, number | undefined>>, label = "state"): Sample[] {
  return Object.entries(counts).map(([state, count]) => [{ ...labels(endpoint), [label]: state }, count]);
}

/**
 * How long jobs wait and take, from a queue's counts alone: the service lists no jobs. Jobs are numbered as they arrive, and
 * are taken to start and end in this order. So the oldest waiting job is the one after those that have started, and it came
 * by the first look whose count of arrived jobs includes it. Times are as exact as the looks are frequent.
 */
class Arrivals {
  /** Looks that saw new jobs: when, and how many had arrived by then. The oldest first. */
  #looks: { readonly at: number; readonly arrived: number }[] = [];
  #ended: number | undefined;

  /**
   * @param now in milliseconds
   * @returns seconds; no latency if no job has ended since the last look
   */
  seen(jobs: QueueHealth["jobs"], now: number): { queueAge: number; latency: number | undefined } {
    const ended = jobs.completed + jobs.failed;
    const arrived = ended + jobs.inProgress + jobs.inQueue;
    // Cancelled and purged jobs leave the count.
    this.#looks = this.#looks.map((look) => ({ ...look, arrived: Math.min(look.arrived, arrived) }));
    if (arrived > (this.#looks.at(-1)?.arrived ?? -1)) this.#looks.push({ at: now, arrived });
    const since = (job: number) => (now - (this.#looks.find((look) => look.arrived >= job)?.at ?? now)) / 1000;
    const times = {
      queueAge: jobs.inQueue === 0 ? 0 : since(arrived - jobs.inQueue + 1),
      latency: this.#ended !== undefined && ended > this.#ended ? since(ended) : undefined,
    };
    this.#ended = ended;
    this.#looks = this.#looks.filter((look) => look.arrived >= ended);
    return times;
  }
}
