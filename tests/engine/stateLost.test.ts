/*
 * A state that was lost: the same program on an empty state is an error that names what exists, not a second set of
 * everything. One setting adopts all of it, parts of fleets and of gated endpoints too; another makes a second set.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Emulator, startEmulator } from "../emulator";
import { checkout } from "../harness/checkout";
import { Control } from "../harness/control";
import { said } from "../harness/scenario";
import { newStack, type Stack } from "../harness/stack";

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
  const gated = (name, options) => new GatedEndpoint(name, {
    image,
    gpu: { pools: ["AMPERE_24"] },
    workers: { max: 2 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    gate: { input: { text: "ping" } },
  }, options);
  gated("answers");
  new Waves("waves", { members: ["first", "second"], make: gated });
`;

const withoutSecret = (text: string) => text.replace(/.*Secret\("token.*/, "");

/** As users have it; the harness allows duplicates. */
const env = { COMPUTECLOUD_EXISTING: "" };
const handlers = Object.fromEntries([1, 2, 3].map((version) => [`acme/worker:${version}`, () => ({ version })]));
let emulator: Emulator;
let service: Control;
let lost: Stack;
beforeAll(async () => {
  emulator = await startEmulator({ handlers });
  service = new Control(emulator);
  await using first = await newStack({ program: program(1), emulator, env });
  await first.up();
  // The engine says nothing of what it replaces. The state does.
  const replacing = await first.preview({ args: ["--replace", (await first.resource("models")).urn] });
  expect(replacing.changes).toMatchObject({ replace: 1 });
  expect(said(replacing)).not.toMatch(/generated name|take it over/);
  // Each rollout replaces the template of a gated endpoint, which gets another name.
  for (const version of [2, 3]) {
    await first.edit(program(version));
    await first.up();
  }
  lost = await newStack({ program: program(3), emulator, env });
});
afterAll(async () => {
  await lost?.remove();
  await emulator?.stop();
});

const account = async () => {
  const { endpoints, templates, networkVolumes, secrets } = await service.state();
  return { endpoints: endpoints.map(({ lastRequestAt, ...rest }) => rest), templates, networkVolumes, secrets };
};

test("is an error that names what exists", async () => {
  const before = await account();
  for (const name of [/Secret \w+ has the name "TOKEN"/, / \w+ has the generated name of this resource, "/]) {
    const refused = said(await lost.up({ fails: true }));
    expect(refused).toMatch(name);
    expect(refused).toContain("`pulumi config set computecloud:existing adopt`");
    await lost.edit(withoutSecret(program(3)));
  }
  await lost.edit(program(3));
  expect(await account()).toEqual(before);
});

/** The commands of the page, without the prompt and remarks. */
const page = [
  ...readFileSync(join(checkout, "docs/drift-and-adoption.md"), "utf8").matchAll(/^\$ pulumi (.*?)(?: +#.*)?$/gm),
].map(([, line = ""]) => line.split(" "));

test("is adopted with the commands of the page, but for a declared name that isn't unique", async () => {
  const before = await account();
  expect(page.map(([first]) => first)).toEqual(["stack", "config", "preview", "up", "config"]);
  const [, set = [], , , remove = []] = page;
  await lost.pulumi(set);
  const refused = said(await lost.preview({ fails: true }));
  const [, id] = /endpoints\.rank[\s\S]*?set adoptId: "(\w+)"/.exec(refused) ?? [];
  expect(id).toBe(before.endpoints.find(({ name }) => name === "rank")?.id);
  await lost.edit(program(3).replace('name: "rank"', `name: "rank", adoptId: "${id}"`));

  const preview = said(await lost.preview());
  expect(preview.match(/ is adopted: .*/g)).toHaveLength(before.endpoints.length + before.templates.length + 2);
  expect(preview.match(/ is adopted: .*changes .*/g)).toEqual([expect.stringContaining("changes value (secret)")]);

  await lost.up();
  expect(await account()).toMatchObject({
    ...before,
    secrets: before.secrets.map(({ id }) => expect.objectContaining({ id })),
  });
  await lost.edit(program(3));
  await lost.pulumi(remove);
  expect(Object.keys((await lost.preview()).changes)).toEqual(["same"]);
  expect(Object.keys((await lost.refresh()).changes)).toEqual(["same"]);
});

test("makes a second set where that is asked for", async () => {
  await using second = await newStack({ program: withoutSecret(program(3)), emulator, env });
  await second.up({ fails: true });
  expect((await service.state()).networkVolumes).toHaveLength(1);
  await second.setConfig("computecloud:existing", "duplicate");
  await second.up();
  expect((await service.state()).networkVolumes).toHaveLength(2);
  await second.destroy();
});

test("is a whole one again: a rollout and a destroy leave nothing behind", async () => {
  await lost.edit(program(1));
  await lost.up();
  await lost.destroy();
  expect(await service.isEmpty()).toBe(true);
});
