import { BadRequestError, ConflictError } from "../../client/errors";
import type { Context } from "../../lifecycle/definition";
import { pauseFor } from "../../lifecycle/wait";

/** The service counts a use for up to two minutes after its end, as observed. */
const PATIENCE_MS = 180_000;
const LONGEST_PAUSE_MS = 10_000;

export interface InUseOptions {
  /** Finds the users, such as `endpoint "chat" (4kqwe7f0)`. Called once, when the time is over. */
  readonly users?: () => Promise<readonly string[]>;
  /** Milliseconds. Default 180,000. */
  readonly patienceMs?: number;
}

/**
 * Retries a delete that is refused because something still uses the resource. The same run may have deleted its users a
 * moment ago.
 *
 * The service has no code for this refusal, so each 400 and 409 counts as one. A refusal for another reason is therefore
 * retried too, until the time is over. A retry of a delete does no harm; don't use this for other calls.
 *
 * @param what the resource, such as `Template a1b2c3`
 * @throws Error that names the users if they are found, otherwise the refusal
 * @throws InterruptedError
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

/** Undefined if no user is found. Then the refusal is all that is known. */
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
