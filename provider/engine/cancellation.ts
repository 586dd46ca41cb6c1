import { subscribe } from "node:diagnostics_channel";
import { setMaxListeners } from "node:events";
import { type Clock, systemClock } from "../../client";
import { once } from "../../common/cached";
import { valueAt } from "../lifecycle/fields/values";
import { InterruptedError } from "../lifecycle/make/wait";

const controller = new AbortController();

/** Aborts when the engine tells its providers to stop, as it does on Ctrl-C. */
export const cancellation: AbortSignal = controller.signal;
// Every member of a fleet may wait for it.
setMaxListeners(0, cancellation);

/** How long after that the last calls, such as a job's cancel, may still pause. CI runners kill after 7.5 seconds. */
const LAST_PAUSES_MS = 3_000;

/** The engine told this process to stop. Of several times the first counts: a signal is aborted once. */
class Cancelled extends InterruptedError {
  readonly pausesEndAt = systemClock.now() + LAST_PAUSES_MS;
}

/**
 * The clock of a run's client. Whatever the client waits for, such as another try, a quota or a lost answer, the wait ends
 * when the engine tells its providers to stop.
 */
export const runClock: Clock = {
  ...systemClock,
  async sleep(ms, signal) {
    const { reason } = cancellation;
    if (reason instanceof Cancelled && systemClock.now() + ms > reason.pausesEndAt) throw new InterruptedError();
    const ends = [...(cancellation.aborted ? [] : [cancellation]), ...(signal === undefined ? [] : [signal])];
    await systemClock.sleep(ms, ends.length > 0 ? AbortSignal.any(ends) : undefined);
  },
};

const CANCEL = "/pulumirpc.ResourceProvider/Cancel";

/** Calls back when the engine tells its providers to stop: on Ctrl-C, and at the end of every run. */
export function onCancel(listener: () => void): void {
  listen();
  cancellation.addEventListener("abort", listener);
}

/**
 * The process for dynamic providers answers the engine's Cancel itself and does not pass it on. But Node's HTTP server
 * reports each stream that starts, from Node 22.17 on.
 */
const listen = once(() => {
  subscribe("http2.server.stream.start", (message) => {
    if (valueAt(message, ["headers", ":path"]) === CANCEL) cancel();
  });
  // At the end of a run the engine sends SIGINT, which ends the process unless someone listens.
  process.once("SIGINT", () => {
    cancel();
    void flushMessages().then(() => process.exit(0));
  });
});

/** How long this process waits at its end for messages to the engine, which kills it after a second. */
const LAST_WORDS_MS = 500;
const pendingMessages = new Set<Promise<void>>();

/** Delays the end of the process until this work is done, for half a second at most. */
export function delayExit(work: Promise<void>): void {
  pendingMessages.add(work);
  void work.finally(() => pendingMessages.delete(work));
}

/** Resolves when all messages have been sent, or after half a second. */
export async function flushMessages(): Promise<void> {
  const enough = new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref());
  await Promise.race([Promise.allSettled(pendingMessages), enough]);
}

/** Ends all waits of this process. What it answers after that an engine that is told to end twice does not save. */
export function cancel(): void {
  controller.abort(new Cancelled());
}
