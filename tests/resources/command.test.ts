/* A container's command, as one text or as two lists, of every kind that runs one. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { EngineContext } from "../../provider/engine/hostedOperations";
import { emulatorForAll } from "../harness/account";
import { checked, contextOf, createResource, previewAfterRefresh, up } from "../harness/context";
import { operationsOf } from "../harness/examples";

const { emulator, service } = emulatorForAll();

function lifecycleOf(kind: string) {
  let context: EngineContext | undefined;
  return operationsOf(kind, async () => (context ??= contextOf(emulator)));
}

const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };
const QUEUE = { image: "i:1", type: "QUEUE", cpu: [{ id: "cpu5c", vcpuCount: 2 }], scaling };
const LISTS = { entrypoint: ["/bin/sh", "-c"], cmd: ["serve --port 80"] };
const STORED = { args: '{"cmd":["eval"]}' };

describe.each([
  ["pod", { image: "i:1", cpu: { id: "cpu5c", vcpuCount: 2 } }, "pods"],
  ["template", { image: "i:1" }, "templates"],
  ["serverlessContainer", QUEUE, "serverless"],
])("the command of a %s", (kind, rest, path) => {
  const lifecycle = lifecycleOf(kind);
  const create = (command: object) => createResource(lifecycle, { name: randomUUID(), ...rest, ...command });
  const liveOf = (id: string) => service.rest("GET", `/v2/${path}/${id}`);

  test("goes from lists to a text and back, and a refresh finds nothing", async () => {
    let resource = await create(LISTS);
    const { name } = resource.inputs;
    for (const [declared, live] of [
      [LISTS, LISTS],
      [{ args: "serve" }, { args: "serve" }],
      [{ cmd: ["train"] }, { args: '{"cmd":["train"]}', entrypoint: [] }],
      [{}, { args: "" }],
      [STORED, STORED],
    ] as const) {
      resource = await up(lifecycle, resource, { name, ...rest, ...declared });
      expect(await liveOf(resource.id)).toMatchObject(live);
      expect(await previewAfterRefresh(lifecycle, resource)).toMatchObject({ changes: false });
    }
  });

  test.each([
    [LISTS, { cmd: ["other"] }, ["cmd"]],
    [LISTS, { args: "other" }, ["entrypoint", "cmd"]],
    [{ args: "mine" }, { cmd: ["other"] }, ["args"]],
    // The service may fill in what is not declared.
    [{}, { entrypoint: ["other"] }, []],
  ])("that is declared as %j and that somebody has changed shows in that form: %j", async (declared, patch, paths) => {
    const resource = await create(declared);
    await service.rest("PATCH", `/v2/${path}/${resource.id}`, patch);
    const { differences } = await previewAfterRefresh(lifecycle, resource);
    expect(differences.map(({ path }) => path)).toEqual(paths);
  });

  test("that is imported comes in the form that it is stored in", async () => {
    const { id } = await create({ cmd: ["serve"] });
    const imported = await lifecycle.readById(id);
    expect(imported?.inputs).toMatchObject({ cmd: ["serve"] });
    expect(Object.keys(imported?.inputs ?? {})).not.toEqual(expect.arrayContaining(["args"]));
  });
});

const gpu = { id: "NVIDIA GeForce RTX 4090", count: 2 };

test("a pod takes what its template says of the command, but for what it declares", async () => {
  const lifecycle = lifecycleOf("pod");
  const templateId = await service.create("/v2/templates", { name: "shared", image: "i:1", ...LISTS });
  const args = { name: "p", cpu: { id: "cpu5c", vcpuCount: 2 }, templateId, cmd: ["train"] };
  const resource = await createResource(lifecycle, args);
  expect(await service.rest("GET", `/v2/pods/${resource.id}`)).toMatchObject({ ...LISTS, cmd: ["train"] });
  expect(await previewAfterRefresh(lifecycle, resource)).toMatchObject({ changes: false });
});

test("a pod that is too large, alone or with its template, is refused in the preview", async () => {
  const lifecycle = lifecycleOf("pod");
  const alone = { name: "big", image: "i:1", gpu, env: { A: "a".repeat(102_400) } };
  const failure = { property: "env", reason: expect.stringMatching(/102,400 bytes/) };
  expect((await lifecycle.check({}, alone)).failures).toEqual([failure]);
  const body = { name: "half", image: "i:1", env: { B: "b".repeat(60_000) } };
  const templateId = await service.create("/v2/templates", body);
  const together = { name: "big", templateId, gpu, env: { A: "a".repeat(60_000) } };
  expect((await lifecycle.check({}, together)).failures).toEqual([failure]);
  expect((await lifecycle.check({}, { ...together, env: { A: "a" } })).failures).toEqual([]);
});

const compute = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 };

test("a cluster from a template is linked to it: another link is drift, and another template another cluster", async () => {
  const lifecycle = lifecycleOf("cluster");
  const templateId = await service.create("/v2/templates", { name: "m", image: "i:1" });
  const args = { name: "c", type: "TRAINING", compute, templateId, awaitRunning: false };
  const resource = await createResource(lifecycle, args);
  const { id, state } = resource;
  expect(await service.rest("GET", `/v2/clusters/${id}`)).toMatchObject({ template: templateId });
  expect(await previewAfterRefresh(lifecycle, resource)).toMatchObject({ changes: false });
  const other = await checked(lifecycle, { ...args, templateId: "other" });
  expect((await lifecycle.diff(id, state, other)).replaces).toEqual(["templateId"]);
  const { failures } = await lifecycle.check({}, { ...args, image: "i:2", env: { A: "1" }, cmd: ["x"] });
  expect(failures.map(({ property }) => property)).toEqual(["image", "cmd", "env"]);
});

test("a cluster takes a command in lists", async () => {
  const args = { name: "l", type: "TRAINING", compute, image: "i:1", ...LISTS };
  const { id } = await createResource(lifecycleOf("cluster"), args);
  expect(await service.rest("GET", `/v2/clusters/${id}/pods`)).toMatchObject({ pods: [LISTS, LISTS] });
});
