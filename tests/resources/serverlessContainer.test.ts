import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { serverlessContainer } from "../../provider/resources/serverless/serverlessContainer";
import { Control } from "../../tools/run/control";
import { contextOf } from "../harness/context";
import { emulatorForAll } from "../harness/forAll";
import { type Recorder, startRecorder } from "../harness/recorder";

const QUEUE = {
  name: "chat",
  type: "QUEUE",
  image: "example.com/own:1",
  scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
  gpu: { pools: ["AMPERE_16"], excludedTypes: ["NVIDIA RTX A4500"] },
};

const { emulator } = emulatorForAll();
let recorder: Recorder;
let endpoints: Lifecycle;
beforeAll(async () => {
  recorder = await startRecorder(emulator.baseUrl);
  const context = contextOf({ ...emulator, baseUrl: recorder.baseUrl });
  endpoints = new Lifecycle(serverlessContainer, async () => context);
});
afterAll(async () => recorder[Symbol.asyncDispose]());

const checked = async (args: object): Promise<Properties> => (await endpoints.check({}, { ...QUEUE, ...args })).inputs;

/** What a change from one program to another sends. */
async function patchOf(before: object, after: object): Promise<unknown> {
  const { id, state } = await endpoints.create(await checked(before));
  recorder.take();
  await endpoints.update(id, state, await checked(after));
  return recorder.take().map(({ body }) => body)[0];
}

const EXCLUSIONS = { gpu: { pools: ["AMPERE_16"], excludedTypes: ["NVIDIA RTX A4500"] } };

test.each<[string, object, object, object]>([
  ["a number", {}, { timeout: 1_000 }, { timeout: 1_000, ...EXCLUSIONS }],
  [
    "the minimum of workers, with the maximum that the service has",
    {},
    { workers: { min: 1 } },
    { workers: { min: 1, max: 3, idleTimeout: 10 }, ...EXCLUSIONS },
  ],
  [
    "another way to scale, with the idle timeout that comes with it",
    { scaling: { type: "REQUEST_COUNT", requestCount: 2 } },
    {},
    { scaling: QUEUE.scaling, workers: { min: 0, max: 3, idleTimeout: 10 }, ...EXCLUSIONS },
  ],
  [
    "a CUDA floor in place of a set",
    { gpu: { pools: ["AMPERE_24"], allowedCudaVersions: ["12.8"] } },
    { gpu: { pools: ["AMPERE_24"], minCudaVersion: "12.4" } },
    { gpu: { pools: ["AMPERE_24"], excludedTypes: [], count: 1, allowedCudaVersions: [], minCudaVersion: "12.4" } },
  ],
  ["CPUs, as a whole list", cpus(2), cpus(2, 4), { cpu: cpus(2, 4).cpu }],
])("an update of a serverless container sends %s", async (_, before, after, body) => {
  expect(await patchOf(before, after)).toEqual(body);
});

test("an update of a serverless container applies a template again together with all that is declared", async () => {
  const service = new Control(emulator);
  const template = async (name: string) => {
    const body = { name, image: `example.com/${name}:1`, serverless: true, env: { FROM: name } };
    return await service.made("/v2/templates", body);
  };
  const [one, two] = [await template("one"), await template("two")];
  expect(await patchOf({ templateId: one, env: { A: "1" } }, { templateId: two, env: { A: "1" } })).toEqual({
    templateId: two,
    image: QUEUE.image,
    env: { A: "1" },
    gpu: { ...QUEUE.gpu, count: 1, minCudaVersion: "" },
  });
  const follows = (templateRevision: number) => ({ templateId: one, templateRevision });
  expect(await patchOf(follows(1), follows(2))).toMatchObject({ templateId: one, image: QUEUE.image });
});

function cpus(...counts: number[]) {
  return { gpu: null, cpu: counts.map((vcpuCount) => ({ id: "cpu3c", vcpuCount })) };
}
