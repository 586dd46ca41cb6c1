import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import type { Command } from "@commander-js/extra-typings";
import { adoptableKinds, readAccount } from "../adopt/account";
import type { Found } from "../adopt/found";
import { importFile } from "../adopt/importFile";
import { type AdoptingProgram, writeProgram } from "../adopt/program";
import { readSettings } from "../engine/config";
import { Adoptions } from "../lifecycle/adoptions";
import type { Context } from "../lifecycle/definition";
import { explain, jsonOption } from "./help";
import { printJson } from "./output";
import { projectFiles, writeProject } from "./project";
import { withClient } from "./withClient";

export function adopt(command: Command): void {
  explain(command, {
    examples: [
      "adopt --out my-fleet --stack dev",
      "adopt --kind Pod Template --filter prod > index.ts",
      "adopt --import-file import.json",
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
    .option(...jsonOption)
    .action(async ({ kind, filter, ...options }) => {
      if (options.stack !== undefined && options.out === undefined) throw new Error("--stack needs --out");
      await deliver(await withContext((context) => readAccount(context, { kinds: kind, filter })), options);
    });
}

export interface Delivery {
  readonly out?: string | undefined;
  readonly stack?: string | undefined;
  readonly importFile?: string | undefined;
  readonly json?: true | undefined;
}

/** What the commands that write adopting programs do with it. */
export async function deliver(
  found: readonly Found[],
  { out, stack, importFile: file, json }: Delivery,
): Promise<void> {
  const program = writeProgram(found);
  if (file !== undefined) await writeFile(file, `${JSON.stringify(importFile(program), undefined, 2)}\n`);
  if (out !== undefined) {
    const files = new Map([...(await projectFiles(out)), ["index.ts", program.text]]);
    await writeProject(out, files, ["index.ts"]);
    if (stack !== undefined) await keepSecrets(out, stack, program);
  }
  if (json) printJson(summaryOf(program));
  else if (out === undefined && file === undefined) process.stdout.write(program.text);
  if (!json) process.stderr.write(report(program, { out, stack }));
}

export function withContext<T>(use: (context: Context) => Promise<T>): Promise<T> {
  return withClient((client, signal) => {
    const settings = readSettings(() => undefined);
    const silent = () => {};
    const log = { status: silent, info: silent, warn: silent };
    return use({ client, settings, log, signal, adoptions: new Adoptions() });
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

function report({ resources, secrets }: AdoptingProgram, { out, stack }: Delivery): string {
  const lines = [`${resources.length} resources.`];
  for (const { kind, name, id, differences } of resources) {
    if (differences.length > 0) lines.push(`${kind} ${name} (${id}): the first up changes ${differences.join(", ")}.`);
  }
  const unset = secrets.filter(({ value }) => value === undefined || stack === undefined);
  if (unset.length > 0) lines.push("Set these secrets before the first up:");
  for (const { key, value } of unset) {
    lines.push(`  pulumi config set --secret ${key}${value === undefined ? "   # the service never shows it" : ""}`);
  }
  if (out !== undefined) lines.push("Next:", `  cd ${out} && npm install`, "  pulumi preview");
  return `${lines.join("\n")}\n`;
}

/** By way of standard input: an argument could be read by everybody on the machine. */
async function keepSecrets(folder: string, stack: string, { secrets }: AdoptingProgram): Promise<void> {
  await pulumi(folder, ["stack", "select", "--create", stack]);
  for (const { key, value } of secrets) {
    if (value !== undefined) await pulumi(folder, ["config", "set", "--secret", "--stack", stack, key], value);
  }
}

function pulumi(folder: string, args: readonly string[], input = ""): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", [...args, "--non-interactive"], { cwd: folder, stdio: ["pipe", "ignore", "pipe"] });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.once("error", (cause) => reject(new Error("`pulumi` is not on PATH; leave --stack out", { cause })));
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`pulumi ${args.slice(0, 3).join(" ")} ended with ${code}: ${said.trim()}`));
    });
    // One line feed at the end is taken away again.
    child.stdin.on("error", () => {}).end(`${input}\n`);
  });
}
