/*
 * Who has a resource under a generated name: this stack, another one of the project, or nobody. A program exports its ids, as
 * people's do: the state's outputs hold what no resource of it has.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { Stack, writeStack } from "../../tools/run/stack";
import type { Resources } from "../harness/program";
import { said, scenarioForAll } from "../harness/scenario";

const ALL: Resources = {
  cloud: { kind: "Provider", args: {} },
  pod: { kind: "Pod", args: { image: "example.com/a:1", cpu: { id: "cpu3c", vcpuCount: 2 } } },
  models: { kind: "NetworkVolume", args: { size: 10, dataCenter: "EU-RO-1" }, options: { provider: "$cloud" } },
};

/** One test begins where the last one ends: with all of them in the stack `dev`, until that is renamed. */
const { stack, service, declare } = scenarioForAll({ resources: ALL, config: { "computecloud:existing": "" } });
beforeAll(async () => {
  await stack.up({ env });
});
/** As users have it; the harness allows duplicates. */
const env = { COMPUTECLOUD_EXISTING: "" };
const adopting = { COMPUTECLOUD_EXISTING: "adopt" };

async function ids(): Promise<string[]> {
  const { pods, networkVolumes } = await service.state();
  return [...pods, ...networkVolumes].map(({ id }) => id).sort();
}

test("what the state has lost is not made twice, although the program exports its id", async () => {
  const before = await ids();
  expect(Object.values(await stack.outputs()).sort()).toEqual(before);
  for (const name of ["pod", "models"])
    await stack.pulumi(["state", "delete", (await stack.resource(name)).urn, "--yes"]);
  expect(said(await stack.up({ env, fails: true }))).toMatch(/ has the generated name of this resource/);
  expect(await ids()).toEqual(before);
  await stack.up({ env: adopting });
  expect(await ids()).toEqual(before);
});

const VOLUME = { size: 10, dataCenter: "EU-RO-1" };
const volume = (args: object, options = {}): Resources => ({
  models: { kind: "NetworkVolume", args: { ...VOLUME, ...args }, options },
});

test("where another stack's state can't be read, an error names the adoptId, which adopts", async () => {
  const file = join(stack.folder, "backend/.pulumi/stacks/test/other.json");
  await stack.pulumi(["stack", "init", "other", "--no-select"]);
  await stack.pulumi(["state", "delete", (await stack.resource("models")).urn, "--yes", "--stack", "dev"]);
  await writeFile(file, (await readFile(file, "utf8")).replace("{", "{{"));
  const refused = said(await stack.preview({ env: adopting, fails: true }));
  const [, adoptId] = /not every state of this project could be read.*set adoptId: "(\w+)"/.exec(refused) ?? [];
  expect((await service.state()).networkVolumes).toMatchObject([{ id: adoptId }]);
  await declare({ ...ALL, ...volume({ adoptId }, { provider: "$cloud" }) });
  await stack.up({ env });
  expect((await service.state()).networkVolumes).toMatchObject([{ id: adoptId }]);
  await rm(file);
  await declare(ALL);
});

/** Gets the name of the stack that becomes `live`. */
let dev: Stack;

test("what a renamed stack has stays its own: a new stack of the old name makes a set of its own", async () => {
  const before = await ids();
  await stack.pulumi(["stack", "rename", "live"]);
  dev = new Stack({ ...stack.place, name: "dev" });
  await writeStack(dev);
  for (const each of [env, adopting]) {
    const up = await dev.up({ env: each });
    expect(await ids()).toHaveLength(2 * before.length);
    if (each === env) for (const id of before) expect(said(up)).toContain(`(${id}) belongs to the stack "live"`);
    else expect(Object.keys(up.changes)).toEqual(["same"]);
  }
  await dev.destroy();
  expect(await ids()).toEqual(before);
});

test("an adoptId of what another stack has warns, and once that has forgotten it, this stack alone has it", async () => {
  const live = new Stack({ ...dev.place, name: "live" });
  const { id = "", urn } = await live.resource("models");
  await declare(volume({ adoptId: id }));
  expect(said(await dev.preview({ env }))).toContain(
    `"${id}" is adopted, and the stack "live" has it, too: each would change it back, and a destroy of either deletes it. ` +
      "Remove it from the other one with `pulumi state delete`.",
  );
  await live.pulumi(["state", "delete", urn, "--yes"]);
  expect(said(await dev.up({ env }))).not.toContain("has it, too");
  await live.destroy();
  expect(await ids()).toEqual([id]);
});
