import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { z } from "zod";
import { cronsOf, schedule } from "../../provider/cost/schedule";
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
  withInstall,
  withPolicyPack,
  withStack,
  writeProject,
} from "../project";
import { several } from "../values";

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
  go: ["npx pulumi-computecloud plugin install", "pulumi install"],
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
      "also a policy pack (policy), pipelines for GitLab and Kubernetes besides the one for GitHub (pipeline), alerts and a dashboard (watch) or a pipeline that runs by an endpoint's " +
        "schedule (schedule), or several: policy,pipeline; adds them to an existing project",
      partsIn,
      [],
    )
    .option("--schedule <file>", "the schedule of --with schedule, as JSON; several times for several", several)
    .option(...jsonOption)
    .action(async (folder, { language, emulator, with: parts, schedule: schedules, json }) => {
      const added = new Map((await Promise.all(parts.map(partFiles))).flatMap((each) => [...each]));
      const pipeline = added.get(SCHEDULE);
      if ((pipeline === undefined) !== (schedules === undefined))
        throw new Error("--with schedule and --schedule need each other. Add the other one, or leave both out.");
      const crons = await cronsIn(schedules ?? []);
      if (pipeline !== undefined) added.set(SCHEDULE, withCrons(pipeline, crons));
      const isThere = parts.length > 0 && existsSync(join(folder, PROJECT));
      const stack = emulator ? "trial" : "dev";
      const files = new Map(isThere ? added : await wholeProject(folder, language, stack, added));
      const deployed = isThere || emulator ? await stackOf(folder) : stack;
      const install = INSTALL[isThere ? await languageOf(folder) : language];
      const hasPolicies = added.has(POLICIES) || existsSync(join(folder, POLICIES));
      for (const path of PIPELINES) {
        const text = files.get(path);
        if (text === undefined) continue;
        const whole = withStack(withInstall(text, install), deployed);
        files.set(path, hasPolicies ? withPolicyPack(whole) : whole);
      }
      const written = await writeProject(folder, files, isThere ? [] : [PROJECT]);
      const kept = [...files.keys()].filter((path) => !written.includes(path));
      const next = [...parts.map((part) => NEXT[part]), ...crons.map(onGitlab)].map((line) => inFolder(folder, line));
      if (!isThere) {
        const lines = [await npmInstall(folder, files), ...install].join(" && ");
        next.unshift(...nextLines(inFolder(folder, lines), stack));
      }
      const [inProject, alreadyThere] = [written, kept].map((paths) => paths.map((path) => join(folder, path)));
      if (json) return printJson({ folder, written: inProject, kept: alreadyThere, next });
      if (kept.length > 0) print(`Left as it was: ${kept.join(", ")}.`);
      print(`Wrote ${written.length} ${written.length === 1 ? "file" : "files"}. Next:`);
      for (const line of next) print(`  ${line}`);
    });
}

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
const PIPELINES = [PIPELINE, SCHEDULE, ".gitlab-ci.yml", "kubernetes.yaml"];
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
  files.set(`Pulumi.${stack}.yaml`, stack === "trial" ? EMULATOR : CLOUD);
  const pipeline = (await partFiles("pipeline")).get(PIPELINE);
  if (stack !== "trial" && pipeline !== undefined) files.set(PIPELINE, pipeline);
  return new Map([...files, ...added]);
}

/** The stack that a project's pipelines deploy: its only one besides a trial's, or one that is called prod. */
async function stackOf(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).flatMap(
    (file) => /^Pulumi\.(.+)\.ya?ml$/.exec(file)?.[1] ?? [],
  );
  const [only = "prod", ...others] = names.filter((name) => name !== "trial");
  return others.length > 0 ? "prod" : only;
}

/** The language of a project that is there. Any other that Pulumi knows needs what Python needs. */
async function languageOf(folder: string): Promise<Language> {
  const [, runtime] =
    /^runtime:\s*(?:name:\s*)?["']?([a-z]+)/m.exec(await readFile(join(folder, PROJECT), "utf8")) ?? [];
  return runtime === "nodejs" ? "typescript" : runtime === "yaml" ? "yaml" : "python";
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
