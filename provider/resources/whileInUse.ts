import { BadRequestError, ConflictError } from "../client/errors";
import type { Context } from "../lifecycle/definition";
import { pauseFor } from "../lifecycle/wait";

/** The service counts a use for up to two minutes after its end. */
const PATIENCE_MS = 180_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Repeats a delete that is refused because something still uses the resource: its users may have been deleted by the
 * same run a moment ago. The service has no code for it, so that every 400 and 409 of a delete counts, and only of a
 * delete.
 */
export async function whileInUse<T>(context: Context, what: string, remove: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (let pause = 500; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    try {
      return await remove();
    } catch (error) {
      const refused = error instanceof BadRequestError || error instanceof ConflictError;
      const left = PATIENCE_MS - (performance.now() - began);
      if (!refused || left <= 0) throw error;
      context.log.status(what, `still in use; trying again for ${Math.ceil(left / 1000)} s`);
      await pauseFor(Math.min(pause, left), context.signal);
    }
  }
}
