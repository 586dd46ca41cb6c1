import { type ParseArgsConfig, parseArgs } from "node:util";
import { type Client, createClient } from "../client";
import { fromEnvironment, SettingsReader } from "../client/settings";

/** Of every command. */
export const exitCodes = { done: 0, failed: 1, couldNotRun: 2 } as const;

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

/** A client with the settings of the environment. An interrupt aborts its calls. */
export async function withClient<T>(use: (client: Client, signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const abort = () => interrupt.abort(new Error("interrupted"));
  process.once("SIGINT", abort).once("SIGTERM", abort);
  const client = createClient(new SettingsReader(fromEnvironment).connection());
  try {
    return await use(client, interrupt.signal);
  } finally {
    process.off("SIGINT", abort).off("SIGTERM", abort);
    await client.close();
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(document: unknown): void {
  print(JSON.stringify(document, undefined, 2));
}
