import { randomUUID } from "node:crypto";
import type { Clock } from "../clock";
import type { Store } from "../store";
import type { UsageRecord } from "../store/records";

/** Records usage: what ran, from when to when, and at which rates. The billing reports are computed from it. */
export class UsageMeter {
  constructor(
    private readonly clock: Clock,
    private readonly store: Store,
  ) {}

  /** Begins a usage of the resource, or of one `unit` of it. A usage of the same unit that is under way ends. */
  start(
    resource: UsageRecord["resource"],
    resourceId: string,
    rates: UsageRecord["rates"],
    unit: string = resourceId,
  ): void {
    this.stop(unit);
    this.store.usage.put({ id: randomUUID(), resource, resourceId, unit, from: this.clock.now(), to: null, rates });
  }

  stop(unit: string): void {
    for (const usage of this.store.usage.by("underWay", unit)) this.store.usage.put({ ...usage, to: this.clock.now() });
  }
}
