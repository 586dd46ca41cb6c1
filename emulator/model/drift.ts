import { DAY_MS } from "../clock";
import type { Service } from "../service";
import { updateEndpoint } from "./endpoints";

const HOUR_MS = 3_600_000;

/** After so long without requests, the service lowers `workers.max` to this; longest first. */
const LIMITS = [
  { idleMs: 7 * DAY_MS, max: 0 },
  { idleMs: 3 * DAY_MS, max: 2 },
] as const;

/** Simulates the service's idle policy: unused endpoints lose their workers, and never get them back by themselves. */
export function watchIdleEndpoints(service: Service): void {
  service.clock.after(HOUR_MS, () => {
    for (const endpoint of [...service.store.endpoints.values()]) {
      const { workers, lastRequestAt } = endpoint;
      const limit = LIMITS.find(({ idleMs }) => service.clock.now() - lastRequestAt >= idleMs);
      if (limit === undefined || workers.max <= limit.max) continue;
      const min = Math.min(workers.min, limit.max);
      updateEndpoint(service, endpoint, { ...endpoint, workers: { ...workers, min, max: limit.max } });
    }
    watchIdleEndpoints(service);
  });
}
