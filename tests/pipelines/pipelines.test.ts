// @long: a runner of pipelines, and shell steps.
/* The recipes of docs/pipelines: valid by their schemas, and their shell steps run, in order, before an emulator. */

import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { parse, parseAllDocuments } from "yaml";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { linkCommand } from "../harness/commandLine";
import { scenarioForAll } from "../harness/scenario";
import { until } from "../harness/until";
import { type Forge, startForge } from "./forge";

interface Github {
  jobs: Record<string, { steps: { id?: string; run?: string; if?: string }[] }>;
}
type Gitlab = Record<string, { before_script?: string[]; script?: string[]; after_script?: string[] }>;

/** Its template is the component's own, with the disk that the service gives. */
const GATED = `
import { GatedEndpoint } from "pulumi-computecloud";
new GatedEndpoint("gated", {
  image: "registry.example.com/gated:1",
  gpu: { pools: ["AMPERE_16"] },
  workers: { min: 1, max: 2 },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  gate: { input: { text: "ping" } },
});
`;

const VOLUME = { kind: "NetworkVolume", args: { size: 100, dataCenter: "EU-RO-1", type: "STANDARD" } };

const recipe = (name: string) => join(checkout, "docs/pipelines", name);
const INSTALL = /\bnpm ci$/;

const scenario = scenarioForAll({ resources: { models: VOLUME } });
let tools: string;
let forgeEnv: Env;
let forges: { readonly github: Forge; readonly gitlab: Forge };

beforeAll(async () => {
  forges = { github: await startForge(), gitlab: await startForge() };
  const { project, folder } = scenario.stack;
  tools = join(folder, "tools");
  await linkCommand(project);
  forgeEnv = { ...(await forges.github.environment(tools)), CI_API_V4_URL: forges.gitlab.served.address };
});
afterAll(async () => {
  for (const forge of Object.values(forges ?? {})) await forge.served[Symbol.asyncDispose]();
});

/** What the last job wrote to its log. */
let log = "";

async function shell(script: string, env: Env = {}, flags = "-e"): Promise<number | undefined> {
  const { stack } = scenario;
  const { exitCode } = await run("bash", ["--norc", ...flags.split(" "), "-c", script], {
    onLine: (line) => {
      log += `${line}\n`;
    },
    cwd: stack.project,
    env: {
      ...stack.env,
      PATH: `${tools}${delimiter}${stack.env.PATH}`,
      NPM_CONFIG_OFFLINE: "true",
      CI: "true",
      RUNNER_TEMP: tools,
      MAX_USD: "2000",
      COMPUTECLOUD_READ_KEY: stack.env.COMPUTECLOUD_API_KEY ?? "",
      NAME: "gpu-prod",
      CI_JOB_ID: "11",
      ...forgeEnv,
      ...env,
    },
  });
  return exitCode;
}

type Env = Readonly<Record<string, string>>;
/** Where a job is cancelled: before its update begins, or while that creates a volume. */
type Cancelled = "installing" | "updating";

/** Runs a job's steps as GitHub does: none after one that failed, but those that always run, or run in a cancelled job. */
async function github(job: string, env?: Env, cancelled?: Cancelled, name = "github.yml"): Promise<number | undefined> {
  const { jobs } = parse(await readFile(recipe(name), "utf8")) as Github;
  log = "";
  await rm(join(tools, "up.pid"), { force: true });
  let failed: number | undefined = 0;
  let [isCancelled, outcome] = [false, "skipped"];
  for (const step of jobs[job]?.steps ?? []) {
    if (step.run === undefined) continue;
    const conditions: Readonly<Record<string, boolean>> = {
      "": failed === 0 && !isCancelled,
      "always()": true,
      "cancelled() && steps.up.outcome == 'cancelled'": isCancelled && outcome === "cancelled",
    };
    const runs = conditions[step.if ?? ""];
    if (runs === undefined) throw new Error(`The condition ${step.if} is not known to this test`);
    if (!runs) continue;
    if (INSTALL.test(step.run)) isCancelled = cancelled === "installing";
    else if (step.id === "up" && cancelled === "updating") {
      await runAndKill(step.run, env, join(tools, "up.pid"));
      [isCancelled, outcome] = [true, "cancelled"];
    } else {
      const code = await shell(step.run, env);
      if (failed === 0) failed = code;
    }
  }
  return failed;
}

async function gitlab(job: string, env?: Env, cancelled?: Cancelled): Promise<number | undefined> {
  const recipes = parse(await readFile(recipe("gitlab.yml"), "utf8")) as Gitlab;
  expect(recipes[".gpu-prod"]?.before_script).toEqual([expect.stringMatching(INSTALL)]);
  const { script = [], after_script: after = [] } = recipes[`gpu-prod:${job}`] ?? {};
  log = "";
  const marker = join(scenario.stack.project, "up-11.pid");
  await rm(marker, { force: true });
  const flags = "-eo pipefail";
  if (cancelled === "updating") await runAndKill(script.join("\n"), env, marker, flags);
  const code = cancelled === undefined ? await shell(script.join("\n"), env, flags) : 0;
  const status = cancelled !== undefined ? "canceled" : code === 0 ? "success" : "failed";
  await shell(after.join("\n"), { CI_JOB_STATUS: status, ...env }, flags);
  return code;
}

/** Begins an update, and kills it while it creates a volume. */
async function runAndKill(script: string, env: Env | undefined, marker: string, flags?: string): Promise<void> {
  const { service } = scenario;
  await service.fault({ match: { operation: "createNetworkVolume", times: 1 }, act: { delayMs: 3_000 } });
  await service.forgetCalls();
  const ended = shell(script, env, flags);
  await until(async () => (await service.calls()).includes("createNetworkVolume"));
  process.kill(Number(await readFile(marker, "utf8")), "SIGKILL");
  await ended;
}

/** A program whose update goes on until there is a file `go`. */
const WAITING = `
const { existsSync } = require("node:fs");
module.exports = (async () => {
  while (!existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 20));
})();
`;

const locks = async () =>
  (await readdir(join(scenario.stack.folder, "backend/.pulumi/locks"), { recursive: true }).catch(() => [])).filter(
    (name) => name.endsWith(".json"),
  );

const file = (name: string) => readFile(join(scenario.stack.project, name), "utf8");

describe("the recipes", () => {
  test.each([
    recipe("github.yml"),
    ".github/workflows/release.yml",
    ".github/workflows/live.yml",
    ".github/workflows/tests.yml",
  ])("for GitHub Actions are valid by GitHub's own schema: %s", async (workflow) => {
    const checker = join(__dirname, "workflowErrors.mjs");
    const { stdout, stderr } = await run(process.execPath, [checker, workflow], { cwd: checkout });
    expect(stdout + stderr).toBe("[]\n");
  });

  test("for GitLab CI are valid by GitLab's schema", async () => {
    const folder = join(scenario.stack.folder, "gitlab");
    await mkdir(folder);
    await copyFile(recipe("gitlab.yml"), join(folder, ".gitlab-ci.yml"));
    const main = require.resolve("gitlab-ci-local/dist/index.js");
    const check = `git init -q . && git remote add origin https://gitlab.example.com/acme/gpu.git && '${process.execPath}' '${main}' --list`;
    const { stdout, stderr, exitCode } = await run("bash", ["-c", check], { cwd: folder });
    expect([exitCode, stderr + stdout]).toEqual([0, expect.stringContaining("json schema validated")]);
  });

  test("for the operator name secrets that they declare", async () => {
    const all = parseAllDocuments(await readFile(recipe("kubernetes.yaml"), "utf8")).map((each) => each.toJS());
    const [secret, stack, account, binding, retry, requester, role, roleBinding] = all;
    expect(stack.spec.serviceAccountName).toBe(account.metadata.name);
    expect(binding).toMatchObject({
      roleRef: { kind: "ClusterRole", name: "system:auth-delegator" },
      subjects: [{ kind: "ServiceAccount", ...account.metadata }],
    });
    expect(stack).toMatchObject({ apiVersion: "pulumi.com/v1", kind: "Stack", spec: { resyncFrequencySeconds: 600 } });
    // A Stack that has stalled is updated again on this request, by an account that may do nothing else.
    const { serviceAccountName, containers } = retry.spec.jobTemplate.spec.template.spec;
    const asks = [`stacks.pulumi.com/${stack.metadata.name}`, "pulumi.com/reconciliation-request=$(REQUEST)"];
    expect(containers[0].args.slice(2)).toEqual(asks);
    const mayPatch = { apiGroups: ["pulumi.com"], resources: ["stacks"], verbs: ["get", "patch"] };
    expect(role.rules).toEqual([{ ...mayPatch, resourceNames: [stack.metadata.name] }]);
    expect(roleBinding).toMatchObject({ roleRef: { name: role.metadata.name }, subjects: [requester.metadata] });
    expect(serviceAccountName).toBe(requester.metadata.name);
    for (const { type, secret: named } of Object.values<{ type: string; secret?: { name: string; key: string } }>(
      stack.spec.envRefs,
    )) {
      if (type !== "Secret") continue;
      expect(named?.name).toBe(secret.metadata.name);
      expect(Object.keys(secret.stringData)).toContain(named?.key);
    }
  });

  test("preview with a comment, also where the cost is too high, deploy, and report drift", async () => {
    expect(await github("preview", { MAX_USD: "1" })).toBe(1);
    expect(await file("cost.md")).toMatch(/### Cost a month: \$0\.00 → \$7\.00[\s\S]*\*\*Too much:\*\* \$7\.00 a/);
    expect(await gitlab("preview")).toBe(0);
    for (const forge of Object.values(forges))
      expect(forge.comments).toMatchObject([{ body: expect.stringMatching(/^## gpu-prod\n\n### Cost a month/) }]);

    expect(await github("up")).toBe(0);
    expect(await github("drift")).toBe(0);
    expect(forges.github.log).toEqual([]);
  });

  // Night by night, and beside other projects: projects.test.ts.
  test("report drift, and fail without a word where it can't be compared", async () => {
    const { id } = await scenario.stack.resource("models");
    await scenario.service.rest("PATCH", `/v2/network-volumes/${id}`, { size: 400 });
    expect([await github("drift"), await gitlab("drift")]).toEqual([0, 0]);
    const body = expect.stringContaining("`size` is `400`, declared `100`");
    for (const { issues } of Object.values(forges)) expect(issues).toMatchObject([{ body }]);
    const wrong = { COMPUTECLOUD_READ_KEY: "wrong", COMPUTECLOUD_API_KEY: "wrong" };
    expect([await github("drift", wrong), await gitlab("drift", wrong)]).not.toContain(0);
    for (const { log } of Object.values(forges)) expect(log).toEqual(["open Drift in gpu-prod"]);
  });

  test("show the errors of a preview that fails in the log and in the comment", async () => {
    await scenario.declare({ models: { ...VOLUME, args: { ...VOLUME.args, size: 1 } } });
    const said = /size: .*at least 10|>=10/;
    for (const preview of [() => github("preview"), () => gitlab("preview")]) {
      await writeFile(join(scenario.stack.project, "cost.md"), "");
      expect(await preview()).not.toBe(0);
      expect(log).toMatch(said);
      expect(await file("cost.md")).toMatch(/^### The preview failed\n\n- `/);
      expect(await file("cost.md")).toMatch(said);
    }
    for (const { comments } of Object.values(forges))
      expect(comments.at(-1)?.body).toMatch(/^## gpu-prod\n\n### The preview failed/);
  });

  test("notice a key that has expired, though nothing changes", async () => {
    await scenario.declare({ models: { ...VOLUME, args: { ...VOLUME.args, size: 400 } } });
    const expired = { COMPUTECLOUD_API_KEY: "expired" };
    expect([await github("up"), await gitlab("up")]).toEqual([0, 0]);
    expect([await github("up", expired), await gitlab("up", expired)]).toEqual([1, 1]);
  });

  test.each([
    ["GitHub's", (cancelled?: Cancelled) => github("up", {}, cancelled)],
    ["GitHub's by schedule", (cancelled?: Cancelled) => github("up", {}, cancelled, "schedule.yml")],
    ["GitLab's", (cancelled?: Cancelled) => gitlab("up", {}, cancelled)],
  ])("%s leave the lock of a colleague's update, and free their own", async (_, up) => {
    const { stack, service } = scenario;
    await stack.edit(WAITING);
    await rm(join(stack.project, "go"), { force: true });
    const colleague = run("pulumi", ["up", "--yes", "--skip-preview"], { cwd: stack.project, env: stack.env });
    await until(async () => (await locks()).length > 0);
    const lock = await locks();
    await up("installing");
    expect(await locks()).toEqual(lock);
    // Its own update, which finds the stack locked.
    expect(await up()).not.toBe(0);
    expect(log).toContain("currently locked");
    // Even if it is named, since its process runs.
    const [, id = ""] = /([\w-]+)\.json/.exec(lock[0] ?? "") ?? [];
    expect([await github("unlock", { LOCK: id }), await locks()]).toEqual([1, lock]);
    expect(log).toContain("stays, because its process is running");
    await writeFile(join(stack.project, "go"), "");
    expect(await colleague).toMatchObject({ exitCode: 0 });
    expect(await locks()).toEqual([]);

    const before = (await service.state()).networkVolumes.length;
    await scenario.declare({ cancelled: VOLUME });
    await up("updating");
    expect(log).toContain("freed, because it was this run's own");
    expect(await up()).toBe(0);
    expect((await service.state()).networkVolumes).toHaveLength(before + 1);
    await stack.destroy();
  });

  test.each(Object.entries({ github, gitlab }))("%s: a person frees the lock of a runner that died", async (_, job) => {
    const { stack, service } = scenario;
    await scenario.declare({ died: VOLUME });
    await runAndKill("echo $$ > dead.pid; exec pulumi up --yes", {}, join(stack.project, "dead.pid"));
    expect(await job("up")).not.toBe(0);
    const [, id = ""] = /([\w-]+)\.json\S*: created by/.exec(log) ?? [];
    expect(await job("unlock")).toBe(1);
    expect(log).toContain(`If that has ended for certain: npx pulumi-computecloud unlock ${id}`);
    expect(await job("unlock", { LOCK: id })).toBe(0);
    expect(await job("up")).toBe(0);
    expect(await job("unlock")).toBe(0);
    expect(log).toContain("is not locked");
    expect((await service.state()).networkVolumes).toHaveLength(1);
    await stack.destroy();
  });

  test.each([
    ["the README's program", "README.md", GATED],
    ["the program that init writes", "templates/typescript/index.ts", ""],
  ])("let %s pass, at the price that it has once it is made", async (_, path, further) => {
    const { stack } = scenario;
    await stack.destroy();
    const text = await readFile(join(checkout, path), "utf8");
    const [, program = text] = /```ts\n([\s\S]*?)```/.exec(text) ?? [];
    const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true };
    await stack.edit(transpileModule(program + further, { compilerOptions }).outputText);
    await stack.setConfig("registryPassword", { secret: "hunter2" });
    const sums = async () => /Cost a month: (.*) → (.*) \(/.exec(await file("cost.md"))?.slice(1);
    expect(await github("preview")).toBe(0);
    const [, sum] = (await sums()) ?? [];
    expect(await gitlab("preview")).toBe(0);
    await stack.up();
    expect(await github("preview")).toBe(0);
    expect(await sums()).toEqual([sum, sum]);
  });
});
