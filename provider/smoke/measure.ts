import type { Client, CompletedJob, Worker } from "../client";
import { ownCaller, Prices } from "../functions/prices";
import { type Bounds, boundNames, GateError, judge, type Measured, measured, spreadOf } from "./bounds";
import { runSmoke, type SmokePlan } from "./runSmoke";

const HOUR_MS = 3_600_000;

/** A passed gate. */
export interface Passed {
  /** The last one of them. */
  readonly job: CompletedJob;
  readonly measured: Measured;
}

/**
 * Runs the jobs of a gate, and judges what they took. The first one runs alone, so that it shows the cold start where no
 * worker stands ready; the others follow `concurrency` at a time, in turns with those on the live endpoint.
 *
 * @param before what the run that passed last was measured to take, as its state has it
 * @throws SmokeError when a job did not go well; GateError when a bound is not kept
 */
export async function runGate(client: Client, plan: SmokePlan, bounds: Bounds, before?: unknown): Promise<Passed> {
  const { jobs = 1, concurrency = 1, liveEndpointId } = bounds;
  const judges = boundNames.some((name) => bounds[name] !== undefined);
  if (!judges) {
    const job = await runSmoke(client, plan);
    return { job, measured: figures([job], false) };
  }
  const ends = performance.now() + plan.timeoutMs;
  const leftMs = () => Math.max(1, ends - performance.now());
  const tried = new Trial(client, plan, leftMs);
  const live =
    liveEndpointId === undefined ? undefined : new Trial(client, { ...plan, endpointId: liveEndpointId }, leftMs);
  const sides = [tried, ...(live === undefined ? [] : [live])];
  for (const side of sides) await side.first();
  for (let done = 1; done < jobs; done += concurrency)
    for (const side of sides) await side.run(Math.min(concurrency, jobs - done));
  const found: Measured = {
    ...figures(tried.jobs, tried.isCold),
    gpus: tried.gpus(),
    costPerJob: bounds.cost === undefined ? undefined : await tried.costPerJob(),
    live: live && spreadOf(timesOf(live.jobs)),
  };
  const judged = judge(bounds, found, measured.safeParse(before).data);
  if (judged.some(({ holds }) => !holds)) throw new GateError(plan.endpointId, found, judged);
  return { job: tried.last(), measured: found };
}

/** One endpoint's jobs. */
class Trial {
  readonly jobs: CompletedJob[] = [];
  /** No worker stood ready for the first job. */
  isCold = false;
  readonly #workers = new Map<string, Worker>();

  constructor(
    private readonly client: Client,
    private readonly plan: SmokePlan,
    private readonly leftMs: () => number,
  ) {}

  async first(): Promise<void> {
    const { endpointId, signal } = this.plan;
    const { workers } = await this.client
      .queue(endpointId)
      .health({ graceMs: Math.min(30_000, this.leftMs()), signal });
    const { idle, running, ready = 0, initializing = 0 } = workers;
    this.isCold = idle + running + ready + initializing === 0;
    await this.run(1);
  }

  /** So many at once; the first that does not go well ends the others, which cancels their jobs. */
  async run(count: number): Promise<void> {
    const ending = new AbortController();
    const signals = [ending.signal, ...(this.plan.signal === undefined ? [] : [this.plan.signal])];
    const plan = { ...this.plan, timeoutMs: this.leftMs(), signal: AbortSignal.any(signals) };
    const one = () =>
      runSmoke(this.client, plan).catch((error: unknown) => {
        ending.abort(error);
        throw error;
      });
    const ended = await Promise.allSettled(Array.from({ length: count }, one));
    if (ending.signal.aborted) throw ending.signal.reason;
    this.jobs.push(...ended.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
    await this.#look();
  }

  last(): CompletedJob {
    const job = this.jobs.at(-1);
    if (job === undefined) throw new TypeError("a gate has run a job");
    return job;
  }

  /** Jobs by what they ran on. */
  gpus(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const job of this.jobs) {
      const type = this.#workerOf(job)?.gpuTypeId ?? "unknown";
      counts[type] = (counts[type] ?? 0) + 1;
    }
    return counts;
  }

  /** Undefined where a worker, or its price, is not known. */
  async costPerJob(): Promise<number | undefined> {
    const prices = new Prices(this.client, ownCaller(this.plan.signal));
    let sum = 0;
    for (const job of this.jobs) {
      const { gpuTypeId, gpuCount } = this.#workerOf(job) ?? {};
      const price = gpuTypeId == null ? undefined : await prices.worker(gpuTypeId);
      if (price === undefined || gpuCount === undefined || job.executionTime === undefined) return undefined;
      sum += (price * gpuCount * job.executionTime) / HOUR_MS;
    }
    return sum / this.jobs.length;
  }

  #workerOf({ workerId = "" }: CompletedJob): Worker | undefined {
    return this.#workers.get(workerId);
  }

  /** Workers go when they idle: whoever is new is looked at while it is there. */
  async #look(): Promise<void> {
    const { endpointId, signal } = this.plan;
    if (this.jobs.every((job) => this.#workerOf(job) !== undefined)) return;
    try {
      const { workers = [] } = await this.client.serverless.workers(endpointId, { signal });
      for (const worker of workers) if (worker.id !== undefined) this.#workers.set(worker.id, worker);
    } catch {
      // A bound that needs them then does not hold.
      signal?.throwIfAborted();
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
