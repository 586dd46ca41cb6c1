/*
 * Several projects in one repository: nothing that they share has a name of two of them, each pipeline runs in its project's
 * folder, and issues and comments of one are left by the others. GitLab's pipelines run in its local runner.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parse, parseAllDocuments } from "yaml";
import { runOrThrow } from "../../tools/run/process";
import { MAIN, scripted } from "../harness/commandLine";
import { folderForAll } from "../harness/folder";
import { type Forge, startForge } from "./forge";

/** Names of folders that are easily taken for one another. */
const PROJECTS = ["apps/a", "apps-a", ".", "apps_a"] as const;
/** Logs where it runs; a drift, a cost and a plan are what the project's file of that name says. */
const PROGRAM = `echo "$PWD \${0##*/} $*" >> "$STEPS"
case "$2" in cost | plan | drift) cat "$2.txt" 2>/dev/null; [ "$2" != drift ] || [ ! -s drift.txt ] ;; esac
`;

const folder = folderForAll();
let forge: Forge;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  forge = await startForge();
  const tools = folder.at("tools");
  const repository = folder.at("repository");
  env = {
    ...(await scripted(tools, { npm: PROGRAM, npx: PROGRAM, pulumi: PROGRAM, rsync: PROGRAM })),
    HOME: folder.path,
    STEPS: folder.at("steps.log"),
    ...(await forge.environment(tools)),
  };
  await mkdir(repository);
  await shell("git init --quiet --initial-branch=main");
  await shell("git remote add origin https://gitlab.example.com/acme/gpu.git");
  const schedule = JSON.stringify({ timezone: "UTC", rules: [{ from: "08:00", to: "20:00", workersMax: 2 }] });
  await writeFile(folder.at("schedule.json"), schedule);
  const parts = ["--with", "pipeline,schedule,watch", "--schedule", folder.at("schedule.json"), "--json"];
  for (const project of PROJECTS) {
    await mkdir(join(repository, project), { recursive: true });
    await writeFile(join(repository, project, "Pulumi.yaml"), "name: gpu\nruntime: nodejs\n");
    const written = await runOrThrow(process.execPath, [MAIN, "init", project, ...parts], { cwd: repository, env });
    expect(JSON.parse(written).kept).toEqual([]);
  }
  await shell("git add --all && git -c user.name=a -c user.email=a@b commit --quiet --message=first");
});
afterAll(async () => forge?.served[Symbol.asyncDispose]());

const shell = (script: string, cwd = ".", more = {}) =>
  runOrThrow("bash", ["--norc", "-e", "-c", script], { cwd: folder.at("repository", cwd), env: { ...env, ...more } });

const read = async (path: string) => parse(await readFile(folder.at("repository", path), "utf8"));

/** A project's workflow, of those that `init` has written. */
async function workflow(project: string, kind = "gpu") {
  const files = (await readdir(folder.at("repository/.github/workflows"))).filter((file) => file.startsWith(kind));
  const all = await Promise.all(files.map(async (file) => ({ file, ...(await read(`.github/workflows/${file}`)) })));
  return all.find(({ defaults }) => (defaults?.run["working-directory"] ?? ".") === project);
}
const nameOf = async (project: string): Promise<string> => (await workflow(project)).env.NAME;

/** Where steps have run since the last call. */
async function steps(pattern: RegExp): Promise<string[]> {
  const lines = (await readFile(folder.at("steps.log"), "utf8")).split("\n");
  await rm(folder.at("steps.log"), { force: true });
  const root = folder.at("repository");
  return lines
    .filter((line) => pattern.test(line))
    .map((line) => line.replace(root, "").replace(/^\//, "./"))
    .sort();
}

/** Runs the jobs of the repository's pipeline of GitLab that its rules choose. */
function gitlab(...variables: string[]): Promise<string> {
  const runner = [require.resolve("gitlab-ci-local/dist/index.js"), "--force-shell-executor"];
  const options = ["--no-json-schema-validation", "--ignore-predefined-vars", "CI_PIPELINE_SOURCE,CI_API_V4_URL"];
  const values = [`CI_API_V4_URL=${env.CI_API_V4_URL}`, ...variables].flatMap((each) => ["--variable", each]);
  return runOrThrow(process.execPath, [...runner, ...options, ...values], { cwd: folder.at("repository"), env });
}

/** Runs a job of each project's workflow. */
async function github(job: string): Promise<void> {
  for (const project of PROJECTS) {
    const { jobs, env: shared } = await workflow(project);
    for (const { run } of jobs[job].steps) if (run !== undefined) await shell(run, project, shared);
  }
}

interface GitlabJob {
  readonly extends?: string;
  readonly variables?: { readonly NAME: string };
  readonly cache?: { readonly key: string };
  readonly resource_group?: string;
  readonly environment?: string;
}

/** Every name of a project in files that all projects of the repository, or of a cluster, share. */
async function namesOf(project: string): Promise<(string | undefined)[]> {
  const [github, schedule] = [await workflow(project), await workflow(project, "schedule")];
  const gitlab = Object.entries<GitlabJob>(await read(`${project}/gpu.gitlab-ci.yml`));
  const jobs = gitlab.map(([, job]) => job);
  const kubernetes = ["", "watch"].map((part) =>
    readFile(folder.at("repository", project, part, "kubernetes.yaml"), "utf8"),
  );
  const steps: { with?: Record<string, string> }[] = [...github.jobs.up.steps, ...schedule.jobs.up.steps];
  const caches = steps.flatMap(({ with: { key, "restore-keys": restored } = {} }) =>
    key ? [key, restored ?? key] : [],
  );
  expect(caches).toHaveLength(8);
  return [
    ...[github.file, schedule.file, github.name, schedule.name, github.env.NAME, ...caches],
    ...[github.jobs.preview.concurrency.group, github.jobs.up.concurrency, github.jobs.unlock.concurrency],
    schedule.jobs.up.concurrency,
    ...gitlab.map(([name]) => name),
    ...jobs.flatMap((job) => [job.extends, job.variables?.NAME, job.cache?.key, job.resource_group, job.environment]),
    ...(await Promise.all(kubernetes)).flatMap((text) =>
      parseAllDocuments(text).map((each) => each.toJS().metadata.name),
    ),
  ];
}

test("share no name", async () => {
  const names = await Promise.all(PROJECTS.map(async (project) => (await namesOf(project)).filter(Boolean)));
  expect(new Set(names.map(({ length }) => length)).size).toBe(1);
  // A cache is restored by the beginning of its key.
  const isShared = (mine = "", other = "") => mine === other || (mine.endsWith("/notes-") && other.startsWith(mine));
  for (const mine of names)
    for (const other of names.filter((each) => each !== mine))
      expect(mine.filter((name) => other.some((each) => isShared(name, each)))).toEqual([]);
});

test("are each deployed in their own folder", async () => {
  await gitlab();
  expect(await steps(/pulumi up/)).toEqual(
    [...PROJECTS].sort().map((project) => `${project === "." ? "" : `./${project}`} pulumi up --yes`),
  );
  await gitlab("CI_PIPELINE_SOURCE=schedule", `SCHEDULE=${await nameOf("apps-a")}`);
  expect(await steps(/pulumi (up|preview)|doctor|drift/)).toEqual([
    "./apps-a npx pulumi-computecloud doctor",
    "./apps-a pulumi up --yes",
  ]);
  // The night's.
  await gitlab("CI_PIPELINE_SOURCE=schedule");
  expect(new Set((await steps(/pulumi (up|preview)|doctor|drift/)).map((line) => line.split(" ")[3]))).toEqual(
    new Set(["drift"]),
  );
});

test.each([
  ["GitHub", () => github("drift")],
  ["GitLab", () => gitlab("CI_PIPELINE_SOURCE=schedule")],
])("have an issue each of their drift at %s, night by night", async (_, night) => {
  const [drifted, other] = PROJECTS;
  const drift = (project: string, text: string) => writeFile(folder.at("repository", project, "drift.txt"), text);
  const title = async (project: string) => `Drift in ${await nameOf(project)}`;
  const [first, second] = [await title(drifted), await title(other)];
  const writtenAtNight = async () => {
    forge.log = [];
    await night();
    return forge.log.sort();
  };
  await drift(drifted, "one volume");
  expect(await writtenAtNight()).toEqual([`open ${first}`]);
  await drift(drifted, "two volumes");
  await drift(other, "a pod");
  expect(await writtenAtNight()).toEqual([`edit ${first}`, `open ${second}`]);
  expect(forge.issues).toMatchObject([
    { title: first, body: "two volumes" },
    { title: second, body: "a pod" },
  ]);
  await drift(drifted, "");
  expect(await writtenAtNight()).toEqual([`close ${first}`, `edit ${second}`]);
  await drift(other, "");
  expect(await writtenAtNight()).toEqual([`close ${second}`]);
});

test("have a comment each of their cost, which the next preview replaces", async () => {
  const cost = async (text: string) => {
    for (const project of PROJECTS)
      await writeFile(folder.at("repository", project, "cost.txt"), `${text} ${project}\n`);
  };
  const headings = await Promise.all(PROJECTS.map(async (project) => `## ${await nameOf(project)}`));
  // Somebody's answer, which no job may change.
  forge.comment(`${headings[0]}\n\nis too dear`, undefined, { login: "colleague" });
  await cost("first");
  await github("preview");
  await cost("second");
  await github("preview");
  const [answer, ...ours] = forge.comments;
  expect(answer?.body).toContain("too dear");
  expect(ours.map(({ body }) => body)).toEqual(PROJECTS.map((project, at) => `${headings[at]}\n\nsecond ${project}\n`));
});
