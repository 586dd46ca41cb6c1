import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../common/messageOf";
import { driftIn } from "../drift/drift";
import { refreshingPreview } from "../drift/refreshingPreview";
import { tell } from "../output";
import { gauge, type Labels } from "./collect";
import type { Gauge } from "./openMetrics";

/** Compares stacks with the service again and again, as `drift` does. */
export class DriftWatch {
  /** By stack: the resources that drifted, and when that was last seen. */
  readonly #drifted = new Map<string, { readonly count: number; readonly at: number }>();
  readonly #unread = new Set<string>();

  constructor(
    private readonly stacks: readonly string[],
    private readonly folder: string,
    private readonly clock: { now(): number },
  ) {}

  async run(intervalMs: number, signal: AbortSignal): Promise<void> {
    while (this.stacks.length > 0) {
      for (const stack of this.stacks) await this.#compare(stack, signal);
      await sleep(intervalMs, undefined, { signal });
    }
  }

  /** A stack that could not be compared has `stack_up` 0, its last figure and the time of that. */
  gauges(): Gauge[] {
    if (this.stacks.length === 0) return [];
    const drifted = [...this.#drifted];
    const compared = this.stacks.filter((stack) => this.#drifted.has(stack) || this.#unread.has(stack));
    return [
      gauge(
        "stack_drifted_resources",
        "Resources of a stack that differ from the service, or are gone.",
        drifted.map(([stack, { count }]): [Labels, number] => [{ stack }, count]),
      ),
      gauge(
        "stack_compared_timestamp_seconds",
        "When the stack could last be compared.",
        drifted.map(([stack, { at }]): [Labels, number] => [{ stack }, Math.round(at / 1000)]),
      ),
      gauge(
        "stack_up",
        "Whether the last comparison of the stack succeeded.",
        compared.map((stack): [Labels, number] => [{ stack }, this.#unread.has(stack) ? 0 : 1]),
      ),
    ];
  }

  async #compare(stack: string, signal: AbortSignal): Promise<void> {
    try {
      const steps = await refreshingPreview({ stack, folder: this.folder, signal }, []);
      this.#drifted.set(stack, { count: driftIn(steps).length, at: this.clock.now() });
      this.#unread.delete(stack);
    } catch (error) {
      if (signal.aborted) throw error;
      this.#unread.add(stack);
      tell(`Stack ${stack} could not be compared: ${messageOf(error)}`);
    }
  }
}
