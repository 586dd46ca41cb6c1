import { APPEARS_WITHIN_MS } from "../../../client";
import { type AnyDefinition, type Context, isEverywhere } from "../definition";
import type { Properties } from "../fields/values";

/*
 * Reads and lists may show a new resource late. One that is younger than the search for a lost create lasts is "not shown
 * yet", and not gone. Its age is that of `createdAt`, or of a note in the state where no answer has shown that.
 */

/** When the state began, on the service's clock. Seconds since 1970. */
const BEGAN = "__began";
/** Kinds whose ids are names may have it again right after a delete, and times are rounded to a second. */
const ROUNDED_BY_MS = 2_000;

/** @param old the state before; undefined for one that begins now, with these outputs */
export function ageNote(kind: AnyDefinition, { client }: Context, old?: Properties, outputs?: Properties): Properties {
  if (old !== undefined) return keptAge(old);
  if (typeof outputs?.createdAt === "string" || kind.list === undefined || isEverywhere(kind)) return {};
  return { [BEGAN]: Math.floor(client.serviceTime() / 1000) };
}

export const keptAge = ({ [BEGAN]: began }: Properties): Properties => (began === undefined ? {} : { [BEGAN]: began });

/** How long the service may not show a resource yet. Milliseconds, 0 if it has to show it, or if a run has deleted it since. */
export function unseenForMs(
  { client, ledger }: Pick<Context, "client" | "ledger">,
  id: string,
  { createdAt, [BEGAN]: began }: Properties,
): number {
  const at = typeof createdAt === "string" ? Date.parse(createdAt) : Number(began) * 1000;
  const ageMs = client.serviceTime() - at;
  const leftMs = APPEARS_WITHIN_MS - ageMs;
  // mutant deleted-is-new: false
  if (leftMs > 0 && ledger.changes.deletedAgoMs(id) < ageMs - ROUNDED_BY_MS) return 0;
  // The service's clock may be wrong, and a state from before this note has no time.
  return leftMs > 0 ? Math.min(leftMs, APPEARS_WITHIN_MS) : 0;
}
