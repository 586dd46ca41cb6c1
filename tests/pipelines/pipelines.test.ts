// @long: a runner of pipelines, and shell steps.
/* The recipes of docs/pipelines: valid by their schemas, and their shell steps run, in order, before an emulator. */
import { once } from "node:events";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { parse, parseAllDocuments } from "yaml";
import manifest, { bin } from "../../package.json";
import { checkout } from "../harness/checkout";
import { run } from "../harness/process";
import { newScenario, type Scenario } from "../harness/scenario";

interface Github {
  jobs: Record<string, { steps: { run?: string; if?: string; env?: Record<string, string> }[] }>;
}
interface Gitlab {
  default: { before_script: string[] };
  [job: string]: { script?: string[] } | { before_script: string[] };
}

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

const recipe = (name: string) => join(checkout, "docs/pipelines", name);
const INSTALL = /\bnpm ci$/;

let scenario: Scenario;
let tools: string;
let forge: Server;
/** What reached the interface of the forge. */
const posted: { url: string; form: Record<string, string> }[] = [];

beforeAll(async () => {
  forge = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    posted.push({ url: request.url ?? "", form });
    response.writeHead(201).end("{}");
  });
  await once(forge.listen(0, "127.0.0.1"), "listening");
  scenario = await newScenario({
    resources: { models: { kind: "NetworkVolume", args: { size: 100, dataCenter: "EU-RO-1", type: "STANDARD" } } },
  });
  const { project, folder } = scenario.stack;
  tools = join(folder, "tools");
  const bins = join(project, "node_modules/.bin");
  await mkdir(tools);
  await mkdir(bins, { recursive: true });
  // What `npm ci` would link.
  const main = join(checkout, bin["pulumi-computecloud"]);
  await writeFile(join(bins, "pulumi-computecloud"), `#!/bin/sh\nexec node '${main}' "$@"\n`, { mode: 0o755 });
  await writeFile(join(tools, "gh"), '#!/bin/sh\necho "$@" >> gh.log\n', { mode: 0o755 });
});
afterAll(async () => {
  forge?.close();
  await scenario?.[Symbol.asyncDispose]();
});

async function shell(script: string, env: Record<string, string> = {}): Promise<number | undefined> {
  const { stack } = scenario;
  const { exitCode } = await run("bash", ["-eo", "pipefail", "-c", script], {
    cwd: stack.project,
    env: {
      ...stack.env,
      PATH: `${tools}${delimiter}${stack.env.PATH}`,
      NPM_CONFIG_OFFLINE: "true",
      MAX_USD: "2000",
      COMPUTECLOUD_READ_KEY: stack.env.COMPUTECLOUD_API_KEY ?? "",
      CI_API_V4_URL: `http://127.0.0.1:${(forge.address() as AddressInfo).port}/api/v4`,
      CI_PROJECT_ID: "7",
      CI_MERGE_REQUEST_IID: "3",
      GITLAB_TOKEN: "token",
      PULL_REQUEST: "12",
      ...env,
    },
  });
  return exitCode;
}

/** Runs a job's steps as GitHub does: none after one that failed, but those that always run. */
async function github(job: string, env?: Record<string, string>): Promise<number | undefined> {
  const { jobs } = parse(await readFile(recipe("github.yml"), "utf8")) as Github;
  let failed: number | undefined = 0;
  for (const step of jobs[job]?.steps ?? []) {
    if (step.run === undefined || INSTALL.test(step.run) || (failed !== 0 && step.if !== "always()")) continue;
    const code = await shell(step.run, env);
    if (failed === 0) failed = code;
  }
  return failed;
}

async function gitlab(job: string, env?: Record<string, string>): Promise<number | undefined> {
  const recipes = parse(await readFile(recipe("gitlab.yml"), "utf8")) as Gitlab;
  expect(recipes.default.before_script).toEqual([expect.stringMatching(INSTALL)]);
  const found = recipes[job];
  const script = found !== undefined && "script" in found ? (found.script ?? []) : [];
  return shell(script.join("\n"), env);
}

const file = (name: string) => readFile(join(scenario.stack.project, name), "utf8");

describe("the recipes", () => {
  test.each([recipe("github.yml"), ".github/workflows/release.yml", ".github/workflows/live.yml"])(
    "for GitHub Actions are valid by GitHub's own schema: %s",
    async (workflow) => {
      const checker = join(__dirname, "workflowErrors.mjs");
      const { stdout, stderr } = await run(process.execPath, [checker, workflow], { cwd: checkout });
      expect(stdout + stderr).toBe("[]\n");
    },
  );

  test("for a release run scripts that there are", async () => {
    const release = await readFile(join(checkout, ".github/workflows/release.yml"), "utf8");
    const named = Array.from(release.matchAll(/npm run ([\w:]+)/g), ([, name]) => name);
    expect(named).toEqual(["check", "test:package", "plugin", "artifacts"]);
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(named));
  });

  test("for GitLab CI are valid by GitLab's schema", async () => {
    const folder = join(scenario.stack.folder, "gitlab");
    await mkdir(folder);
    await copyFile(recipe("gitlab.yml"), join(folder, ".gitlab-ci.yml"));
    const main = require.resolve("gitlab-ci-local/dist/index.js");
    const check = `git init -q . && git remote add origin https://gitlab.example.com/acme/gpu.git && '${process.execPath}' '${main}' --list`;
    const { stdout, stderr, exitCode } = await run("bash", ["-c", check], { cwd: folder });
    expect(stderr + stdout).toContain("json schema validated");
    expect(exitCode).toBe(0);
    const jobs = async (...variables: string[]) => {
      const given = variables.flatMap((variable) => ["--variable", variable]);
      const list = [main, "--list", "--ignore-predefined-vars", "CI_PIPELINE_SOURCE", ...given];
      const listed = await run(process.execPath, list, { cwd: folder });
      return listed.stdout.match(/^(preview|up|drift)\b/gm);
    };
    // Pipeline schedules: the night's, and those that init prints for endpoints with a schedule.
    expect(await jobs("CI_PIPELINE_SOURCE=schedule")).toEqual(["drift"]);
    expect(await jobs("CI_PIPELINE_SOURCE=schedule", "SCHEDULE=workers")).toEqual(["up"]);
  });

  test("for the operator name secrets that they declare", async () => {
    const [secret, stack] = parseAllDocuments(await readFile(recipe("kubernetes.yaml"), "utf8")).map((each) =>
      each.toJS(),
    );
    expect(stack).toMatchObject({ apiVersion: "pulumi.com/v1", kind: "Stack", spec: { resyncFrequencySeconds: 600 } });
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
    expect(await file("cost.md")).toMatch(
      /### Cost a month: \$0\.00 → \$7\.00[\s\S]*\*\*Too much:\*\* \$7\.00 a month/,
    );
    expect(await file("gh.log")).toBe("pr comment 12 --edit-last --create-if-none --body-file cost.md\n");
    expect(await gitlab("preview")).toBe(0);
    expect(posted).toMatchObject([
      { url: "/api/v4/projects/7/merge_requests/3/notes", form: { body: expect.stringContaining("### Cost a month") } },
    ]);

    expect(await github("up")).toBe(0);
    expect(await github("drift")).toBe(0);
    expect(await file("gh.log")).not.toContain("issue");

    const { id } = await scenario.stack.resource("models");
    await scenario.service.rest("PATCH", `/v2/network-volumes/${id}`, { size: 300 });
    expect(await github("drift")).toBe(0);
    expect(await file("gh.log")).toContain("issue create --title Drift in dev --body-file drift.md\n");
    expect(await gitlab("drift")).toBe(0);
    expect(posted.slice(1)).toMatchObject([
      {
        url: "/api/v4/projects/7/issues",
        form: { title: "Drift in dev", description: expect.stringContaining("`size` is `300`, declared `100`") },
      },
    ]);
    expect(await github("drift", { COMPUTECLOUD_API_KEY: "wrong" })).not.toBe(0);
    expect(posted).toHaveLength(2);
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
