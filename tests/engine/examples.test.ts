/* Every example runs: up, a second up that changes nothing and makes no call, destroy with nothing left. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Emulator, startEmulator } from "../emulator";
import { checkout } from "../harness/checkout";
import { Control } from "../harness/control";
import { newStack } from "../harness/stack";

/** Their own tests run them, with more to say. */
const ELSEWHERE = new Set(["catalog", "policy", "smoke"]);

const examples = readdirSync(join(checkout, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !ELSEWHERE.has(entry.name))
  .map(({ name }) => name);

let emulator: Emulator;
let service: Control;

beforeAll(async () => {
  emulator = await startEmulator();
  service = new Control(emulator);
});

afterAll(() => emulator?.stop());

test.each(examples)("examples/%s runs from nothing to running and back", async (name) => {
  await using stack = await newStack({ program: { folder: `examples/${name}` }, emulator });
  const up = await stack.up();
  expect(Object.keys(up.changes)).toEqual(["create"]);
  for (const output of Object.values(await stack.outputs())) expect(output).toBeTruthy();
  await service.forgetCalls();
  expect(Object.keys((await stack.up()).changes)).toEqual(["same"]);
  expect(await service.log()).toEqual([]);
  await stack.destroy();
  expect(await service.isEmpty()).toBe(true);
});
