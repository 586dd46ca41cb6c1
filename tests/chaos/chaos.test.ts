// @long: whole lives; `npm run chaos` draws more.
/*
 * Lives of stacks before a service that fails at random, with engines and providers killed at random and somebody at the
 * console: whatever happens, what stands in invariants.ts holds. Those that are told live here; `npm run chaos` draws others.
 */
import { test } from "@jest/globals";
import { live } from "./live";
import { TOLD_LIVES } from "./told";

/** Many times what one takes: bounds a hang, and nothing else. */
const LONGEST_LIFE_MS = 10 * 60_000;

// At the same time, for a life often waits: for the provider's back-off, or for an answer that comes late.
test.concurrent.each(Object.entries(TOLD_LIVES))(
  "whatever happens in the life of a stack, the invariants hold %s",
  async (_, life) => void (await live(life)),
  LONGEST_LIFE_MS,
);
