import type { Command } from "@commander-js/extra-typings";
import { Pools } from "../../client/calls/dispatcher";
import { userAgent } from "../../client/calls/userAgent";
import { operations } from "../../client/rest/nouns";
import { fromEnvironment, SettingsReader } from "../../client/settings";
import { isRecord } from "../../client/values/json";
import { explain, jsonOption } from "../help";
import { readNamed } from "../input";
import { exitCodes, print, printJson } from "../output";
import { compareContract, type Difference, SCHEMA_DAY } from "./compare";
import { type Json, record } from "./shape";

/** For the whole schema. */
const DOWNLOAD_MS = 120_000;
const CONNECT_MS = 10_000;

export function contractCheck(command: Command): void {
  explain(command, {
    examples: ["contract-check", "contract-check openapi.json --json"],
    fails: "a difference can make a call of this version fail, or change what a program means",
    connects: false,
  });
  command
    .description("Lists what is new, gone or changed in the service's schema. Needs no key.")
    .argument(
      "[file]",
      "the schema as a file; unless named, the service at COMPUTECLOUD_BASE_URL or of COMPUTECLOUD_CLOUD is asked",
    )
    .option(...jsonOption)
    .action(async (file, { json }) => {
      const differences = compareContract(await load(file), operations(), expectedDocument());
      if (json) printJson(differences);
      else print(report(differences));
      if (differences.some(({ breaks }) => breaks)) process.exitCode = exitCodes.failed;
    });
}

/** The emulator's document. Tests ensure that it equals the service's schema of that day. */
function expectedDocument(): Json {
  const { openApiDocument } =
    require("../../../tests/emulator/http/openapi") as typeof import("../../../tests/emulator/http/openapi");
  const { routes } =
    require("../../../tests/emulator/rest/routes") as typeof import("../../../tests/emulator/rest/routes");
  return record(openApiDocument(routes));
}

async function load(file: string | undefined): Promise<Json> {
  const text = await (file === undefined ? download() : readNamed(file));
  const document: unknown = JSON.parse(text);
  if (!isRecord(document) || !isRecord(document.paths))
    throw new Error("This is not an OpenAPI document. Give the service's own schema.");
  return document;
}

async function download(): Promise<string> {
  const url = `${new SettingsReader(fromEnvironment).address("baseUrl")}/v2/openapi.json`;
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

/** Breaks come first, and last what the schema does not have yet. */
function report(differences: readonly Difference[]): string {
  const rank = ({ breaks, change }: Difference) => (breaks ? 0 : change === "ahead" ? 2 : 1);
  const lines = differences
    .toSorted((a, b) => rank(a) - rank(b))
    .map(
      ({ breaks, change, where, what }) => `${breaks ? "BREAKS" : "      "}  ${change.padEnd(7)}  ${where}: ${what}`,
    );
  const count = (wanted: number) => differences.filter((each) => rank(each) === wanted).length;
  const ahead =
    count(2) === 0
      ? []
      : [`${count(2)} are ahead of this schema: this version has them from the service's later pages.`];
  return [
    ...lines,
    `${differences.length} differences, ${count(0)} of which break this version, which was made for the schema of ${SCHEMA_DAY}.`,
    ...ahead,
  ].join("\n");
}
