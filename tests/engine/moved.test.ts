// @long: states that people rename and move by hand.
/*
 * `pulumi stack rename`, `state rename` and `state move` change the place that generated names are made of. What exists
 * keeps its name, its id and its owner: the next preview has nothing to do and makes no call.
 */
import { beforeEach, expect, test } from "@jest/globals";
import { Stack, writeStack } from "../../tools/run/stack";
import type { Resources } from "../harness/program";
import { scenarioForAll } from "../harness/scenario";

/** A template and an endpoint on it, on both hosts. */
const pair = (host: string, options: object): Resources => ({
  [`${host}Template`]: { kind: "Template", args: { image: "emulator/echo:1", serverless: true }, options },
  [host]: { kind: "ServerlessEndpoint", args: { template: `$${host}Template`, gpuIds: "ADA_24" }, options },
});
const CLOUD: Resources = { cloud: { kind: "Provider", args: {} } };
const DYNAMIC = pair("dynamic", {});
const NATIVE = { ...CLOUD, ...pair("native", { provider: "$cloud" }) };
const ALL = { ...NATIVE, ...DYNAMIC };

const { stack, service, declare } = scenarioForAll({ resources: ALL });

let before: readonly string[];
beforeEach(async () => {
  await declare(ALL);
  await stack.up();
  before = await names();
});

async function names(): Promise<string[]> {
  const { endpoints, templates } = await service.state();
  return [...endpoints, ...templates].map(({ id, name }) => `${id} ${name}`).sort();
}

const another = (name: string) => new Stack({ ...stack.place, name });

/** The program has nothing to do in this stack, and to find that out asks nothing. */
async function expectNothing(stack: Stack): Promise<void> {
  await service.forgetCalls();
  const { changes } = await stack.up();
  expect(Object.keys(changes)).toEqual(["same"]);
  expect(await service.calls()).toEqual([]);
  expect(await names()).toEqual(before);
}

test("a renamed stack is unchanged, can replace all that it has, and can be destroyed", async () => {
  await stack.pulumi(["stack", "rename", "prod"]);
  const prod = another("prod");
  await expectNothing(prod);
  const urns = (await prod.resources()).map(({ urn }) => urn);
  await prod.up({ args: urns.flatMap((urn) => ["--replace", urn]) });
  expect(await names()).toHaveLength(before.length);
  expect((await names()).filter((each) => before.includes(each))).toEqual([]);
  expect(Object.keys((await prod.preview()).changes)).toEqual(["same"]);
  await prod.destroy();
  expect(await names()).toEqual([]);
  await prod.pulumi(["stack", "rename", "dev"]);
});

test("a resource that has another name in state and program is unchanged", async () => {
  for (const host of ["native", "dynamic"]) {
    const { urn } = await stack.resource(host);
    await stack.pulumi(["state", "rename", urn, `${host}2`, "--yes"]);
  }
  const { native, dynamic, ...others } = ALL;
  await declare({ ...others, native2: native, dynamic2: dynamic } as Resources);
  await expectNothing(stack);
  await stack.destroy();
  expect(await names()).toEqual([]);
});

test("resources that moved to another stack are unchanged there, and the first stack's destroy spares them", async () => {
  const other = another("other");
  await writeStack(other);
  const urns = (await stack.resources()).map(({ urn }) => urn);
  const move = ["state", "move", "--source", "dev", "--dest", "other", "--include-parents", "--yes"];
  await stack.pulumi([...move, ...urns.filter((urn) => /::native/.test(urn))]);
  await declare(NATIVE);
  await expectNothing(other);
  await declare(DYNAMIC);
  await expectNothing(stack);
  await stack.destroy();
  expect(await names()).toHaveLength(before.length / 2);
  await other.destroy();
  expect(await names()).toEqual([]);
});
