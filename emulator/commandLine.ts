import { spawn } from "node:child_process";
import type { Command } from "@commander-js/extra-typings";
import { type Emulator, startEmulator } from "./index";

export function emulator(command: Command): void {
  command
    .description(
      "Starts the service's emulator on this machine. Prints one line of JSON when it is ready: " +
        "baseUrl, serverlessUrl, graphqlUrl, controlUrl, consoleUrl, apiKey. On a terminal: lines that set the environment.",
    )
    .option(
      "--port <n>",
      "REST and GraphQL on N, queue on N + 1, control on N + 2; default: free ports",
      wholeNumber("--port", 65_533),
    )
    .option("--api-key <key>", "the key that clients must send; default: emulator-key")
    .option("--latency-ms <n>", "delay of every answer, in ms", wholeNumber("--latency-ms", 3_600_000))
    .option("--data <file>", "file that keeps the state across restarts")
    .option("--open", "open the console in the browser")
    .addHelpText(
      "after",
      `
Examples:
  npx pulumi-computecloud emulator --open
  npx pulumi-computecloud emulator --port 4010 --data ./cloud.jsonl

Exit codes:
  0  stopped by a signal
  2  could not start`,
    )
    .action(async ({ port, apiKey, latencyMs, data, open }) => {
      const { stop, ...addresses } = await startEmulator({
        ...(port !== undefined && { port }),
        ...(apiKey !== undefined && { apiKey }),
        ...(latencyMs !== undefined && { settings: { latencyMs } }),
        ...(data !== undefined && { dataFile: data }),
      });
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
      console.log(process.stdout.isTTY ? forPeople(addresses) : JSON.stringify(addresses));
      if (open === true) openInBrowser(addresses.consoleUrl);
    });
}

/** For the other terminal, to copy. */
function forPeople({ apiKey, baseUrl, serverlessUrl, graphqlUrl, consoleUrl }: Omit<Emulator, "stop">): string {
  const quoted = /^[\w.-]+$/.test(apiKey) ? apiKey : `'${apiKey.replaceAll("'", `'\\''`)}'`;
  return [
    "The emulator is ready. In another terminal:",
    "",
    `export COMPUTECLOUD_API_KEY=${quoted}`,
    `export COMPUTECLOUD_BASE_URL=${baseUrl}`,
    `export COMPUTECLOUD_SERVERLESS_URL=${serverlessUrl}`,
    `export COMPUTECLOUD_GRAPHQL_URL=${graphqlUrl}`,
    "",
    `Console: ${consoleUrl}. Ctrl-C stops it.`,
  ].join("\n");
}

/** The command that opens an address on each system. Other systems use that of Linux desktops. */
const OPENERS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

function openInBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  opener.once("error", () => console.error(`${command} does not open a browser here: go to ${url}`));
  opener.unref();
}

function wholeNumber(option: string, largest: number): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) <= largest) return Number(text);
    throw new Error(`${option} must be a whole number from 0 to ${largest}, not '${text}'`);
  };
}
