/* `drift` on a real engine: what somebody changed in the console, what is gone, and what no state knows. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { driftIn } from "../../cli/drift/drift";
import { run } from "../../tools/run/process";
import { documentOf, fails, MAIN, passes } from "../harness/commandLine";
import { scenarioForAll } from "../harness/scenario";
import { until } from "../harness/until";
import { scrape, watching } from "./watching";

const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };
const gpu = { id: "NVIDIA GeForce RTX 4090" };
const ORPHAN = "lost-0a1b2c3";

const { stack, service } = scenarioForAll({
  resources: {
    models: { kind: "NetworkVolume", args: { size: 100, dataCenter: "EU-RO-1" } },
    chat: { kind: "Template", args: { image: "acme/chat:1", serverless: true, env: { TOKEN: "hunter2" } } },
    queue: { kind: "ServerlessEndpoint", args: { template: "$chat", gpuIds: "AMPERE_16", workersMax: 2 } },
    summarizer: {
      kind: "ServerlessContainer",
      args: { type: "QUEUE", image: "acme/sum:1", gpu: { pools: ["ADA_24"] }, scaling },
    },
    team: {
      kind: "Cluster",
      args: {
        type: "APPLICATION",
        image: "acme/train:1",
        compute: { gpuTypeId: gpu.id, gpuCountPerPod: 8, podCount: 2 },
        env: { TOKEN: "hunter2" },
      },
    },
    trainer: { kind: "Pod", args: { image: "acme/train:1", gpu } },
  },
});
beforeAll(async () => {
  await stack.up();
});

const drift = (...args: string[]) => command("drift", ...args);
const command = (name: string, ...args: string[]) => {
  const options = { cwd: stack.folder, env: { ...stack.env, PULUMI_STACK: undefined } };
  return run(process.execPath, [MAIN, name, "--cwd", stack.project, ...args], options);
};

const idOf = async (name: string) => (await stack.resource(name)).id ?? "";

test("a stack that is as declared has none, and what only looks like it is not an orphan", async () => {
  await service.rest("POST", "/v2/pods", { name: "by-hand", image: "a/b:1", gpu });
  await until(async () => (await service.state()).pods.every(({ status }) => status === "RUNNING"));
  const before = await service.state();
  const { exitCode, stdout, stderr } = await drift("--stack", "dev", "--orphans");
  expect([exitCode, stdout, stderr]).toEqual([0, "Stack dev: no drift\n\nNo orphans\n", ""]);
  expect(await service.state()).toEqual(before);
});

test("what another stack of the project has in the same account is not an orphan", async () => {
  await stack.pulumi(["stack", "init", "staging", "--no-select"]);
  expect(await drift("--stack", "staging")).toMatchObject(passes(/^Stack staging: nothing is deployed\n$/));
  await stack.pulumi(["up", "--yes", "--skip-preview", "--stack", "staging"]);
  expect(await drift("--stack", "dev", "--orphans")).toMatchObject(passes(/No orphans\n$/));
  await stack.pulumi(["destroy", "--yes", "--skip-preview", "--stack", "staging", "--remove"]);
});

test("what differs, what is gone and what no state knows", async () => {
  const [models, chat, queue, trainer] = await Promise.all(["models", "chat", "queue", "trainer"].map(idOf));
  await service.rest("PATCH", `/v2/network-volumes/${models}`, { size: 500 });
  await service.rest("PATCH", `/v2/templates/${chat}`, { env: { TOKEN: "hunter3" } });
  await service.rest("PATCH", `/v2/serverless/${queue}`, { workers: { min: 0, max: 9, idleTimeout: 10 } });
  await service.removed(`/v2/pods/${trainer}`);
  const left = await service.create("/v2/pods", { name: ORPHAN, image: "a/b:1", gpu });

  const markdown = await drift("--stack", "dev", "--orphans", "--markdown");
  expect(markdown).toMatchObject({ exitCode: 1, stderr: "" });
  expect(markdown.stdout.split("\n").sort()).toEqual(
    [
      "### Stack `dev`: 4 drifted",
      `- NetworkVolume \`models\` (\`${models}\`): \`size\` is \`500\`, declared \`100\``,
      `- Template \`chat\` (\`${chat}\`): \`env\` differs (secret)`,
      `- ServerlessEndpoint \`queue\` (\`${queue}\`): \`workersMax\` is \`9\`, declared \`2\``,
      `- ServerlessEndpoint \`queue\` (\`${queue}\`): \`template\`: \`its copy differs from it in env\``,
      `- Pod \`trainer\` (\`${trainer}\`) is gone`,
      "### 1 auto-named resource is in no state of this project in this backend",
      `- Pod \`${left}\` \`${ORPHAN}\``,
      ...Array(4).fill(""),
    ].sort(),
  );
  expect(markdown.stdout).not.toContain("hunter");

  // Beside what shows, secrets may differ: those that the service shows at all.
  await service.rest("PATCH", `/v2/templates/${chat}`, { name: "renamed" });
  await service.rest("PATCH", `/v2/clusters/${await idOf("team")}`, { name: "renamed" });

  // Another stack's.
  const state = join(stack.folder, "other.json");
  await writeFile(state, JSON.stringify({ deployment: { resources: [{ id: left, outputs: {} }] } }));
  const recorded = await stack.stateText();
  const options = ["--orphans", "--state", state, "--json", "--", "--run-program", "--preview-only=false"];
  const report = documentOf(await drift("--stack", "dev", ...options), 1);
  expect(await stack.stateText()).toBe(recorded);
  expect(report).toMatchObject({ stacks: [{ stack: "dev" }], orphans: [] });
  const size = { path: "size", recorded: 100, found: 500 };
  const name = { path: "name", recorded: expect.stringMatching(/^chat-/), found: "renamed" };
  const env = { path: "env", secret: true, note: "may differ, too (secret)" };
  for (const each of [
    { kind: "NetworkVolume", name: "models", id: models, gone: false, differences: [size] },
    { kind: "Template", differences: [name, env] },
    { kind: "Cluster", differences: [expect.objectContaining({ path: "name" })] },
  ])
    expect(report.stacks[0].drifted).toContainEqual(expect.objectContaining(each));
});

test.each<[string, object | null, object[]]>([
  ["what the engine names", { 'env["TOKEN"]': {}, disk: {} }, [{ path: "env", secret: true }]],
  ["nothing where it names no secret", { args: {}, ports: {} }, []],
  ["all where it names nothing", null, [{ path: "env", secret: true }]],
])("of secrets, %s", (_, detailedDiff, differences) => {
  const inputs = { image: "a/b:1", env: "[secret]" };
  const urn = "urn:pulumi:dev::shop::computecloud:index:Pod::web";
  const state = { id: "p1", inputs, outputs: inputs };
  const step = { op: "update", urn, type: "computecloud:index:Pod", old: state, new: state };
  const drifted = driftIn([{ ...step, detailedDiff: detailedDiff && { ...detailedDiff } }]);
  expect(drifted.flatMap((each) => each.differences)).toEqual(differences);
});

test("a run that failed is told apart from drift", async () => {
  expect(await drift("--stack", "nowhere")).toMatchObject({ ...fails("no stack named 'nowhere'"), stdout: "" });
  expect(await drift("--bogus")).toMatchObject({ exitCode: 2, stdout: "" });
  await service.fault({ match: { method: "GET", path: "/v2/templates*", times: 100 }, act: { status: 403 } });
  const refused = await drift("--stack", "dev");
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  // What it failed of, and nothing of how far it came.
  expect(refused.stderr.split("\n")).toEqual([
    expect.stringMatching(/^pulumi-computecloud: pulumi refresh failed with exit code \d+:$/),
    expect.stringMatching(/Template .*403/),
    "preview failed",
    "",
  ]);
});

test("of several stacks it reports those that could be compared, and names the others", async () => {
  await service.clearFaults();
  const report = await drift("--stack", "dev", "--stack", "nowhere", "--orphans", "--json");
  expect(report.stderr).toContain("The stack nowhere could not be compared: pulumi refresh failed");
  const missing = expect.stringContaining("no stack named 'nowhere'");
  expect(documentOf(report, 1)).toMatchObject({
    schemaVersion: 1,
    stacks: [{ stack: "dev", drifted: expect.arrayContaining([expect.objectContaining({ name: "models" })]) }],
    failures: [
      { of: "stack nowhere", message: missing },
      { of: "orphans", message: missing },
    ],
  });
  const all = documentOf(await drift("--stack", "nowhere", "--stack", "elsewhere", "--json"), 2);
  const message = expect.stringMatching(/nowhere could not[\s\S]*elsewhere could not/);
  expect(all).toEqual({ schemaVersion: 1, error: { name: "Error", message } });
  // A wrong passphrase of one stack.
  const env = { PULUMI_CONFIG_PASSPHRASE: "another" };
  await stack.pulumi(["stack", "init", "locked", "--no-select"], { env });
  await stack.pulumi(["config", "set", "--secret", "x", "y", "--stack", "locked"], { env });
  const markdown = await drift("--stack", "locked", "--stack", "dev", "--markdown");
  expect(markdown.exitCode).toBe(1);
  expect(markdown.stdout).toMatch(
    /^### Stack `dev`: \d drifted[\s\S]*\n### Not compared: `stack locked`\n\n- .*incorrect passphrase/m,
  );
});

test("all stacks of the project are compared, and cost, at once", async () => {
  const all = JSON.parse((await drift("--all-stacks", "--json")).stdout);
  expect(all).toMatchObject({ stacks: [{ stack: "dev" }], failures: [{ of: "stack locked" }] });
  expect(await drift("--all-stacks", "--stack", "dev")).toMatchObject(fails("Leave one out"));
  const cost = JSON.parse((await command("cost", "--all-stacks", "--json", "--max", "1")).stdout);
  expect(cost).toMatchObject({
    stacks: [
      { stack: "dev", unknown: ["models"] },
      { stack: "locked", sum: { min: 0, max: 0 } },
    ],
    failures: [],
    exceeded: [
      expect.stringMatching(/ a month is above --max \$1\.00$/),
      expect.stringContaining("the price of models is not known"),
    ],
  });
  expect(cost.sum).toEqual(cost.stacks[0].sum);
  const one = await command("cost", "--stack", "dev", "--stack", "nowhere");
  expect(one.exitCode).toBe(1);
  expect(one.stdout).toMatch(/^ *stack +a month\n +dev +\$[\d,.]+ to .*\n +stack nowhere +not read .*no stack named/m);
});

test("the watch serves how many resources of a stack drifted, and which stack it could not compare", async () => {
  const args = ["--cwd", stack.project, "--stack", "dev", "--stack", "nowhere"];
  const { stderr } = await watching(
    undefined,
    args,
    (port) =>
      until(async () => {
        const { text } = await scrape(port);
        return (
          /^computecloud_stack_drifted_resources\{stack="dev"\} 5$/m.test(text) &&
          text.includes('computecloud_stack_up{stack="nowhere"} 0')
        );
      }),
    { env: { ...stack.env, PULUMI_STACK: undefined } },
  );
  expect(stderr).toContain("Stack nowhere could not be compared: ");
});

test("a mistake in how it is called is named", async () => {
  const argument = 'pulumi-computecloud: pulumi refresh takes no argument "dev"; select a stack with --stack dev\n';
  expect(await drift("dev")).toMatchObject({ exitCode: 2, stdout: "", stderr: argument });
  const folder = "pulumi-computecloud: there is no folder nowhere\n";
  expect(await drift("--cwd", "nowhere")).toMatchObject({ exitCode: 2, stderr: folder });
  const state = join(stack.project, "Pulumi.yaml");
  expect(await drift("--state", state)).toMatchObject(fails("--orphans"));
  // What a comparison would only come to at its end.
  await service.forgetCalls();
  expect(await drift("--orphans", "--state", state)).toMatchObject(fails(state));
  const { COMPUTECLOUD_API_KEY: _, ...env } = stack.env;
  const keyless = await run(process.execPath, [MAIN, "drift", "--cwd", stack.project, "--orphans"], { env });
  expect(keyless).toMatchObject(fails("COMPUTECLOUD_API_KEY"));
  expect(await service.log()).toEqual([]);
});

test("an interrupt ends it, and Pulumi with it", async () => {
  await service.clearFaults();
  await service.fault({ match: { method: "GET", times: 1000 }, act: { delayMs: 500 } });
  await service.forgetCalls();
  const interrupt = new AbortController();
  const options = { env: stack.env, signal: interrupt.signal };
  const running = run(process.execPath, [MAIN, "drift", "--cwd", stack.project, "--stack", "dev"], options);
  await until(async () => (await service.log()).length > 0);
  interrupt.abort();
  expect(await running).toMatchObject({ exitCode: 2, stderr: "pulumi-computecloud: interrupted\n" });
});
