import type { Service } from "../service";
import { workerGauge } from "../workers/gauge";
import { loadOf } from "./load";
import type { Sample } from "./page/protocol";

/** Beyond so many samples, every second one is dropped, so that a long time stays visible in less detail. */
const MOST_SAMPLES = 240;

/** The load of endpoints over time, sampled at each change. */
export class Samples {
  private readonly taken = new Map<string, Sample[]>();

  constructor(private readonly service: Service) {}

  take(endpointId: string): void {
    const endpoint = this.service.store.endpoints.get(endpointId);
    if (endpoint === undefined) return void this.taken.delete(endpointId);
    const samples = this.taken.get(endpointId) ?? [];
    const { inQueue, inProgress } = loadOf(this.service, endpoint);
    const { idle, initializing, throttled, unhealthy } = workerGauge(this.service, endpointId);
    const at = this.service.clock.now();
    // Of several changes at the same time, the last one counts.
    if (samples.at(-1)?.at === at) samples.pop();
    samples.push({
      at,
      queued: inQueue,
      running: inProgress,
      idle,
      starting: initializing,
      unwell: throttled + unhealthy,
    });
    this.taken.set(endpointId, samples.length > MOST_SAMPLES ? everySecond(samples) : samples);
  }

  of(endpointId: string): readonly Sample[] {
    return this.taken.get(endpointId) ?? [];
  }
}

/** Keeps every second sample, including the latest. */
const everySecond = (samples: readonly Sample[]): Sample[] =>
  samples.filter((_, index) => (samples.length - index) % 2 === 1);
