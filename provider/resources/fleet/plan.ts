import { within } from "./members";

/** What may happen to a member when the fleet changes. Losses come first. */
const FATES = ["delete", "replace", "release", "create", "update"] as const;
export type Fate = (typeof FATES)[number];

export interface PlannedMember {
  readonly name: string;
  readonly fate: Fate;
  /** Id of the member's current endpoint. */
  readonly id: string | undefined;
  /** The change as text. */
  readonly what: string;
}

const isLoss = (fate: Fate): boolean => fate === "delete" || fate === "replace";

/** How many members get more than their name in a message. */
export const MOST_DETAILED = 20;

/** How many names a message lists: thousands would be some 100 KB in a single line. */
const MOST_NAMED = 200;

export function joinNames(names: readonly string[]): string {
  const others = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") + (others > 0 ? ` and ${others} others` : "");
}

/** The changes of a preview as text, losses first. The engine itself shows a single update. */
export function describePlan(members: readonly PlannedMember[]): string {
  const groups = FATES.map((fate) => ({ fate, those: members.filter((member) => member.fate === fate) }));
  const ordered = groups.flatMap(({ those }) => those);
  const detailed = new Set(ordered.slice(0, MOST_DETAILED));
  const rest = groups.flatMap(({ fate, those }) => {
    const names = those.filter((each) => !detailed.has(each)).map(({ name }) => name);
    if (names.length === 0) return [];
    return [`${names.length} more to ${fate}: ${isLoss(fate) ? names.join(", ") : joinNames(names)}`];
  });
  const counts = groups.flatMap(({ fate, those }) => (those.length === 0 ? [] : [`${those.length} to ${fate}`]));
  const losesSome = members.some(({ fate }) => isLoss(fate));
  return [
    ...(losesSome ? [`members: ${counts.join(", ")}`] : []),
    ...[...detailed].map(({ name, what }) => `${within(name, "")}: ${what}`),
    ...rest,
  ].join("; ");
}

/** @throws Error if a member would lose its endpoint, with the ways out */
export function refuseLosses(fleet: string, members: readonly PlannedMember[]): void {
  const lost = members.filter(({ fate, id }) => id !== undefined && isLoss(fate));
  if (lost.length === 0) return;
  const lines = lost.map(({ name, fate, id, what }) =>
    fate === "delete"
      ? `${within(name, "")} (endpoint ${id}) would be deleted`
      : `${within(name, "")} (endpoint ${id}) would be deleted and created again: ${what}`,
  );
  throw new Error(
    `${fleet} is protected, and so are its members.\n${lines.join("\n")}\nTake the change back. Or allow it with ` +
      "protectMembers: false, which the option `protect` leaves as it is. To keep a member running without the fleet, " +
      "name it in released.",
  );
}
