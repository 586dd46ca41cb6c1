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

  /** Begins a stretch; one that is under way for the same resource ends here. */
  start(resource: UsageRecord["resource"], resourceId: string, rates: UsageRecord["rates"]): void {
    this.stop(resourceId);
    this.store.usage.put({ id: randomUUID(), resource, resourceId, from: this.clock.now(), to: null, rates });
  }

  /** Ends the stretch that is under way, if one is. */
  stop(resourceId: string): void {
    for (const usage of this.store.usage.by("resource", resourceId))
      if (usage.to === null) this.store.usage.put({ ...usage, to: this.clock.now() });
  }
}
