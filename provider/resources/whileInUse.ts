import { BadRequestError, ConflictError } from "../client/errors";
import type { Context } from "../lifecycle/definition";
import { pauseFor } from "../lifecycle/wait";

/** The service counts a use for up to two minutes after its end. */
const PATIENCE_MS = 180_000;
const LONGEST_PAUSE_MS = 10_000;

export interface InUseOptions {
  /** Asked once, when the patience is over: who uses it, such as `endpoint "chat" (4kqwe7f0)`. */
  readonly users?: () => Promise<readonly string[]>;
  /** Milliseconds. Default 180,000. */
  readonly patienceMs?: number;
}

/**
 * Repeats a delete that is refused because something still uses the resource: its users may have been deleted by the
 * same run a moment ago. The service has no code for this refusal, so every 400 and 409 of a delete counts, and only of a
 * delete.
 *
 * @param what the resource, such as `Template a1b2c3`
 * @throws Error that names the users, where they are found; else the refusal
 */
export async function whileInUse<T>(
  context: Context,
  what: string,
  remove: () => Promise<T>,
  { users, patienceMs = PATIENCE_MS }: InUseOptions = {},
): Promise<T> {
  const began = performance.now();
  for (let pause = 500; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    try {
      return await remove();
    } catch (error) {
      if (!(error instanceof BadRequestError || error instanceof ConflictError)) throw error;
      const left = patienceMs - (performance.now() - began);
      if (left <= 0) throw (await usedBy(what, users, error)) ?? error;
      context.log.status(what, `still in use; trying again for ${Math.ceil(left / 1000)} s`);
      await pauseFor(Math.min(pause, left), context.signal);
    }
  }
}

/** Undefined where nobody is found: the refusal then says all that is known. */
async function usedBy(what: string, users: InUseOptions["users"], cause: Error): Promise<Error | undefined> {
  const found = (await users?.().catch(() => undefined)) ?? [];
  if (found.length === 0) return undefined;
  const names =
    found.length > MOST_NAMED ? [...found.slice(0, MOST_NAMED), `${found.length - MOST_NAMED} more`] : found;
  return new Error(
    `${what} is used by ${names.join(", ")}. Delete what uses it, or keep it: set retainOnDelete and run \`pulumi up\` before ` +
      `it leaves the program. (${cause.message})`,
    { cause },
  );
}

const MOST_NAMED = 5;
