// @long: every example on a real engine.
/*
 * examples/policy on a real engine: programs that break one rule each are refused in the preview, every example passes.
 */
import { existsSync, readdirSync } from "node:fs";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { parse } from "yaml";
import { withPolicyPack } from "../../cli/init/pipelines";
import { monthlyCost } from "../../provider/cost";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { newStack, type Stack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { linkCommand, scripted } from "../harness/commandLine";
import { programOf, type Resources } from "../harness/program";
import { stackForAll } from "../harness/scenario";

/** The runtime of the packs: the host that the engine was built with starts none. */
const RUNTIME = "node-policies";
const STARTER = `exec node '${join(__dirname, "host.cjs")}' "$@"`;

const { emulator, service } = emulatorForAll();
const stack = stackForAll(() => ({ program: programOf({}), emulator }));
let pack: string;
beforeAll(async () => {
  pack = join(stack.folder, "policy");
  const isOwn = (path: string) => !path.includes("node_modules");
  await cp(join(checkout, "examples/policy"), pack, { recursive: true, filter: isOwn });
  // Pulumi checks a pack's types at every start; here they are checked with those of all examples.
  const source = join(pack, "index.ts");
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
  const { outputText } = transpileModule(await readFile(source, "utf8"), { compilerOptions });
  await writeFile(join(pack, "index.js"), outputText);
  await rm(source);
  await writeFile(join(pack, "PulumiPolicy.yaml"), JSON.stringify({ runtime: RUNTIME, main: "." }));
  await scripted(join(stack.folder, "bin"), { [`pulumi-language-${RUNTIME}`]: STARTER });
});

const withPack = (at: Stack, fails: boolean) => ({
  args: ["--policy-pack", pack],
  fails,
  env: { PATH: `${join(stack.folder, "bin")}${delimiter}${at.env.PATH}` },
});

const gpu = { id: "NVIDIA GeForce RTX 4090" };
const image = "registry.example.com/chat:1.4.0";
const scaling = { type: "REQUEST_COUNT", requestCount: 1 };
const queue = { type: "QUEUE", image, gpu: { pools: ["AMPERE_24"] }, scaling };

const container = (args: object): Resources => ({ chat: { kind: "ServerlessContainer", args: { ...queue, ...args } } });

/** Three hours that begin in twelve. */
function later(workers: object) {
  const hour = (offset: number) => `${String((new Date().getUTCHours() + offset) % 24).padStart(2, "0")}:00`;
  return { timezone: "UTC", rules: [{ from: hour(12), to: hour(15), ...workers }] };
}

test.each<[string, Resources, RegExp]>([
  [
    "budget",
    { fast: { kind: "NetworkVolume", args: { size: 4096, dataCenter: "EU-RO-1", type: "HIGH_PERFORMANCE" } } },
    /the price of fast is not known, so the budget can't be checked \(type: can't be estimated.*\)\. Give it in prices/,
  ],
  [
    "budget",
    {
      // What else of a resource is not known yet has no say in its price.
      images: { kind: "Registry", args: { username: "ci", password: "$secret:hunter2" } },
      big: { kind: "Pod", args: { image, gpu: { ...gpu, count: 8 }, registry: "$images.id" } },
    },
    /the stack costs \$2574\.60 a month, and its budget is \$1000\. Most of it, \$2574\.60, is big: look at its gpu/,
  ],
  [
    "workers-at-most",
    // In force at no time of this test, whenever it runs.
    container({ workers: { max: 3 }, schedule: later({ workersMax: 40 }) }),
    /schedule\.rules\[0\]\.workersMax is 40, and at most 10 workers are agreed/,
  ],
  [
    "always-on-by-name",
    container({ schedule: later({ workersMin: 1, workersMax: 3 }) }),
    /schedule\.rules\[0\]\.workersMin is 1: workers are always on only where the name holds/,
  ],
  [
    "always-on-by-name",
    {
      t: { kind: "Template", args: { image, serverless: true } },
      chat: { kind: "ServerlessEndpoint", args: { template: "$t", gpuIds: "AMPERE_16", workersMin: 1 } },
      "chat-always-on": { kind: "ServerlessContainer", args: { ...queue, workers: { min: 1 } } },
    },
    /workersMin is 1: workers are always on only where the name holds "always-on"/,
  ],
  [
    "pinned-images",
    { chat: { kind: "Template", args: { image: "registry.example.com:5000/chat" } } },
    /image is registry\.example\.com:5000\/chat: give it a tag other than latest, or a digest/,
  ],
  [
    "no-secrets-in-env",
    {
      db: { kind: "Secret", args: { name: "team/db-1.key", value: "$secret:hunter2" } },
      chat: {
        kind: "Template",
        args: { image, env: { HF_TOKEN: "hunter2", DB_PASSWORD: "{{ RUNPOD_SECRET_team/db-1.key }}", MODEL: "tiny" } },
        options: { dependsOn: "$db" },
      },
    },
    /env\.HF_TOKEN looks like a credential/,
  ],
])("a program that breaks %s is refused in the preview, with its argument", async (policy, resources, said) => {
  await stack.edit(programOf(resources));
  const { stdout, stderr } = await stack.preview(withPack(stack, true));
  const text = stdout + stderr;
  expect(text).toMatch(said);
  expect(text).toContain(policy);
  // What keeps to the rules is not named, nor what a secret is.
  expect(text).not.toMatch(/workers\.min|DB_PASSWORD|MODEL|hunter2/);
  expect(await service.isEmpty()).toBe(true);
});

test("a pull request's comment and the job's log show each rule that is broken, its resource and its value", async () => {
  const { project } = stack;
  const { jobs } = parse(await readFile(join(checkout, "docs/pipelines/github.yml"), "utf8"));
  const scripts: string[] = jobs.preview.steps.flatMap(({ run: script = "" }) =>
    /preview\.json/.test(script) ? [script] : [],
  );
  await linkCommand(project);
  const env = { ...stack.env, ...withPack(stack, false).env, PULUMI_DEBUG_COMMANDS: "true", MAX_USD: "9999" };
  const steps = async (resources: Resources) => {
    await stack.edit(programOf(resources));
    let log = "";
    for (const script of scripts) {
      const line = withPolicyPack(script).replace("pack policy", `pack '${pack}'`);
      const { exitCode, stdout, stderr } = await run("bash", ["-e", "-c", line], { cwd: project, env });
      log += stdout + stderr;
      if (exitCode !== 0) break;
    }
    return { log, comment: await readFile(join(project, "cost.md"), "utf8") };
  };
  const cheap = { kind: "Pod", args: { image, gpu, cloud: "COMMUNITY" } };
  const broken = await steps({ ...container({ workers: { max: 11 } }), cheap });
  expect(broken.log).toMatch(/refused by computecloud\/workers-at-most: chat .*workers\.max is 11, and at most 10/);
  expect(broken.log).toMatch(/refused by computecloud\/secure-cloud: cheap .*cloud is COMMUNITY/);
  expect(broken.comment).toMatch(/^### The preview failed\n[\s\S]*\n### Policies\n/);
  expect(broken.comment).toMatch(/- refused by `computecloud\/workers-at-most`: `chat` `.*workers\.max is 11/);

  await service.settings({ workerQuota: 2 });
  const advised = await steps(container({ workers: { max: 3 } }));
  await service.settings({ workerQuota: 1000 });
  expect(advised.log).toMatch(/advice by computecloud\/workers-quota: .* the stack's endpoints ask for 3 workers/);
  expect(advised.comment).toMatch(
    /^### Cost a month[\s\S]*\n### Policies\n\n- advice by `computecloud\/workers-quota`/,
  );
});

test("a native endpoint whose template leaves out the disk has a price in the preview", async () => {
  await stack.edit(`
    const { Pod, Provider, Template, ServerlessEndpoint, ServerlessContainer } = require("pulumi-computecloud");
    const provider = new Provider("cloud");
    const image = "${image}";
    const chat = new Template("chat", { image, serverless: true }, { provider });
    new ServerlessEndpoint("chat", { templateId: chat.id, gpuIds: "AMPERE_16", workersMax: 2 }, { provider });
    new ServerlessContainer("rank", ${JSON.stringify(queue)}, { provider });
    new Pod("dev", ${JSON.stringify({ image, gpu })}, { provider });
  `);
  const { stdout, stderr } = await stack.preview(withPack(stack, false));
  expect(stdout + stderr).not.toMatch(/price of|known before/);
});

test("workers above the account's quota are reported in the preview, those of the stack counted once", async () => {
  await using ownStack = await newStack({ program: programOf({}), emulator });
  await service.settings({ workerQuota: 20 });
  const foreign = await service.create("/v2/serverless", { ...queue, name: "foreign", workers: { min: 0, max: 5 } });
  const endpoints = (max: number): Resources => ({
    t: { kind: "Template", args: { image, serverless: true } },
    ...container({ workers: { max } }),
    rank: { kind: "ServerlessEndpoint", args: { template: "$t", gpuIds: "AMPERE_16", workersMax: 4 } },
    rest: {
      kind: "ServerlessFleet",
      args: {
        defaults: { template: "$t", gpuIds: "AMPERE_16" },
        endpoints: { a: { workersMax: 1 }, b: { workersMax: max - 6 } },
      },
    },
  });
  const quotaWarning = async () => {
    const { stdout, stderr } = await ownStack.preview(withPack(ownStack, false));
    return /the stack's endpoints ask for .*/.exec(stdout + stderr)?.[0];
  };

  await ownStack.edit(programOf(endpoints(9)));
  expect(await quotaWarning()).toBe(
    "the stack's endpoints ask for 17 workers, and others of the account for 5: the quota is 20. " +
      "Lower the maximum of chat, which is 9, or others by 2 together.",
  );
  await ownStack.edit(programOf(endpoints(7)));
  expect(await quotaWarning()).toBeUndefined();
  // The stack's endpoints are in the account now, and are not counted twice.
  await ownStack.up();
  expect(await quotaWarning()).toBeUndefined();
  await ownStack.edit(programOf(endpoints(9)));
  expect(await quotaWarning()).toMatch("ask for 17 workers, and others of the account for 5");

  await ownStack.destroy();
  // Nor is one that it adopts, under a name of its own.
  await service.settings({ workerQuota: 9 });
  await ownStack.edit(programOf(container({ adoptId: foreign, name: "mine", workers: { max: 10 } })));
  expect(await quotaWarning()).toMatch("ask for 10 workers, and others of the account for 0");
  await service.removed(`/v2/serverless/${foreign}`);
  await service.settings({ workerQuota: 1000 });
});

const isProgram = (name: string) =>
  ["Pulumi.yaml", "index.ts"].every((file) => existsSync(join(checkout, "examples", name, file)));
// The image of `image` is built by another provider, which its own test stands in for.
const examples = readdirSync(join(checkout, "examples")).filter(
  (name) => !["image", "policy"].includes(name) && isProgram(name),
);

/** What examples/adopt takes over. */
async function createExisting(): Promise<Record<string, string>> {
  const volumeId = await service.create("/v2/network-volumes", { name: "models", size: 100, dataCenter: "EU-RO-1" });
  const templateId = await service.create("/v2/templates", { name: "chat", image, serverless: true });
  return { volumeId, templateId };
}

test.each(examples)("examples/%s passes", async (name) => {
  const config = name === "adopt" ? await createExisting() : {};
  await using example = await newStack({ program: { folder: `examples/${name}` }, emulator, config });
  // The training clusters of their example are dear: whoever has such gives the pack a budget for them. Which tier a volume
  // has that is adopted is known when it is read.
  // The guide's name, beside the pack: Node would load a policy.json in place of the folder.
  const [, named = ""] =
    /--policy-pack-config (\S+)/.exec(await readFile(join(checkout, "docs/policies.md"), "utf8")) ?? [];
  const limits = join(stack.folder, named);
  await writeFile(
    limits,
    JSON.stringify({ budget: { usd: name === "training" ? 100_000 : 1_000, allowUnknown: name === "adopt" } }),
  );
  const { args, ...options } = withPack(example, false);
  await example.preview({ ...options, args: [...args, "--policy-pack-config", limits] });
});

test("rules of one's own have the estimate", async () => {
  const pod = { type: "computecloud:index:Pod", name: "trainer", props: { gpu: { ...gpu, count: 1 } } };
  const fast = { type: "computecloud:index:NetworkVolume", props: { size: 10, type: "HIGH_PERFORMANCE" } };
  expect(await monthlyCost([pod, fast, { type: "aws:s3/bucket:Bucket", props: {} }], emulator)).toEqual({
    min: 326.2,
    max: 326.2,
    resources: [{ resource: pod, min: 326.2, max: 326.2 }],
    unknown: [{ resource: fast, reason: expect.stringContaining("type: can't be estimated") }],
  });
  const estimate = await monthlyCost([pod, fast], emulator, { HIGH_PERFORMANCE: 0.14, [gpu.id]: 0.5 });
  expect(estimate).toMatchObject({ min: expect.closeTo(0.5 * 730 + 5 + 1.4, 3), unknown: [] });
});
