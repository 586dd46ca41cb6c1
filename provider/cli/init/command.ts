import { existsSync } from "node:fs";
import { readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { z } from "zod";
import { cronsOf, schedule } from "../../cost/schedule";
import { explain, jsonOption } from "../help";
import { readJson } from "../input";
import { print, printJson } from "../output";
import {
  inFolder,
  type Language,
  languages,
  npmInstall,
  type Part,
  partFiles,
  partNames,
  projectFiles,
  SCHEDULE,
  withCrons,
  withPolicyPack,
  writeProject,
} from "../project";

/** The addresses of `pulumi-computecloud emulator --port 4010`. */
const EMULATOR = `config:
  computecloud:apiKey: emulator-key
  computecloud:baseUrl: http://127.0.0.1:4010
  computecloud:serverlessUrl: http://127.0.0.1:4011
  computecloud:graphqlUrl: http://127.0.0.1:4010/graphql
`;
const CLOUD = "config:\n  computecloud:cloud: runpod\n";

/** Commands that a language needs after `npm install`. */
const INSTALL: Readonly<Record<Language, readonly string[]>> = {
  typescript: [],
  python: ["npx pulumi-computecloud plugin install", "pulumi install"],
  yaml: ["npx pulumi-computecloud plugin install"],
};

export function init(command: Command): void {
  explain(command, {
    examples: [
      "init my-fleet",
      "init trial --emulator",
      "init my-fleet --language python",
      "init my-fleet --with policy,pipeline",
      "init --with schedule --schedule schedule.json",
    ],
    connects: false,
  });
  command
    .description("Writes a project that is ready to run, with a pipeline file, and prints the next three lines.")
    .argument("[folder]", "the folder; created if missing", ".")
    .addOption(
      command
        .createOption("--language <language>", "of the program")
        .choices(languages)
        .default("typescript" as const),
    )
    .option("--emulator", "for a trial without an account, on this machine")
    .option(
      "--with <parts>",
      "also a policy pack (policy), pipelines for GitHub, GitLab and Kubernetes (pipeline), alerts and a dashboard (watch) or a pipeline that runs by an endpoint's " +
        "schedule (schedule), or several: policy,pipeline; adds them to an existing project",
      partsIn,
      [],
    )
    .option("--schedule <file>", "the schedule of --with schedule, as JSON; several times for several", collect)
    .option(...jsonOption)
    .action(async (folder, { language, emulator, with: parts, schedule: schedules, json }) => {
      const added = await filesOf(parts);
      const pipeline = added.get(SCHEDULE);
      if ((pipeline === undefined) !== (schedules === undefined))
        throw new Error("--with schedule and --schedule need each other. Add the other one, or leave both out.");
      const crons = await cronsIn(schedules ?? []);
      if (pipeline !== undefined) added.set(SCHEDULE, withCrons(pipeline, crons));
      const isThere = parts.length > 0 && existsSync(join(folder, PROJECT));
      const stack = emulator ? "trial" : "dev";
      const replaced = isThere && added.has(PIPELINE) && (await isReplaceable(join(folder, SMALL_PIPELINE)));
      const files = new Map(isThere ? added : await wholeProject(folder, language, stack, added));
      if (added.has(POLICIES) || existsSync(join(folder, POLICIES)))
        for (const [path, text] of files) if (/\.ya?ml$/.test(path)) files.set(path, withPolicyPack(text));
      const written = await writeProject(folder, files, isThere ? [] : [PROJECT]);
      if (replaced) await unlink(join(folder, SMALL_PIPELINE));
      const kept = [...files.keys()].filter((path) => !written.includes(path));
      const next = [...parts.map((part) => NEXT[part]), ...crons.map(onGitlab)].map((line) => inFolder(folder, line));
      if (!isThere) {
        const install = [await npmInstall(folder, files), ...INSTALL[language]].join(" && ");
        next.unshift(...nextLines(inFolder(folder, install), stack));
      }
      const [inProject, alreadyThere] = [written, kept].map((paths) => paths.map((path) => join(folder, path)));
      const removed = replaced ? [join(folder, SMALL_PIPELINE)] : [];
      if (json) return printJson({ folder, written: inProject, kept: alreadyThere, removed, next });
      if (kept.length > 0) print(`Left as it was: ${kept.join(", ")}.`);
      for (const file of removed) print(`Replaced ${file}, which deployed on the same pushes.`);
      print(`Wrote ${written.length} ${written.length === 1 ? "file" : "files"}. Next:`);
      for (const line of next) print(`  ${line}`);
    });
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

async function cronsIn(files: readonly string[]): Promise<string[]> {
  const crons = await Promise.all(
    files.map(async (file) => {
      const { data, error } = schedule.safeParse(await readJson(file));
      if (data === undefined)
        throw new Error(`${file} is not a schedule: ${z.prettifyError(error)}. Write it as the endpoint's argument.`);
      return cronsOf(data, Date.now());
    }),
  );
  return [...new Set(crons.flat())];
}

const PROJECT = "Pulumi.yaml";
const PIPELINE = ".github/workflows/gpu.yml";
const SMALL_PIPELINE = ".github/workflows/deploy.yml";
const POLICIES = "policy/PulumiPolicy.yaml";

/** The next command for an added part. */
const NEXT: Readonly<Record<Part, string>> = {
  policy: "npm install --prefix policy && pulumi preview --policy-pack policy",
  watch: "npx pulumi-computecloud watch --metrics :9464",
  schedule: "git add .github   # its times are those of today's rules: write it again when they change",
  pipeline: "git add --all   # delete the pipelines of the other platforms first",
};

/** On GitLab, schedules belong to the project's settings, not to a file. */
function onGitlab(cron: string): string {
  return `glab schedule create --ref main --description workers --variable SCHEDULE:workers --cron "${cron}"   # on GitLab`;
}

function partsIn(text: string): Part[] {
  return text.split(",").map((word) => {
    const part = partNames.find((name) => name === word.trim());
    if (part === undefined)
      throw new Error(`--with takes ${partNames.join(" or ")}, or several with commas, not "${text}"`);
    return part;
  });
}

async function wholeProject(
  folder: string,
  language: Language,
  stack: "trial" | "dev",
  added: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map(await projectFiles(folder, language));
  // The requested pipeline replaces the small default one.
  if (added.has(PIPELINE)) files.delete(SMALL_PIPELINE);
  return new Map([...files, [`Pulumi.${stack}.yaml`, stack === "trial" ? EMULATOR : CLOUD], ...added]);
}

/**
 * Whether the project has the small pipeline, unchanged.
 *
 * @throws Error if it was changed: two pipelines would deploy on each push
 */
async function isReplaceable(file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  const [text, ...templates] = await Promise.all([
    readFile(file, "utf8"),
    ...languages.map(async (language) => (await projectFiles(".", language)).get(SMALL_PIPELINE) ?? ""),
  ]);
  if (templates.some((each) => text === each || text === withPolicyPack(each))) return true;
  throw new Error(`${file} deploys on the same pushes, and was changed. Delete it, then run this again.`);
}

async function filesOf(parts: readonly Part[]): Promise<Map<string, string>> {
  const files = await Promise.all(parts.map(partFiles));
  return new Map(files.flatMap((each) => [...each]));
}

function nextLines(install: string, stack: "trial" | "dev"): readonly string[] {
  return [
    install,
    stack === "trial"
      ? "npx pulumi-computecloud emulator --port 4010   # in a terminal of its own"
      : "export COMPUTECLOUD_API_KEY=…",
    `pulumi stack init ${stack} && pulumi up`,
  ];
}
