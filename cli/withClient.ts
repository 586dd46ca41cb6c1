import { type Client, connectedClient, fromEnvironment, SettingsReader } from "../client";

/** Runs with a client that has the environment's settings. An interrupt, or a closed output, aborts its calls. */
export function withClient<T>(use: (client: Client, signal: AbortSignal) => Promise<T>): Promise<T> {
  return interruptible(async (signal) => {
    const client = connectedClient(new SettingsReader(fromEnvironment).connection());
    try {
      return await use(client, signal);
    } finally {
      await client.close();
    }
  });
}

/** Runs with a signal that is aborted by an interrupt, or when the reader of the output has left. */
export async function interruptible<T>(use: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const abort = () => interrupt.abort(new Error("interrupted"));
  process.once("SIGINT", abort).once("SIGTERM", abort);
  process.stdout.once("error", abort);
  try {
    return await use(interrupt.signal);
  } finally {
    process.off("SIGINT", abort).off("SIGTERM", abort);
    process.stdout.off("error", abort);
  }
}
