import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { z } from "../../common/zod";
import { schedule, Timetable } from "../../provider/cost/schedule";
import { readJson } from "../input";
import { explain, jsonOption, print, printJson } from "../output";
import {
  type Language,
  languages,
  npmInstall,
  type Part,
  PROJECT_FILES,
  partFiles,
  partNames,
  projectFiles,
  quoted,
  writeProject,
} from "../project";
import { several } from "../values";
import { hasPackage, packagesOf } from "./packages";
import { GITHUB, includeGitlab, isPipeline, nameOf, pipelineOf, placeOf, SCHEDULE, withCrons } from "./pipelines";

/** The addresses of `pulumi-computecloud emulator --port 4010`. */
const EMULATOR = `config:
  computecloud:apiKey: emulator-key
  computecloud:baseUrl: http://127.0.0.1:4010
  computecloud:serverlessUrl: http://127.0.0.1:4011
  computecloud:graphqlUrl: http://127.0.0.1:4010/graphql
`;
const CLOUD = "config:\n  computecloud:cloud: runpod\n";

/** Commands that a language needs after the packages. */
const INSTALL: Readonly<Record<Language, readonly string[]>> = {
  typescript: [],
  python: ["npx pulumi-computecloud plugin install", "pulumi install"],
  go: ["npx pulumi-computecloud plugin install", "pulumi install"],
  yaml: ["npx pulumi-computecloud plugin install"],
};

const isWindows = process.platform === "win32";
const START_EMULATOR = `npx pulumi-computecloud emulator --port 4010${isWindows ? "   # in" : " &   # or in"} a terminal of its own`;
const SET_KEY = isWindows ? '$env:COMPUTECLOUD_API_KEY = "…"' : "export COMPUTECLOUD_API_KEY=…";

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
    .description("Writes a project that is ready to run, with a pipeline file, and prints the next steps.")
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
    .action(async (folder, { language: chosen, emulator, with: parts, schedule: schedules, json }) => {
      const added = new Map((await Promise.all(parts.map(partFiles))).flatMap((each) => [...each]));
      const scheduled = added.get(SCHEDULE);
      if ((scheduled === undefined) !== (schedules === undefined))
        throw new Error("--with schedule and --schedule need each other. Add the other one, or leave both out.");
      const crons = await cronsIn(schedules ?? []);
      if (scheduled !== undefined) added.set(SCHEDULE, withCrons(scheduled, crons));
      const isThere = parts.length > 0 && existsSync(join(folder, PROJECT));
      const language = isThere ? await languageOf(folder) : chosen;
      const stack = emulator ? "trial" : "dev";
      const files = new Map(isThere ? added : await wholeProject(folder, language, stack, added));
      const place = placeOf(folder);
      const packages = await packagesOf(place.folder, place.root, !isThere);
      const hasPolicies = added.has(POLICIES) || existsSync(join(folder, POLICIES));
      const deployed = isThere || emulator ? await stackOf(folder) : stack;
      const pipelines = await Promise.all(
        [...files]
          .filter(([path]) => isPipeline(path))
          .map(([path, text]) =>
            pipelineOf(path, text, { place, packages, hasPolicies, stack: deployed, language: INSTALL[language] }),
          ),
      );
      const folderFiles = new Map([...files].filter(([path]) => !isPipeline(path)));
      // Those of the project first: where its Pulumi.yaml is taken, nothing is written.
      const written = paths(folder, await writeProject(folder, folderFiles, isThere ? [] : PROJECT_FILES));
      written.push(...paths(place.root, await writeProject(place.root, new Map(pipelines), [])));
      const pipelinePaths = pipelines.map(([path]) => path);
      const gitlab = await includeGitlab(place.root, pipelinePaths);
      if (gitlab.written !== undefined) written.push(...paths(place.root, [gitlab.written]));
      const all = [...paths(folder, [...folderFiles.keys()]), ...paths(place.root, pipelinePaths)];
      const existing = all.filter((path) => !written.includes(path));

      const install = isThere
        ? (await hasPackage(folder)) || parts.every((part) => part === "watch")
          ? []
          : [packages.add]
        : [...(await npmInstall(folder, files)), ...INSTALL[language]];
      const packed = hasPolicies ? " --policy-pack policy" : "";
      const next = [
        ...(relative(".", folder) === "" ? [] : [`cd ${quoted(folder)}`]),
        ...install,
        ...(added.has(POLICIES) ? ["npm install --prefix policy"] : []),
        ...(isThere ? [] : [emulator ? START_EMULATOR : SET_KEY, `pulumi stack init ${stack}`]),
        ...(gitlab.line === undefined ? [] : [`# in .gitlab-ci.yml: ${gitlab.line}`]),
        ...(parts.includes("pipeline") || scheduled !== undefined
          ? [
              ...(place.isRepository ? [] : ["git init"]),
              `git add --all${NOTES[scheduled === undefined ? "pipeline" : "schedule"]}`,
            ]
          : []),
        ...crons.map((cron) => onGitlab(cron, nameOf(place.path, deployed))),
        ...(isThere ? (parts.includes("policy") ? [`pulumi preview${packed}`] : []) : [`pulumi up${packed}`]),
        ...(parts.includes("watch")
          ? ["npx pulumi-computecloud watch --metrics :9464   # in a terminal of its own"]
          : []),
      ].map((line) => (packages.start === "yarn" ? line.replace(/^npx /, "yarn ") : line));
      const notes = [
        ...(files.has(GITHUB) && place.path !== ""
          ? [`The pipelines are in ${place.root}, the repository's root, and run in ${place.path}.`]
          : []),
        ...(hasPolicies && added.has("kubernetes.yaml")
          ? ["The Kubernetes operator enforces no policies: let another pipeline check them before main."]
          : []),
      ];
      if (json) return printJson({ folder, written, kept: existing, next, notes });
      if (existing.length > 0) print(`Left as it was: ${existing.join(", ")}. What you delete is written again.`);
      for (const note of notes) print(note);
      print(`Wrote ${written.length} ${written.length === 1 ? "file" : "files"}. Next:`);
      for (const line of next) print(`  ${line}`);
    });
}

/** As a person here would write them. */
const paths = (folder: string, files: readonly string[]) => files.map((file) => relative(".", join(folder, file)));

async function cronsIn(files: readonly string[]): Promise<string[]> {
  const crons = await Promise.all(
    files.map(async (file) => {
      const { data, error } = schedule.safeParse(await readJson(file));
      if (data === undefined)
        throw new Error(`${file} is not a schedule: ${z.prettifyError(error)}. Write it as the endpoint's argument.`);
      return new Timetable(data).crons(Date.now());
    }),
  );
  return [...new Set(crons.flat())];
}

const PROJECT = "Pulumi.yaml";
const POLICIES = "policy/PulumiPolicy.yaml";

const NOTES = {
  pipeline: "   # delete the pipelines of the other platforms first",
  schedule: "   # its times are those of today's rules: write it again when they change",
} as const;

/** On GitLab, schedules belong to the project's settings, not to a file. */
function onGitlab(cron: string, name: string): string {
  return `# on GitLab: glab schedule create --ref main --description ${name} --variable SCHEDULE:${name} --cron "${cron}"`;
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
  const pipeline = (await partFiles("pipeline")).get(GITHUB);
  if (stack !== "trial" && pipeline !== undefined) files.set(GITHUB, pipeline);
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
