import type { Command } from "@commander-js/extra-typings";
import { Pools } from "../../client/calls/dispatcher";
import { operations } from "../../client/calls/operations";
import { userAgent } from "../../client/calls/userAgent";
import { checkAddress } from "../../client/options";
import { fromEnvironment, SettingsReader } from "../../client/settings";
import { explain, jsonOption } from "../help";
import { readNamed } from "../input";
import { exitCodes, print, printJson } from "../output";
import { compareContract } from "./compare";
import type { Difference } from "./difference";
import { isJson, type Json } from "./shape";

/** For the whole schema. */
const DOWNLOAD_MS = 120_000;
const CONNECT_MS = 10_000;
/** The date of the schema that the client's operations follow. Later additions follow the service's documentation. */
const SCHEMA_DAY = "2026-08-20";

export function contractCheck(command: Command): void {
  explain(command, {
    examples: [
      "contract-check",
      "contract-check --base-url https://api.example.com",
      "contract-check openapi.json --json",
    ],
    fails: "a difference can make a call of this version fail, or change what a program means",
    connects: false,
  });
  command
    .description("Lists what is new, gone or changed in the service's schema. Needs no key.")
    .argument("[file]", "the schema as a file, instead of asking the service")
    .option("--base-url <url>", "the service's address; default: COMPUTECLOUD_BASE_URL, or that of COMPUTECLOUD_CLOUD")
    .option(...jsonOption)
    .action(async (file, { baseUrl, json }) => {
      const differences = compareContract(await load(file, baseUrl), operations, expectedDocument());
      if (json) printJson(differences);
      else print(report(differences));
      if (differences.some(({ breaks }) => breaks)) process.exitCode = exitCodes.failed;
    });
}

/** The emulator's document. Tests ensure that it equals the service's schema of that day. */
function expectedDocument(): Json {
  const { openApiDocument } =
    require("../../../tests/emulator/http/openapi") as typeof import("../../../tests/emulator/http/openapi");
  const { routes } = require("../../../tests/emulator/rest") as typeof import("../../../tests/emulator/rest");
  const document = openApiDocument(routes);
  return isJson(document) ? document : {};
}

async function load(file: string | undefined, baseUrl: string | undefined): Promise<Json> {
  const text =
    file === undefined
      ? await download(
          baseUrl === undefined
            ? new SettingsReader(fromEnvironment).address("baseUrl")
            : checkAddress("--base-url", baseUrl),
        )
      : await readNamed(file);
  const document: unknown = JSON.parse(text);
  if (!isJson(document) || !isJson(document.paths))
    throw new Error("This is not an OpenAPI document. Give the service's own schema.");
  return document;
}

async function download(address: string): Promise<string> {
  const url = `${address}/v2/openapi.json`;
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
    // fetch's message says only that it failed; the reason is in its cause.
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
  return [
    ...lines,
    `${differences.length} differences, ${breaks} of which break this version, which was made for the schema of ${SCHEMA_DAY}.`,
  ].join("\n");
}
