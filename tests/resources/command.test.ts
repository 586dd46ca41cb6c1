/* A container's command, as one text or as two lists, of every kind that runs one. */
import { describe, expect, test } from "@jest/globals";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { emulatorForAll } from "../harness/account";
import { checked, contextOf } from "../harness/context";
import { operationsOf } from "../harness/examples";

const { emulator, service } = emulatorForAll();

function lifecycleOf(kind: string) {
  const context = contextOf(emulator);
  const lifecycle = operationsOf(kind, async () => context);
  return { lifecycle, checked: (args: Properties) => checked(lifecycle, args) };
}

const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };
const QUEUE = { image: "i:1", type: "QUEUE", cpu: [{ id: "cpu5c", vcpuCount: 2 }], scaling };
const LISTS = { entrypoint: ["/bin/sh", "-c"], cmd: ["serve --port 80"] };

describe.each([
  ["pod", { image: "i:1", cpu: { id: "cpu5c", vcpuCount: 2 } }, "pods"],
  ["template", { image: "i:1" }, "templates"],
  ["serverlessContainer", QUEUE, "serverless"],
])("the command of a %s", (name, rest, path) => {
  test("goes from lists to a text and back, and a refresh finds nothing", async () => {
    const { lifecycle, checked } = lifecycleOf(name);
    const steps = [LISTS, { args: "serve" }, { cmd: ["train"] }, {}, { args: '{"cmd":["eval"]}' }];
    const liveOf = async (id: string) => service.rest("GET", `/v2/${path}/${id}`);
    const evaluated = { args: '{"cmd":["eval"]}' };
    const wanted = [LISTS, { args: "serve" }, { args: '{"cmd":["train"]}', entrypoint: [] }, { args: "" }, evaluated];
    let created: { id: string; state: Properties } | undefined;
    for (const [index, step] of steps.entries()) {
      const inputs = await checked({ name: `c-${name}`, ...rest, ...step });
      created =
        created === undefined
          ? await lifecycle.create(inputs)
          : { id: created.id, state: await lifecycle.update(created.id, created.state, inputs) };
      expect(await liveOf(created.id)).toMatchObject(wanted[index] ?? {});
      const read = await lifecycle.read(created.id, created.state);
      expect((await lifecycle.diff(created.id, read?.state ?? {}, inputs)).differences).toEqual([]);
    }
  });

  test("that somebody has changed shows in the form that is declared", async () => {
    const { lifecycle, checked } = lifecycleOf(name);
    for (const [declared, patch, paths] of [
      [LISTS, { cmd: ["other"] }, ["cmd"]],
      [LISTS, { args: "other" }, ["entrypoint", "cmd"]],
      [{ args: "mine" }, { cmd: ["other"] }, ["args"]],
      // The service may fill in what is not declared.
      [{}, { entrypoint: ["other"] }, []],
    ] as const) {
      const inputs = await checked({ name: `d-${name}-${JSON.stringify(patch).length}`, ...rest, ...declared });
      const { id, state } = await lifecycle.create(inputs);
      await service.rest("PATCH", `/v2/${path}/${id}`, patch);
      const read = await lifecycle.read(id, state);
      expect((await lifecycle.diff(id, read?.state ?? {}, inputs)).differences.map((each) => each.path)).toEqual(paths);
      await service.rest("DELETE", `/v2/${path}/${id}`);
    }
  });

  test("is declared in one form", async () => {
    const { lifecycle } = lifecycleOf(name);
    const { failures } = await lifecycle.check({}, { name: "e", ...rest, args: "serve", cmd: ["serve"] });
    expect(failures).toEqual([{ property: "args", reason: expect.stringContaining("entrypoint and cmd") }]);
  });

  test("that is imported comes in the form that it is stored in", async () => {
    const { lifecycle, checked } = lifecycleOf(name);
    const { id } = await lifecycle.create(await checked({ name: `f-${name}`, ...rest, cmd: ["serve"] }));
    const imported = await lifecycle.readById(id);
    expect(imported?.inputs).toMatchObject({ cmd: ["serve"] });
    expect(Object.keys(imported?.inputs ?? {})).not.toEqual(expect.arrayContaining(["args"]));
  });
});

const gpu = { id: "NVIDIA GeForce RTX 4090", count: 2 };

test("a pod takes what its template says of the command, but for what it declares", async () => {
  const { lifecycle, checked } = lifecycleOf("pod");
  const templateId = await service.create("/v2/templates", { name: "shared", image: "i:1", ...LISTS });
  const inputs = await checked({ name: "p", cpu: { id: "cpu5c", vcpuCount: 2 }, templateId, cmd: ["train"] });
  const { id, state } = await lifecycle.create(inputs);
  expect(await service.rest("GET", `/v2/pods/${id}`)).toMatchObject({ ...LISTS, cmd: ["train"] });
  const read = await lifecycle.read(id, state);
  expect((await lifecycle.diff(id, read?.state ?? {}, inputs)).differences).toEqual([]);
});

test("a pod moves for room beside its GPUs only when it has less", async () => {
  const { lifecycle, checked } = lifecycleOf("pod");
  const wants = (more: object) => checked({ name: "roomy", image: "i:1", gpu: { ...gpu, ...more } });
  const { id, state } = await lifecycle.create(await wants({ minRamPerGpu: 20 }));
  expect(state).toMatchObject({ memory: 60, vcpuCount: 16 });
  const replaces = async (more: object) => (await lifecycle.diff(id, state, await wants(more))).replaces;
  expect(await replaces({})).toEqual([]);
  expect(await replaces({ minRamPerGpu: 30, minVcpuCountPerGpu: 8 })).toEqual([]);
  expect(await replaces({ minRamPerGpu: 31 })).toEqual(["gpu.minRamPerGpu"]);
  expect(await replaces({ minVcpuCountPerGpu: 9 })).toEqual(["gpu.minVcpuCountPerGpu"]);
});

test("a pod that is too large, alone or with its template, is refused in the preview", async () => {
  const { lifecycle } = lifecycleOf("pod");
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
  const { lifecycle, checked } = lifecycleOf("cluster");
  const templateId = await service.create("/v2/templates", { name: "m", image: "i:1" });
  const args = { name: "c", type: "TRAINING", compute, templateId, awaitRunning: false };
  const inputs = await checked(args);
  const { id, state } = await lifecycle.create(inputs);
  expect(await service.rest("GET", `/v2/clusters/${id}`)).toMatchObject({ template: templateId });
  const read = await lifecycle.read(id, state);
  expect((await lifecycle.diff(id, read?.state ?? {}, inputs)).differences).toEqual([]);
  expect((await lifecycle.diff(id, state, await checked({ ...args, templateId: "other" }))).replaces).toEqual([
    "templateId",
  ]);
  const { failures } = await lifecycle.check({}, { ...args, image: "i:2", env: { A: "1" }, cmd: ["x"] });
  expect(failures.map(({ property }) => property)).toEqual(["image", "cmd", "env"]);
});

test("a cluster takes a command in lists", async () => {
  const { lifecycle, checked } = lifecycleOf("cluster");
  const { id } = await lifecycle.create(
    await checked({ name: "l", type: "TRAINING", compute, image: "i:1", ...LISTS }),
  );
  expect(await service.rest("GET", `/v2/clusters/${id}/pods`)).toMatchObject({ pods: [LISTS, LISTS] });
});
