import type { Command } from "@commander-js/extra-typings";
import { startEmulator } from "./index";

/** Declares the command that starts the emulator. */
export function emulator(command: Command): void {
  command
    .description(
      "Starts the service's emulator on this machine. Prints one line of JSON when it is ready: " +
        "baseUrl, serverlessUrl, graphqlUrl, controlUrl, apiKey.",
    )
    .option(
      "--port <n>",
      "REST and GraphQL on N, queue on N + 1, control on N + 2; free ports unless given",
      wholeNumber("--port", 65_533),
    )
    .option("--api-key <key>", "the key that clients must send; emulator-key unless given")
    .option("--latency-ms <n>", "added to every answer", wholeNumber("--latency-ms", 3_600_000))
    .option("--data <file>", "keeps everything across restarts")
    .addHelpText(
      "after",
      `
Examples:
  npx pulumi-computecloud emulator
  npx pulumi-computecloud emulator --port 4010 --data ./cloud.jsonl

Exit codes:
  0  stopped as it was asked to
  2  could not start`,
    )
    .action(async ({ port, apiKey, latencyMs, data }) => {
      const { stop, ...addresses } = await startEmulator({
        ...(port !== undefined && { port }),
        ...(apiKey !== undefined && { apiKey }),
        ...(latencyMs !== undefined && { settings: { latencyMs } }),
        ...(data !== undefined && { dataFile: data }),
      });
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
      console.log(JSON.stringify(addresses));
    });
}

function wholeNumber(option: string, largest: number): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) <= largest) return Number(text);
    throw new Error(`${option} must be a whole number from 0 to ${largest}, not '${text}'`);
  };
}
