/*
 * A state that was lost: the same program on an empty state is an error that names what exists, not a second set of
 * everything. Its lines adopt all of it, and a second set is made only when it is asked for.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Emulator, startEmulator } from "../emulator";
import { Control } from "../harness/control";
import { said } from "../harness/scenario";
import { newStack, type Stack } from "../harness/stack";

/** @param adopted ids to adopt, by logical name */
const program = (adopted: Record<string, string> = {}) => `
  const { NetworkVolume, ServerlessEndpoint, Template } = require("pulumi-computecloud");
  const adopted = ${JSON.stringify(adopted)};
  const models = new NetworkVolume("models", { size: 40, dataCenter: "EU-RO-1", adoptId: adopted.models });
  const template = new Template("worker", { image: "emulator/echo:1", serverless: true, adoptId: adopted.worker });
  new ServerlessEndpoint("chat", { template, gpuIds: "ADA_24", networkVolumeId: models.id, adoptId: adopted.chat });
`;

/** As users have it; the harness allows duplicates. */
const env = { COMPUTECLOUD_ALLOW_DUPLICATES: "" };
let emulator: Emulator;
let service: Control;
let lost: Stack;
beforeAll(async () => {
  emulator = await startEmulator();
  service = new Control(emulator);
  await using first = await newStack({ program: program(), emulator, env });
  await first.up();
  // The engine says nothing of what it replaces. The state does.
  const replacing = await first.preview({ args: ["--replace", (await first.resource("models")).urn] });
  expect(replacing.changes).toMatchObject({ replace: 1 });
  expect(said(replacing)).not.toMatch(/generated name|take it over/);
  lost = await newStack({ program: program(), emulator, env });
});
afterAll(async () => {
  await lost?.remove();
  await emulator?.stop();
});

test("is an error that names what exists, and its lines adopt all of it without a change", async () => {
  const adopted: Record<string, string> = {};
  for (;;) {
    await lost.edit(program(adopted));
    await service.forgetCalls();
    const preview = await lost.preview({ fails: Object.keys(adopted).length < 3 });
    const found = [
      ...said(preview).matchAll(/resource '(\w+)' has a problem: name: [^"]*"[^"]+"[\s\S]*?adoptId: "(\w+)"/g),
    ];
    for (const [, name = "", id = ""] of found) adopted[name] = id;
    if (found.length === 0) break;
  }
  const ids = ["networkVolumes", "templates", "endpoints"] as const;
  const state = await service.state();
  expect(Object.values(adopted).sort()).toEqual(ids.map((kind) => state[kind][0]?.id).sort());
  const up = await lost.up();
  expect(said(up).match(/is adopted: nothing differs/g)).toHaveLength(3);
  expect((await lost.preview()).changes).toEqual({ same: 3 });
});

test("makes a second set where that is asked for", async () => {
  await using second = await newStack({ program: program(), emulator, env });
  await second.up({ fails: true });
  expect((await service.state()).networkVolumes).toHaveLength(1);
  await second.setConfig("computecloud:allowDuplicates", "true");
  expect((await second.up()).changes).toEqual({ create: 3 });
  await second.destroy();
});
