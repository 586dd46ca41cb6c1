// @long: lives of their own: a state that was lost, and a program.
/*
 * A state that was lost: the same program on an empty state is an error that names what exists, not a second set of
 * everything. One setting adopts all of it, parts of fleets and of gated endpoints too; another makes a second set.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { newStack, Stack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { MAIN } from "../harness/commandLine";
import { CLEAN, compiled } from "../harness/compiled";
import { leavesNothing, said } from "../harness/scenario";

const program = (version: number) => `
  const { GatedEndpoint, NetworkVolume, Secret, ServerlessEndpoint, ServerlessFleet, Template, Waves } = require("pulumi-computecloud");
  const image = "acme/worker:${version}";
  const models = new NetworkVolume("models", { size: 40, dataCenter: "EU-RO-1" });
  const template = new Template("worker", { image, serverless: true });
  new Secret("token", { name: "TOKEN", value: "hunter2" });
  new ServerlessEndpoint("chat", { template, gpuIds: "ADA_24", networkVolumeId: models.id });
  new ServerlessFleet("fleet", {
    defaults: { gpuIds: "AMPERE_24", env: { TOKEN: "hunter2" } },
    endpoints: { embed: { image }, rank: { image, name: "rank" }, plain: { template } },
  });
  const gated = (name, { name: declared, adoptId, ...options } = {}) => new GatedEndpoint(name, {
    image,
    gpu: { pools: ["AMPERE_24"] },
    workers: { max: 2 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    gate: { input: { text: "ping" } },
    name: declared,
    adoptId,
  }, options);
  gated("answers");
  gated("named", { name: "served" });
  new Waves("waves", { members: ["first", "second"], make: gated });
`;

const withoutSecret = (text: string) => text.replace(/.*Secret\("token.*/, "");

/** As users have it; the harness allows duplicates. */
const env = { COMPUTECLOUD_EXISTING: "" };
const handlers = Object.fromEntries([1, 2].map((version) => [`acme/worker:${version}`, () => ({ version })]));
const { emulator, service } = emulatorForAll({ handlers });
let lost: Stack;
beforeAll(async () => {
  await using first = await newStack({ program: program(1), emulator, env });
  await first.up();
  // The engine says nothing of what it replaces. The state does.
  const replacing = await first.preview({ args: ["--replace", (await first.resource("models")).urn] });
  expect(replacing.changes).toMatchObject({ replace: 1 });
  expect(said(replacing)).not.toMatch(/generated name|to adopt it/);
  // A rollout replaces the template of a gated endpoint, which gets another name.
  await first.edit(program(2));
  await first.up();
  lost = await newStack({ program: program(2), emulator, env });
});
afterAll(() => lost?.remove());

const account = async () => {
  const { endpoints, templates, networkVolumes, secrets } = await service.state();
  return { endpoints: endpoints.map(({ lastRequestAt, ...rest }) => rest), templates, networkVolumes, secrets };
};

// finds mutant second-set-after-a-lost-state
test("is an error that names what exists", async () => {
  const before = await account();
  const only = (kind: string, args: string) => `new (require("pulumi-computecloud").${kind})(${args})`;
  for (const [text, name] of [
    [only("Secret", '"token", { name: "TOKEN", value: "hunter2" }'), /Secret \w+ has the name "TOKEN"/],
    [withoutSecret(program(2)), / \w+ has the generated name of this resource, "/],
    [
      only("ServerlessFleet", '"fleet", { endpoints: { embed: { image: "acme/worker:2", gpuIds: "AMPERE_24" } } }'),
      /Template \w+ has the generated name of this resource, "fleet-embed/,
    ],
  ] as const) {
    await lost.edit(text);
    const refused = said(await lost.up({ fails: true }));
    expect(refused).toMatch(name);
    expect(refused).toContain("`pulumi config set computecloud:existing adopt`");
  }
  await lost.edit(program(2));
  expect(await account()).toEqual(before);
});

const page = readFileSync(join(checkout, "docs/drift-and-adoption.md"), "utf8");
/** The words of the page's commands that begin with this, without remarks. */
const commandsOf = (begin: string) =>
  [...page.matchAll(/^\$ (.*?)(?: +#.*)?$/gm)].flatMap(([, line = ""]) =>
    line.startsWith(begin) ? [line.slice(begin.length).trim().split(" ")] : [],
  );

/** The first up adopts everything and changes nothing, and nor does the next preview, without the setting. */
async function adoptsAll(stack: Stack): Promise<void> {
  const before = await account();
  const preview = said(await stack.preview());
  expect(preview.match(/ is adopted: .*/g)).toHaveLength(before.endpoints.length + before.templates.length + 2);
  expect(preview.match(/ is adopted: .*changes .*/g)).toEqual([expect.stringContaining("changes value (secret)")]);
  await stack.up();
  const secrets = before.secrets.map(({ id }) => expect.objectContaining({ id }));
  expect(await account()).toEqual({ ...before, secrets });
  const [remove = []] = commandsOf("pulumi config rm");
  await stack.pulumi(["config", "rm", ...remove]);
  expect(Object.keys((await stack.preview()).changes)).toEqual(["same"]);
}

test("whose program is lost, too, becomes what it was by the page's `adopt --lost`", async () => {
  await using base = await newStack({ program: "", emulator, env });
  const command = commandsOf("npx pulumi-computecloud").find(([first]) => first === "adopt") ?? [];
  const args = command.map((word) => word.replace("shop/prod", "test/dev"));
  const project = join(base.folder, args[args.indexOf("--out") + 1] ?? "");
  const written = await run(process.execPath, [MAIN, ...args], { env: base.env, cwd: base.folder });
  expect(written).toMatchObject({ exitCode: 0, stdout: "" });
  expect(written.stderr).not.toContain("Left out");
  expect(await compiled(project)).toMatchObject(CLEAN);

  const rebuilt = new Stack({ folder: base.folder, project, name: "dev", env: base.env });
  await rebuilt.setConfig("token.value", { secret: "hunter2" });
  const inputs = [...written.stderr.matchAll(/pulumi config set (\S+) '\{/g)].map(([, key = ""]) => key);
  expect(inputs).toHaveLength(4);
  for (const key of inputs) await rebuilt.setConfig(key, '{"text":"ping"}');
  await adoptsAll(rebuilt);
});

// finds mutant lost-state-takes-declared-names
test("is adopted with the commands of the page, but for declared names that are not unique", async () => {
  const [, set = []] = commandsOf("pulumi");
  await lost.pulumi(set);
  let text = program(2);
  for (const _ of ["rank", "served"]) {
    const refused = said(await lost.preview({ fails: true }));
    const [, declared, id] =
      /has the name "(\w+)" and may not be this resource\. .*set adoptId: "(\w+)"/.exec(refused) ?? [];
    expect(["rank", "served"]).toContain(declared);
    text = text.replace(`name: "${declared}"`, `name: "${declared}", adoptId: "${id}"`);
    await lost.edit(text);
  }
  await adoptsAll(lost);
  await lost.edit(program(2));
  expect(Object.keys((await lost.preview()).changes)).toEqual(["same"]);
  expect(Object.keys((await lost.refresh()).changes)).toEqual(["same"]);
});

test("of native resources is adopted where their Provider says so, and import takes what it names", async () => {
  const native = (existing: string, further = "") => `
    const { GatedEndpoint, NetworkVolume, Provider, ServerlessFleet } = require("pulumi-computecloud");
    const options = { provider: new Provider("cloud", { ${existing} }) };
    const image = "acme/worker:1";
    new ServerlessFleet("native", { defaults: { gpuIds: "AMPERE_24", image }, endpoints: { one: {}, two: {} } }, options);
    const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };
    new GatedEndpoint("gate", { image, gpu: { pools: ["AMPERE_24"] }, scaling, gate: { input: { text: "ping" } } }, options);
    ${further}
  `;
  const volume = { name: "data", size: 10, dataCenter: "EU-RO-1" };
  const id = await service.create("/v2/network-volumes", volume);
  {
    await using first = await newStack({ program: native(""), emulator, env });
    await first.up();
  }
  const before = await account();
  const imported = `new NetworkVolume("data", ${JSON.stringify(volume)}, { ...options, import: "${id}" });`;
  await using again = await newStack({ program: native("", imported), emulator, env });
  const refused = said(await again.preview({ fails: true }));
  expect(refused).toContain('pass existing "adopt" to the provider "cloud"');
  expect(refused).not.toContain("config set computecloud:existing");
  await again.edit(native('existing: "adopt"', imported));
  await again.up();
  expect(await account()).toEqual(before);
  await again.edit(native("", imported));
  expect((await again.preview()).changes).not.toHaveProperty("create");
  await again.destroy();
});

test("is a whole one again: a rollout and a destroy leave nothing behind", async () => {
  await lost.edit(program(1));
  await lost.up();
  await leavesNothing(lost, service);
});
