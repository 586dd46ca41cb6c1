import { type ParseArgsConfig, parseArgs } from "node:util";
import { type Client, createClient } from "../client";
import { fromEnvironment, SettingsReader } from "../client/settings";

/**
 * The arguments of a command that is about one endpoint.
 *
 * @throws TypeError for an unknown option, Error unless exactly one endpoint is named
 */
export function endpointArgs<Options extends NonNullable<ParseArgsConfig["options"]>>(
  argv: readonly string[],
  options: Options,
) {
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  const [endpointId] = positionals;
  if (endpointId === undefined || positionals.length > 1) {
    throw new Error(`name one endpoint by its id, not ${positionals.length}. Options with blanks need quotes.`);
  }
  return { values, endpointId };
}

/** A client with the settings of the environment. An interrupt, and a reader that has left, abort its calls. */
export async function withClient<T>(use: (client: Client, signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const abort = () => interrupt.abort(new Error("interrupted"));
  process.once("SIGINT", abort).once("SIGTERM", abort);
  process.stdout.once("error", abort);
  const client = createClient(new SettingsReader(fromEnvironment).connection());
  try {
    return await use(client, interrupt.signal);
  } finally {
    process.off("SIGINT", abort).off("SIGTERM", abort);
    process.stdout.off("error", abort);
    await client.close();
  }
}
