import { randomUUID } from "node:crypto";
import type { Clock } from "../clock";
import type { Store } from "../store";
import type { UsageRecord } from "../store/records";

/** Notes what runs from when to when at which rates; the billing reports are computed from these stretches. */
export class UsageMeter {
  constructor(
    private readonly clock: Clock,
    private readonly store: Store,
  ) {}

  /** Begins a stretch of the resource or of one `unit` of it; one that is under way for the same unit ends here. */
  start(
    resource: UsageRecord["resource"],
    resourceId: string,
    rates: UsageRecord["rates"],
    unit: string = resourceId,
  ): void {
    this.stop(unit);
    this.store.usage.put({ id: randomUUID(), resource, resourceId, unit, from: this.clock.now(), to: null, rates });
  }

  /** Ends the stretch that is under way for a unit, if one is. */
  stop(unit: string): void {
    for (const usage of this.store.usage.by("underWay", unit)) this.store.usage.put({ ...usage, to: this.clock.now() });
  }
}
