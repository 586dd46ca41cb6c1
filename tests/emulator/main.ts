#!/usr/bin/env node
import { parseArgs } from "node:util";
import { startEmulator } from "./index";

const USAGE = `computecloud-emulator [--port N] [--api-key KEY] [--latency-ms N] [--data FILE]

Prints one line of JSON when it is ready: baseUrl, serverlessUrl, graphqlUrl, controlUrl, apiKey.
  --port N        REST and GraphQL on N, queue on N + 1, control on N + 2; free ports unless given
  --api-key KEY   the key that clients must send; emulator-key unless given
  --latency-ms N  added to every answer
  --data FILE     keeps everything across restarts`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string" },
      "api-key": { type: "string" },
      "latency-ms": { type: "string" },
      data: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help) return console.log(USAGE);
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
}

function wholeNumber(option: string, text: string, largest: number): number {
  const value = Number(text);
  if (text !== "" && Number.isInteger(value) && value >= 0 && value <= largest) return value;
  throw new Error(`${option} must be a whole number from 0 to ${largest}, not '${text}'`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
