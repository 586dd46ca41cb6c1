import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { operations } from "../client/operations";
import { checkAddress } from "../client/options";
import { fromEnvironment, SettingsReader } from "../client/settings";
import { userAgent } from "../client/userAgent";
import { compareContract, type Difference } from "./contractCompare";
import { isJson, type Json } from "./contractShape";

/** Lists what is new, gone or changed in the service's schema. Resolves to the exit code. */
export async function contractCheck(argv: readonly string[]): Promise<number> {
  let document: Json;
  try {
    document = await load(argv);
  } catch (error) {
    process.stderr.write(`contract-check: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
  const differences = compareContract(document, operations);
  process.stdout.write(report(differences));
  return differences.some(({ breaks }) => breaks) ? 1 : 0;
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
  const response = await fetch(url, { headers: { "user-agent": userAgent } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.text();
}

function report(differences: readonly Difference[]): string {
  const sorted = [...differences].sort((a, b) => Number(b.breaks) - Number(a.breaks));
  const lines = sorted.map(
    ({ breaks, change, where, what }) => `${breaks ? "BREAKS" : "      "}  ${change.padEnd(7)}  ${where}: ${what}`,
  );
  const breaks = differences.filter((difference) => difference.breaks).length;
  return [...lines, `${differences.length} differences, ${breaks} of which break this version.`, ""].join("\n");
}
