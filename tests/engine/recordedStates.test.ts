/* States that released versions wrote: read without a change, refreshed, and destroyed by this one. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { EmulatorState } from "../../tools/run/control";
import { checkout } from "../../tools/run/environment";
import { newStack } from "../../tools/run/stack";
import { openAccount } from "../harness/account";
import { leavesNothing, staysUnchanged } from "../harness/scenario";

const recorded = join(checkout, "tests/recorded");
const versions = readdirSync(recorded).filter((name) => /^\d/.test(name));

test.each(versions)("a state of version %s is taken over as it is", async (version) => {
  const file = (name: string) => readFile(join(recorded, version, name), "utf8");
  await using emulator = await openAccount({}, "running");
  const { service } = emulator;
  await service.setState(JSON.parse(await file("service.recorded.json")) as EmulatorState);
  await using stack = await newStack({ program: await file("index.js"), emulator });
  await stack.pulumi(["stack", "import", "--file", join(recorded, version, "stack.recorded.json")]);

  await staysUnchanged(stack, service);

  const refresh = await stack.refresh();
  expect(refresh.changes.delete).toBeUndefined();
  expect(Object.keys((await stack.up()).changes)).toEqual(["same"]);

  await leavesNothing(stack, service);
});

test("the newest recording holds every kind", async () => {
  const provider = await readFile(join(checkout, "provider/index.ts"), "utf8");
  const kinds = [...provider.matchAll(/^export const (\w+) =/gm)].map(([, kind = ""]) => kind);
  const newest = await readFile(join(recorded, String(versions.at(-1)), "stack.recorded.json"), "utf8");
  const held = new Set(Array.from(newest.matchAll(/pulumi-computecloud\/provider\\"\)\.(\w+)/g), ([, kind]) => kind));
  expect(kinds.filter((kind) => !held.has(kind))).toEqual([]);
});
