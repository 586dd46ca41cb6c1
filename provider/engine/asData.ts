import { jsonOf } from "../../common/json";
import { UNKNOWN } from "../lifecycle/fields/unknown";
import { MOST_LEVELS } from "../lifecycle/fields/values";

/** The key that marks an object of the engine's protocol as a special value: a secret, an asset, a resource. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The engine's texts for values that are not known yet: any value, then bool, number, array, asset, archive, object. */
export const UNKNOWNS: ReadonlySet<unknown> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/**
 * What a server said, so that the engine takes it for nothing else. A text or a key that means something to the engine, or
 * that is not Unicode, becomes its JSON text, quotes included: the engine would fetch the address in an asset, and decrypt
 * what says that it is a secret. So does what is nested too deep.
 */
export function asData(value: unknown, levels = MOST_LEVELS): unknown {
  // mutant server-data-believed: value
  if (typeof value === "string") return UNKNOWNS.has(value) || !value.isWellFormed() ? JSON.stringify(value) : value;
  // JSON has numbers that are too large for JavaScript, and the state none that is infinite.
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return jsonOf(value);
  if (Array.isArray(value)) return value.map((item) => asData(item, levels - 1));
  const members: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value))
    members.push([key === SIGNATURE || !key.isWellFormed() ? JSON.stringify(key) : key, asData(member, levels - 1)]);
  return Object.fromEntries(members);
}
