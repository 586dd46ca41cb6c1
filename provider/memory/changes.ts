import { createHmac } from "node:crypto";
import { ownMark } from "../../common/isRunning";
import type { Entry, EntryOf } from "./entries";
import type { RunPages } from "./runPages";

/** Longer than reads and lists are expected to show what was deleted or changed. */
export const SHOWN_FOR_MS = 90_000;

type Changed = EntryOf<"deleted" | "updated">;

/** What was deleted or updated lately, by this run or one shortly before it. */
export class Changes {
  #recent: Map<string, Changed> | undefined;

  /** @param secret what digests of values are made with, such as the key */
  constructor(
    private readonly pages: RunPages,
    private readonly secret: string,
  ) {}

  /** This run has deleted it. Reads and lists may still show it, so the next run must not take it for lost by its state. */
  deleted(id: string): void {
    this.#recentById().set(id, { is: "deleted", id, ...ownMark(), at: Date.now() });
    this.pages.write({ is: "deleted", id });
  }

  /** Whether this run or one shortly before it has deleted the resource. */
  wasDeleted(id: string): boolean {
    return Number.isFinite(this.deletedAgoMs(id));
  }

  /** How long ago that was. Infinity if it was not, or so long before this run that nothing shows it any more. */
  deletedAgoMs(id: string): number {
    const last = this.#recentById().get(id);
    return last?.is === "deleted" ? Date.now() - last.at : Number.POSITIVE_INFINITY;
  }

  /** This run has updated it. Reads may still show the values before, which are given by their paths. */
  updated(id: string, before: readonly (readonly [path: string, value: unknown])[]): void {
    const digests = before.map(([path, value]) => [path, this.#digest(value)]);
    if (digests.length > 0) this.pages.write({ is: "updated", id, before: Object.fromEntries(digests) });
  }

  /** Whether a run shortly before this one has changed this value to another one. */
  wasBefore(id: string, path: string, value: unknown): boolean {
    const last = this.#recentById().get(id);
    return last?.is === "updated" && last.before[path] === this.#digest(value);
  }

  /** Values may be secrets. */
  #digest(value: unknown): string {
    // mutant secrets-in-the-ledger: JSON.stringify(value)
    return createHmac("sha256", this.secret)
      .update(JSON.stringify(value ?? {}))
      .digest("hex")
      .slice(0, 8);
  }

  #recentById(): Map<string, Changed> {
    if (this.#recent !== undefined) return this.#recent;
    const since = ({ at }: Entry) => Math.abs(Date.now() - at);
    const changes = this.pages.recent().filter((each) => each.is === "deleted" || each.is === "updated");
    const recent = changes.filter((each) => since(each) < SHOWN_FOR_MS).toSorted((a, b) => since(b) - since(a));
    this.#recent = new Map(recent.map((each) => [each.id, each]));
    return this.#recent;
  }
}
