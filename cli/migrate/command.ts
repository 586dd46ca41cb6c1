import type { Command } from "@commander-js/extra-typings";
import { isRecord } from "../../common/json";
import { readReferences } from "../adopt/account";
import { autoNamedOption, checkDelivery, type Delivery, deliver, plainEnvOption, withContext } from "../adopt/command";
import { type Held, heldByFlash, heldByPulumi, heldByTerraform } from "../adopt/states";
import { readJson } from "../input";
import { exitCodes, explain, jsonOption, printValue, tell } from "../output";
import {
  type Kind,
  kinds,
  type MigratedCall,
  type Migration,
  MigrationError,
  migrate as migrateBody,
  migrateCall,
  type V1Call,
} from "./v1";

export function migrate(command: Command): void {
  explain(command, {
    examples: [
      "migrate pod.json",
      "migrate --kind Pod saved/*.json",
      "migrate --terraform-state terraform.tfstate --out my-fleet --stack dev",
      "migrate --pulumi-state stack.json --out my-fleet",
      "migrate --flash-manifest .flash/flash_manifest.json --out my-fleet",
    ],
    fails: "something has no equivalent",
    connects: true,
  });
  command
    .description(
      "Converts bodies and calls of the service's version 1 to version 2, and prints them as JSON: one document, or a list of " +
        "several. Or writes a program that adopts the resources in another provider's state, as `adopt` does for an account. " +
        "Only the latter calls the service.",
    )
    .argument("[files...]", "JSON files with bodies or calls of version 1, or - for standard input")
    .addOption(
      command
        .createOption("--kind <kind>", "the kind of the bodies, if it can't be told from their fields")
        .choices(kinds),
    )
    .option(
      "--terraform-state <file>",
      "a Terraform state, or what `terraform state pull` prints; - for standard input",
    )
    .option("--pulumi-state <file>", "what `pulumi stack export` prints; - for standard input")
    .option("--flash-manifest <file>", "the .flash/flash_manifest.json that `flash deploy` wrote; - for standard input")
    .option("--out <dir>", "of a state: write a whole project there; without it, the program is printed")
    .option("--stack <name>", "with --out: make this stack, and keep the secrets in its configuration, encrypted")
    .option(...autoNamedOption)
    .option(...plainEnvOption)
    .option(...jsonOption)
    .action(async (files, { kind, terraformState, pulumiState, flashManifest, ...delivery }) => {
      const states = [terraformState, pulumiState, flashManifest].filter((file) => file !== undefined);
      checkDelivery(delivery);
      if (states.length + (files.length > 0 ? 1 : 0) !== 1)
        throw new Error(
          "Name files with bodies or calls of version 1, or one state with --terraform-state, --pulumi-state or " +
            "--flash-manifest.",
        );
      if (terraformState !== undefined) await adoptState(terraformState, heldByTerraform, delivery);
      else if (pulumiState !== undefined) await adoptState(pulumiState, heldByPulumi, delivery);
      else if (flashManifest !== undefined) await adoptState(flashManifest, heldByFlash, delivery);
      else await migrateFiles(files, { kind });
    });
}

async function adoptState(file: string, read: (state: unknown) => Held, delivery: Delivery): Promise<void> {
  const { references, others } = read(await readJson(file));
  const adoptables = await withContext((context) => readReferences(context, references));
  await deliver(adoptables, delivery);
  const existingIds = new Set(adoptables.map(({ id }) => id));
  const gone = references.filter(({ id }) => !existingIds.has(id));
  for (const { kind, id } of gone) tell(`${kind} ${id} is not in this account`);
  for (const { address, why } of others) tell(`${address}: ${why}`);
  if (gone.length + others.length > 0) process.exitCode = exitCodes.failed;
}

async function migrateFiles(files: readonly string[], { kind }: { kind?: Kind | undefined }): Promise<void> {
  const migrated: (Migration | MigratedCall)[] = [];
  for (const file of files) {
    for (const document of documents(await readJson(file))) {
      const result = migrateOne(file, document, kind);
      for (const { field, message } of result.warnings) tell(`${file}: ${field}: ${message}`);
      migrated.push(result);
    }
  }
  const withoutWarnings = migrated.map(({ warnings: _, ...rest }) => rest);
  printValue(withoutWarnings.length === 1 ? withoutWarnings[0] : withoutWarnings);
  if (!migrated.every((each) => "args" in each || each.call !== undefined)) process.exitCode = exitCodes.failed;
}

/** Version 1 answers lists as bare arrays. */
const documents = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function migrateOne(file: string, document: unknown, kind: Kind | undefined): Migration | MigratedCall {
  try {
    return isCall(document) ? migrateCall(document) : migrateBody(document, kind);
  } catch (error) {
    if (error instanceof MigrationError) throw new Error(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
}

const isCall = (value: unknown): value is V1Call =>
  isRecord(value) && typeof value.method === "string" && typeof value.path === "string";
