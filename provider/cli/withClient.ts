import { Client } from "../client/client";
import { fromEnvironment, SettingsReader } from "../client/settings";

/** A client with the settings of the environment. An interrupt, and a reader that has left, abort its calls. */
export function withClient<T>(use: (client: Client, signal: AbortSignal) => Promise<T>): Promise<T> {
  return interruptible(async (signal) => {
    const client = new Client(new SettingsReader(fromEnvironment).connection());
    try {
      return await use(client, signal);
    } finally {
      await client.close();
    }
  });
}

/** An interrupt, and a reader that has left, abort it. */
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
