import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { printableLine } from "../client/printable";
import {
  type Kind,
  kinds,
  type MigratedCall,
  type Migration,
  MigrationError,
  migrate,
  migrateCall,
  type Warning,
} from "../migrate";
import { exitCodes, printJson } from "./output";

/**
 * `pulumi-computecloud migrate`: what files of v1 are in v2, as JSON; one document where there is one, else a list.
 *
 * @returns 1 where something has no equal at all
 */
export async function migrateFiles(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { kind: { type: "string" } },
    allowPositionals: true,
  });
  const kind = kinds.find((each) => each === values.kind);
  if (values.kind !== undefined && kind === undefined) throw new Error(`--kind takes one of ${kinds.join(", ")}`);
  if (positionals.length === 0) throw new Error("name files with bodies or calls of v1, or - for standard input.");

  const migrated: (Migration | MigratedCall)[] = [];
  for (const file of positionals) {
    for (const document of documents(await json(file))) {
      const result = migrateOne(file, document, kind);
      for (const warning of result.warnings) warn(file, warning);
      migrated.push(result);
    }
  }
  const shown = migrated.map(({ warnings: _, ...rest }) => rest);
  printJson(shown.length === 1 ? shown[0] : shown);
  return migrated.every((each) => "args" in each || each.call !== undefined) ? exitCodes.done : exitCodes.failed;
}

async function json(file: string): Promise<unknown> {
  const content = file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
  try {
    return JSON.parse(content);
  } catch (cause) {
    throw new Error(`${file} is no JSON`, { cause });
  }
}

/** v1's lists are bare. */
const documents = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function migrateOne(file: string, document: unknown, kind: Kind | undefined): Migration | MigratedCall {
  try {
    return isCall(document) ? migrateCall(document) : migrate(document, kind);
  } catch (error) {
    if (error instanceof MigrationError) throw new Error(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
}

function isCall(value: unknown): value is { method: string; path: string; body?: unknown } {
  if (typeof value !== "object" || value === null || !("method" in value && "path" in value)) return false;
  return typeof value.method === "string" && typeof value.path === "string";
}

function warn(file: string, { field, message }: Warning): void {
  process.stderr.write(`${printableLine(`${file}: ${field}: ${message}`)}\n`);
}
