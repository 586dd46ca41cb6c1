import type { Command } from "@commander-js/extra-typings";
import { printableLine } from "../client/printable";
import {
  type Kind,
  kinds,
  type MigratedCall,
  type Migration,
  MigrationError,
  migrate as migrateBody,
  migrateCall,
  type Warning,
} from "../migrate";
import { explain } from "./help";
import { readJson } from "./input";
import { exitCodes, printJson } from "./output";

export function migrate(command: Command): void {
  explain(command, {
    examples: ["migrate pod.json", "migrate --kind Pod saved/*.json", "migrate - < pod.json"],
    fails: "something of version 1 has no equal",
    connects: false,
  });
  command
    .description(
      "Prints what bodies and calls of the service's version 1 are in version 2, as JSON; one document where there is one, else a list.",
    )
    .argument("<files...>", "JSON files, or - for standard input")
    .addOption(command.createOption("--kind <kind>", "what the bodies are, where they do not tell").choices(kinds))
    .action(migrateFiles);
}

async function migrateFiles(files: readonly string[], { kind }: { kind?: Kind }): Promise<void> {
  const migrated: (Migration | MigratedCall)[] = [];
  for (const file of files) {
    for (const document of documents(await readJson(file))) {
      const result = migrateOne(file, document, kind);
      for (const warning of result.warnings) warn(file, warning);
      migrated.push(result);
    }
  }
  const shown = migrated.map(({ warnings: _, ...rest }) => rest);
  printJson(shown.length === 1 ? shown[0] : shown);
  if (!migrated.every((each) => "args" in each || each.call !== undefined)) process.exitCode = exitCodes.failed;
}

/** v1's lists are bare. */
const documents = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function migrateOne(file: string, document: unknown, kind: Kind | undefined): Migration | MigratedCall {
  try {
    return isCall(document) ? migrateCall(document) : migrateBody(document, kind);
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
