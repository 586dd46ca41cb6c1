import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { Pools } from "../client/dispatcher";
import { operations } from "../client/operations";
import { checkAddress } from "../client/options";
import { printable } from "../client/printable";
import { fromEnvironment, SettingsReader } from "../client/settings";
import { userAgent } from "../client/userAgent";
import { compareContract, type Difference } from "./contractCompare";
import { isJson, type Json } from "./contractShape";
import { exitCodes, print } from "./output";

/** Of the whole schema. */
const DOWNLOAD_MS = 120_000;
const CONNECT_MS = 10_000;

/** Lists what is new, gone or changed in the service's schema. Resolves to the exit code. */
export async function contractCheck(argv: readonly string[]): Promise<number> {
  let document: Json;
  try {
    document = await load(argv);
  } catch (error) {
    process.stderr.write(`contract-check: ${printable(error instanceof Error ? error.message : String(error))}\n`);
    return exitCodes.couldNotRun;
  }
  const differences = compareContract(document, operations);
  print(report(differences));
  return differences.some(({ breaks }) => breaks) ? exitCodes.failed : exitCodes.done;
}

async function load(argv: readonly string[]): Promise<Json> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { "base-url": { type: "string" } },
    allowPositionals: true,
  });
  const [file] = positionals;
  const text =
    file === undefined
      ? await download(values["base-url"] ?? new SettingsReader(fromEnvironment).address("baseUrl"))
      : await readFile(file, "utf8");
  const document: unknown = JSON.parse(text);
  if (!isJson(document) || !isJson(document.paths)) throw new Error("this is not an OpenAPI document.");
  return document;
}

async function download(address: string): Promise<string> {
  const url = `${checkAddress("--base-url", address)}/v2/openapi.json`;
  const { fetch } = require("undici") as typeof import("undici");
  const pools = new Pools(undefined, CONNECT_MS);
  try {
    const response = await fetch(url, {
      dispatcher: pools.for("calls"),
      headers: { "user-agent": userAgent },
      signal: AbortSignal.timeout(DOWNLOAD_MS),
    });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return await response.text();
  } catch (error) {
    // fetch says that it failed; its cause says why.
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    throw new Error(`${url} can't be read: ${cause instanceof Error ? cause.message : message}.`, { cause: error });
  } finally {
    await pools.release();
  }
}

function report(differences: readonly Difference[]): string {
  const sorted = [...differences].sort((a, b) => Number(b.breaks) - Number(a.breaks));
  const lines = sorted.map(
    ({ breaks, change, where, what }) => `${breaks ? "BREAKS" : "      "}  ${change.padEnd(7)}  ${where}: ${what}`,
  );
  const breaks = differences.filter((difference) => difference.breaks).length;
  return [...lines, `${differences.length} differences, ${breaks} of which break this version.`].join("\n");
}
