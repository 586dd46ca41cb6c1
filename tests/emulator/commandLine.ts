import { parseArgs } from "node:util";
import { startEmulator } from "./index";

const USAGE = `pulumi-computecloud emulator [--port N] [--api-key KEY] [--latency-ms N] [--data FILE]

Prints one line of JSON when it is ready: baseUrl, serverlessUrl, graphqlUrl, controlUrl, apiKey.
  --port N        REST and GraphQL on N, queue on N + 1, control on N + 2; free ports unless given
  --api-key KEY   the key that clients must send; emulator-key unless given
  --latency-ms N  added to every answer
  --data FILE     keeps everything across restarts
  --version       prints the package's version`;

const { version } = require("pulumi-computecloud/package.json") as { version: string };

/** Starts the emulator as the command line says. Resolves to the exit code when it listens. */
export async function emulator(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: "string" },
      "api-key": { type: "string" },
      "latency-ms": { type: "string" },
      data: { type: "string" },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" },
    },
  });
  if (values.help || values.version) {
    console.log(values.help ? USAGE : version);
    return 0;
  }
  const { stop, ...addresses } = await startEmulator({
    ...(values.port !== undefined && { port: wholeNumber("--port", values.port, 65_533) }),
    ...(values["api-key"] !== undefined && { apiKey: values["api-key"] }),
    ...(values["latency-ms"] !== undefined && {
      settings: { latencyMs: wholeNumber("--latency-ms", values["latency-ms"], 3_600_000) },
    }),
    ...(values.data !== undefined && { dataFile: values.data }),
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
  console.log(JSON.stringify(addresses));
  return 0;
}

function wholeNumber(option: string, text: string, largest: number): number {
  const value = Number(text);
  if (text !== "" && Number.isInteger(value) && value >= 0 && value <= largest) return value;
  throw new Error(`${option} must be a whole number from 0 to ${largest}, not '${text}'`);
}
