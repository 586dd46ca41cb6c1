import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { fetch } from "undici";
import { fromEnvironment, operations, Pools, SettingsReader, userAgent } from "../../client";
import { isRecord } from "../../common/json";
import { messageOf } from "../../common/messageOf";
import { openApiDocument } from "../../emulator/http/openapi";
import { routes } from "../../emulator/rest/routes";
import { type ContractDifference, compareContract, SCHEMA_DAY } from "./compare";
import { type Json, record } from "./shape";

/** For the whole schema. */
const DOWNLOAD_MS = 120_000;
const CONNECT_MS = 10_000;

/** `npm run tool tools/contract/main.ts [openapi.json] -- [--json]`: exit code 1 if a difference breaks this version, 2 if it could not run. */
async function main(argv: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { json: { type: "boolean" } },
    allowPositionals: true,
  });
  const differences = compareContract(await load(positionals[0]), operations(), expectedDocument());
  console.log(values.json ? JSON.stringify(differences, undefined, 2) : report(differences));
  if (differences.some(({ breaks }) => breaks)) process.exitCode = 1;
}

/** The emulator's document. Tests ensure that it equals the service's schema of that day. */
function expectedDocument(): Json {
  return record(openApiDocument(routes));
}

async function load(file: string | undefined): Promise<Json> {
  const text = await (file === undefined ? download() : readFile(file, "utf8"));
  const document: unknown = JSON.parse(text);
  if (!isRecord(document) || !isRecord(document.paths))
    throw new Error("This is not an OpenAPI document. Give the service's own schema.");
  return document;
}

async function download(): Promise<string> {
  const url = `${new SettingsReader(fromEnvironment).address("baseUrl")}/v2/openapi.json`;
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
function report(differences: readonly ContractDifference[]): string {
  const rank = ({ breaks, change }: ContractDifference) => (breaks ? 0 : change === "ahead" ? 2 : 1);
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

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 2;
});
