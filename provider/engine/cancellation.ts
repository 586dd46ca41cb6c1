import { subscribe } from "node:diagnostics_channel";
import { setMaxListeners } from "node:events";

const controller = new AbortController();

/** Aborts when the engine tells its providers to stop, as it does on Ctrl-C. */
export const cancellation: AbortSignal = controller.signal;
// Every wait of a fleet listens.
setMaxListeners(0, cancellation);

const CANCEL = "/pulumirpc.ResourceProvider/Cancel";
const listeners = new Set<() => void>();

/** Calls back whenever the engine tells its providers to stop: on Ctrl-C, and at the end of every run. */
export function onCancel(listener: () => void): void {
  if (listeners.size === 0) listen();
  listeners.add(listener);
}

/**
 * The process that the engine runs dynamic providers in answers the engine's Cancel by itself and tells nobody, but
 * its HTTP server does (from Node 22.17 on).
 */
function listen(): void {
  subscribe("http2.server.stream.start", (message) => {
    if (pathOf(message) === CANCEL) cancel();
  });
  // At the end of a run the engine interrupts the process, which ends by that unless someone listens.
  process.once("SIGINT", () => {
    cancel();
    void lastWords().then(() => process.exit(0));
  });
}

/** How long the end of this process waits for what is on its way to the engine: that one kills it after a second. */
const LAST_WORDS_MS = 500;
const onTheirWay = new Set<Promise<void>>();

/** The process doesn't end before, within reason. */
export function beforeTheEnd(work: Promise<void>): void {
  onTheirWay.add(work);
  void work.finally(() => onTheirWay.delete(work));
}

/** Resolves when nothing is on its way any more. */
export async function lastWords(): Promise<void> {
  const enough = new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref());
  await Promise.race([Promise.allSettled(onTheirWay), enough]);
}

/** Ends all waits of this process. */
export function cancel(): void {
  for (const listener of listeners) listener();
  controller.abort();
}

function pathOf(message: unknown): unknown {
  const headers = message !== null && typeof message === "object" ? Reflect.get(message, "headers") : undefined;
  return headers !== null && typeof headers === "object" ? Reflect.get(headers, ":path") : undefined;
}
