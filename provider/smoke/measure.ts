import type { Client, CompletedJob, Worker } from "../../client";
import { cachingCaller, Prices } from "../cost/prices";
import { type Bounds, GateError, type Judged, judge, type Measured, measured, spreadOf } from "./bounds";
import { runSmoke, type SmokePlan } from "./runSmoke";

const HOUR_MS = 3_600_000;

/** Result of a gate that passed. */
export interface Passed {
  readonly job: CompletedJob;
  readonly measured: Measured;
  readonly judged: readonly Judged[];
}

/**
 * Runs the jobs of a gate and compares their measurements with the bounds. The first job runs alone, so that it shows the
 * cold start if no worker is ready. The others run `concurrency` at a time, in turns with those on the live endpoint.
 *
 * @param before measurements of the last run that passed, from its state
 * @throws SmokeError if a job does not pass
 * @throws GateError if a bound is exceeded or could not be measured
 */
export async function runGate(client: Client, plan: SmokePlan, bounds: Bounds, before?: unknown): Promise<Passed> {
  const { jobs = 1, concurrency = 1, liveEndpointId } = bounds;
  if (Object.values(bounds).every((bound) => bound === undefined)) {
    const job = await runSmoke(client, plan);
    return { job, measured: figures([job], false), judged: [] };
  }
  const ends = client.clock.now() + plan.timeoutMs;
  const leftMs = () => Math.max(1, ends - client.clock.now());
  const side = (endpointId: string) => new JobsOnEndpoint(client, { ...plan, endpointId }, leftMs);
  const candidate = side(plan.endpointId);
  const live = liveEndpointId === undefined ? undefined : side(liveEndpointId);
  await inTurns(live === undefined ? [candidate] : [candidate, live], jobs, concurrency);
  const measurements: Measured = {
    ...figures(candidate.passed, candidate.isCold),
    gpus: candidate.gpus(),
    costPerJob: bounds.cost === undefined ? undefined : await candidate.costPerJob(),
    live: live && spreadOf(timesOf(live.passed)),
  };
  const judged = judge(bounds, measurements, measured.safeParse(before).data);
  if (judged.some(({ holds }) => !holds))
    throw new GateError(`endpoint ${plan.endpointId}`, measurements, judged, `${measurements.jobs} jobs`);
  return { job: candidate.last(), measured: measurements, judged };
}

/** Tries `count` times on each side: the first alone, the others `concurrency` at a time, in turns of the sides. */
export async function inTurns(sides: readonly Side<unknown>[], count: number, concurrency: number): Promise<void> {
  for (const side of sides) await side.first();
  for (let done = 1; done < count; done += concurrency)
    for (const side of sides) await side.run(Math.min(concurrency, count - done));
}

/** What a gate tries on one endpoint, and what has passed there. */
export abstract class Side<Result> {
  readonly passed: Result[] = [];

  constructor(private readonly caller: AbortSignal) {}

  /** Tries once. */
  abstract attempt(signal: AbortSignal): Promise<Result>;

  first(): Promise<void> {
    return this.run(1);
  }

  /** Tries `count` times at the same time. The first that does not pass ends the others. */
  async run(count: number): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.caller]);
    const one = () => this.attempt(signal).catch((error: unknown): undefined => void ending.abort(error));
    const results = await Promise.all(Array.from({ length: count }, one));
    if (ending.signal.aborted) throw ending.signal.reason;
    this.passed.push(...results.filter((result) => result !== undefined));
  }

  last(): Result {
    const result = this.passed.at(-1);
    if (result === undefined) throw new TypeError("a gate has tried");
    return result;
  }
}

class JobsOnEndpoint extends Side<CompletedJob> {
  /** Whether no worker was ready for the first job. */
  isCold = false;
  readonly #workers = new Map<string, Worker>();

  constructor(
    private readonly client: Client,
    private readonly plan: SmokePlan,
    private readonly leftMs: () => number,
  ) {
    super(plan.signal);
  }

  attempt(signal: AbortSignal): Promise<CompletedJob> {
    return runSmoke(this.client, { ...this.plan, timeoutMs: this.leftMs(), signal });
  }

  override async first(): Promise<void> {
    const { endpointId, signal } = this.plan;
    const { workers } = await this.client
      .queue(endpointId)
      .health({ graceMs: Math.min(30_000, this.leftMs()), signal });
    const { idle, running, ready = 0, initializing = 0 } = workers;
    this.isCold = idle + running + ready + initializing === 0;
    await this.run(1);
  }

  override async run(count: number): Promise<void> {
    await super.run(count);
    await this.#look();
  }

  /** Numbers of jobs by GPU type. */
  gpus(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const job of this.passed) {
      const type = this.#workerOf(job)?.gpuTypeId ?? "unknown";
      counts[type] = (counts[type] ?? 0) + 1;
    }
    return counts;
  }

  /** Average cost of a job in USD. Undefined if a worker or its price is not known. */
  async costPerJob(): Promise<number | undefined> {
    const prices = new Prices(this.client, cachingCaller(this.plan.signal));
    let sum = 0;
    for (const job of this.passed) {
      const { gpuTypeId, gpuCount } = this.#workerOf(job) ?? {};
      const price = gpuTypeId == null ? undefined : await prices.worker(gpuTypeId);
      if (price === undefined || gpuCount === undefined || job.executionTime === undefined) return undefined;
      sum += (price * gpuCount * job.executionTime) / HOUR_MS;
    }
    return sum / this.passed.length;
  }

  #workerOf({ workerId = "" }: CompletedJob): Worker | undefined {
    return this.#workers.get(workerId);
  }

  /** Reads new workers while they exist: they are removed when they idle. */
  async #look(): Promise<void> {
    const { endpointId, signal } = this.plan;
    if (this.passed.every((job) => this.#workerOf(job) !== undefined)) return;
    try {
      const { workers = [] } = await this.client.serverless.workers(endpointId, { signal });
      for (const worker of workers) if (worker.id !== undefined) this.#workers.set(worker.id, worker);
    } catch {
      // A bound that needs the workers then fails as not measured.
      signal.throwIfAborted();
    }
  }
}

const timesOf = (jobs: readonly CompletedJob[]) => jobs.flatMap(({ executionTime }) => executionTime ?? []);

function figures(jobs: readonly CompletedJob[], isCold: boolean): Measured {
  const [first, ...others] = jobs;
  const warm = isCold ? others : jobs;
  return {
    jobs: jobs.length,
    coldStart: isCold ? first?.delayTime : undefined,
    delay: spreadOf(warm.flatMap(({ delayTime }) => delayTime ?? [])),
    execution: spreadOf(timesOf(jobs)),
  };
}
