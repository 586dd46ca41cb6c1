import { writeFile } from "node:fs/promises";
import type { Command } from "@commander-js/extra-typings";
import { adoptableKinds, readAccount } from "../adopt/account";
import type { Found } from "../adopt/found";
import { importFile, type NamedProvider } from "../adopt/importFile";
import { type AdoptingProgram, writeProgram } from "../adopt/program";
import { printableLine } from "../client/text/printable";
import { readSettings } from "../engine/config";
import { pulumi } from "../engine/pulumiCommand";
import type { Context } from "../lifecycle/definition";
import { Holders } from "../lifecycle/holders";
import { hasMadeUpForm } from "../lifecycle/names";
import { woken } from "../lifecycle/woken";
import { explain, jsonOption } from "./help";
import { printJson } from "./output";
import { Progress } from "./progress";
import { inFolder, npmInstall, projectFiles, quoted, writeProject } from "./project";
import { withClient } from "./withClient";

export function adopt(command: Command): void {
  explain(command, {
    examples: [
      "adopt --out my-fleet --stack dev",
      "adopt --kind Pod Template --filter prod > index.ts",
      "adopt --import-file import.json --provider cloud=urn:pulumi:dev::shop::pulumi:providers:computecloud::cloud",
    ],
    connects: true,
  });
  command
    .description(
      "Writes a TypeScript program that takes over what the account holds: the first `pulumi up` adopts all and changes " +
        "nothing. Secrets, environments among them, stand in no file: the program asks the stack's configuration.",
    )
    .addOption(command.createOption("--kind <kind...>", "only these").choices(adoptableKinds))
    .option("--filter <text>", "only what has this text in its name")
    .option("--out <dir>", "write a whole project there; without it, the program is printed")
    .option("--stack <name>", "with --out: make this stack, and keep the secrets in its configuration, encrypted")
    .option(
      "--import-file <file>",
      "write what `pulumi import --file` takes, for programs that use the plugin's resources",
    )
    .option(
      "--provider <name=urn>",
      "with --import-file: the stack's Provider that a TypeScript program needs",
      provider,
    )
    .option(...autoNamedOption)
    .option(...jsonOption)
    .action(async ({ kind, filter, ...options }) => {
      checkDelivery(options);
      await deliver(await withContext((context) => readAccount(context, { kinds: kind, filter })), options);
    });
}

export const autoNamedOption = [
  "--auto-named",
  "also what has a name that this package made up: probably another stack's, which would go on managing it",
] as const;

export interface Delivery {
  readonly autoNamed?: true | undefined;
  readonly out?: string | undefined;
  readonly stack?: string | undefined;
  readonly importFile?: string | undefined;
  readonly provider?: NamedProvider | undefined;
  readonly json?: true | undefined;
}

const PROGRAM = "index.ts";

/** What can be said before the account is read. */
export function checkDelivery({ out, stack, importFile, provider }: Delivery): void {
  if (stack !== undefined && out === undefined) throw new Error("--stack needs --out");
  if (provider !== undefined && importFile === undefined) throw new Error("--provider needs --import-file");
}

function provider(text: string): NamedProvider {
  const [, name, urn] = /^([^=]+)=(urn:pulumi:.+)$/.exec(text) ?? [];
  if (name !== undefined && urn !== undefined) return { name, urn };
  throw new Error(
    `--provider takes a name and a URN that \`pulumi stack --show-urns\` shows, as cloud=urn:…, not "${text}"`,
  );
}

/** What the commands that write adopting programs do with it. */
export async function deliver(found: readonly Found[], delivery: Delivery): Promise<void> {
  const { out, stack, importFile: file, provider, json } = delivery;
  // Two stacks with one resource undo each other's changes, and either one's destroy deletes it.
  const leftOut = delivery.autoNamed ? [] : found.filter(({ name }) => hasMadeUpForm(name));
  const program = writeProgram(found.filter((each) => !leftOut.includes(each)));
  let install: string | undefined;
  if (file !== undefined) await writeFile(file, `${JSON.stringify(importFile(program, provider), undefined, 2)}\n`);
  if (out !== undefined) {
    const files = new Map(await projectFiles(out));
    files.delete(PROGRAM);
    await writeProject(out, files, [PROGRAM]);
    if (stack !== undefined) await keepSecrets(out, stack, program, json === true);
    // The program comes last: where Pulumi could not make the stack, the same command goes on from there.
    await writeProject(out, new Map([[PROGRAM, program.text]]), [PROGRAM]);
    install = inFolder(out, await npmInstall(out, files));
  }
  if (json) printJson({ ...summaryOf(program), leftOut: leftOut.map(({ kind, id, name }) => ({ kind, id, name })) });
  else if (out === undefined && file === undefined) process.stdout.write(program.text);
  if (!json) process.stderr.write(report(program, leftOut, delivery, install));
}

export function withContext<T>(use: (context: Context) => Promise<T>): Promise<T> {
  return withClient((client, signal) => {
    const settings = readSettings(() => undefined);
    const silent = () => {};
    const log = { status: silent, info: silent, warn: silent, atEnd: silent };
    return use({ client, settings, log, signal, holders: new Holders(), woken });
  });
}

function summaryOf({ resources, secrets }: AdoptingProgram): object {
  return {
    resources: resources.map(({ kind, id, name, logicalName, differences }) => ({
      kind,
      id,
      name,
      logicalName,
      differences,
    })),
    secrets: secrets.map(({ key, value }) => ({ key, known: value !== undefined })),
  };
}

function report(
  program: AdoptingProgram,
  leftOut: readonly Found[],
  { out, stack, importFile: file }: Delivery,
  install: string | undefined,
): string {
  const imports = file === undefined ? [] : [`pulumi import --file ${quoted(file)}`];
  const adopts = install === undefined ? [] : [install, "pulumi preview"];
  const next = [...imports, ...adopts];
  return [
    program.resources.length === 1 ? "1 resource." : `${program.resources.length} resources.`,
    ...toLeave(leftOut),
    // An import reads what there is, and asks the configuration for nothing.
    ...(file !== undefined && out === undefined ? [] : toKnow(program, stack)),
    ...(next.length === 0 ? [] : ["Next:", ...next.map((line) => `  ${line}`)]),
    "",
  ].join("\n");
}

function toLeave(leftOut: readonly Found[]): string[] {
  if (leftOut.length === 0) return [];
  return [
    "Left out, probably another stack's: this package made up the names. --auto-named takes them over all the same.",
    ...leftOut.map(({ kind, name, id }) => printableLine(`  ${kind} ${name} (${id})`)),
  ];
}

/** What the first `up` of the program does, and what it needs. */
function toKnow({ resources, secrets }: AdoptingProgram, stack: string | undefined): string[] {
  const lines = resources
    .filter(({ differences }) => differences.length > 0)
    .map(({ kind, name, id, differences }) =>
      printableLine(`${kind} ${name} (${id}): the first up changes ${differences.join(", ")}.`),
    );
  const guarded = resources.filter(({ protect }) => protect).length;
  if (guarded > 0)
    lines.push(`${guarded} hold data or serve: \`protect: true\` keeps runs from deleting them until you remove it.`);
  const unset = secrets.filter(({ value }) => value === undefined || stack === undefined);
  if (unset.length > 0) lines.push("Set these secrets before the first up:");
  for (const { key, value } of unset) {
    lines.push(`  pulumi config set --secret ${key}${value === undefined ? "   # the service never shows it" : ""}`);
  }
  return lines;
}

async function keepSecrets(folder: string, stack: string, { secrets }: AdoptingProgram, quiet: boolean): Promise<void> {
  await pulumi(["stack", "select", "--create", stack], { folder });
  const known = secrets.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }]));
  const progress = new Progress(quiet);
  try {
    for (const [index, { key, value }] of known.entries()) {
      progress.show(`Keeping secrets in the configuration of ${stack}`, `${index + 1} of ${known.length}`);
      // One line feed at the end is taken away again.
      await pulumi(["config", "set", "--secret", "--stack", stack, key], { folder, input: `${value}\n` });
    }
  } finally {
    progress.end();
  }
}
