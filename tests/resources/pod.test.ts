import { beforeAll, expect, test } from "@jest/globals";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { pod } from "../../provider/resources/pods/pod";
import { emulatorForAll } from "../harness/account";
import { contextOf, withMessages } from "../harness/context";
import { actOnPod, cluster } from "../harness/requests";

const POD = { name: "p", image: "example.com/train:1", gpu: { id: "NVIDIA L4" } };

const { emulator, service } = emulatorForAll();
let pods: Lifecycle;
beforeAll(() => {
  const context = contextOf(emulator);
  pods = new Lifecycle(pod, async () => context);
});

const checked = async (args: object): Promise<Properties> => (await pods.check({}, { ...POD, ...args })).inputs;
const replaces = async (before: object, after: object, outputs: object = {}) =>
  (await pods.diff("id", { ...(await checked(before)), ...outputs }, await checked(after))).replaces;

test("a pod of the COMMUNITY cloud with data centers is warned of in the preview, and refused by the service", async () => {
  const { context, said } = withMessages(contextOf(emulator));
  const lifecycle = new Lifecycle(pod, async () => context);
  const pinned = { ...POD, gpu: { id: "NVIDIA GeForce RTX 4090" }, cloud: "COMMUNITY", dataCenterIds: ["EU-RO-1"] };
  const { inputs, failures } = await lifecycle.check({}, pinned);
  expect(failures).toEqual([]);
  expect(said).toEqual([expect.stringMatching(/^dataCenterIds: .* COMMUNITY/)]);
  await expect(lifecycle.create(inputs)).rejects.toThrow(/400/);
  for (const other of [{ cloud: "SECURE" }, { dataCenterIds: [] }]) await lifecycle.check({}, { ...pinned, ...other });
  expect(said).toHaveLength(1);
});

test("a pod joins the global network at its next start, and is not out of step before", async () => {
  const { id, state } = await pods.create(await checked({}));
  const wanted = await checked({ globalNetworking: true });
  const updated = await pods.update(id, state, wanted);
  const before = await pods.read(id, updated);
  expect(before?.inputs).toMatchObject({ globalNetworking: true });
  expect(before?.state.internalDns).toBeNull();

  await actOnPod(service, id, "restart");
  const after = await pods.read(id, before?.state ?? {});
  expect(after?.inputs).toEqual(before?.inputs);
  expect(after?.state.internalDns).toMatch(new RegExp(`^${id}\\.`));

  await service.rest("PATCH", `/v2/pods/${id}`, { globalNetworking: false });
  await actOnPod(service, id, "restart");
  expect((await pods.read(id, after?.state ?? {}))?.inputs).toMatchObject({ globalNetworking: false });
});

const TWO = { ...POD.gpu, count: 2 };
const storage = (size: number) => ({ mounts: { persistent: { size, path: "/a" } } });
const global = (volumeId: string, path: string) => ({ mounts: { global: [{ volumeId, path }] } });
/** What the service has given it. */
const OUTPUTS = { dataCenterId: "A", gpuTypeId: "NVIDIA L4", memory: 60, vcpuCount: 16 };

test.each<[string, object, object, string[]]>([
  ["stays for a list of data centers that got longer", { dataCenterIds: ["C"] }, { dataCenterIds: ["B", "C"] }, []],
  ["stays for a list with the present data center", { dataCenterIds: [] }, { dataCenterIds: ["A"] }, []],
  ["stays for no list any more", { dataCenterIds: ["A"] }, {}, []],
  ["stays for the GPU type that it became", { gpu: { id: "NVIDIA L40" } }, {}, []],
  ["stays for defaults spelled out", {}, { startSsh: false, gpu: { ...POD.gpu, allowedCudaVersions: [] } }, []],
  ["stays for a template that is named later", {}, { templateId: "t" }, []],
  ["stays for a template that is named no more", { templateId: "t" }, {}, []],
  ["stays for the memory that it has", { gpu: TWO }, { gpu: { ...TWO, minRamPerGpu: 30 } }, []],
  ["stays for the CPUs that it has", { gpu: TWO }, { gpu: { ...TWO, minVcpuCountPerGpu: 8 } }, []],
  ["stays for memory that it needs no more", { gpu: { ...TWO, minRamPerGpu: 20 } }, { gpu: TWO }, []],
  ["goes for more memory", { gpu: TWO }, { gpu: { ...TWO, minRamPerGpu: 31 } }, ["gpu.minRamPerGpu"]],
  ["goes for more CPUs", { gpu: TWO }, { gpu: { ...TWO, minVcpuCountPerGpu: 9 } }, ["gpu.minVcpuCountPerGpu"]],
  ["goes for another data center", { dataCenterIds: ["A"] }, { dataCenterIds: ["B"] }, ["dataCenterIds"]],
  ["goes for what its template may have", { templateId: "t" }, { templateId: "t", startSsh: false }, ["startSsh"]],
  ["goes for another cloud", {}, { cloud: "COMMUNITY" }, ["cloud"]],
  ["goes for more GPUs", {}, { gpu: TWO }, ["gpu.count"]],
  ["goes for CPUs in place of GPUs", {}, { gpu: null, cpu: { id: "cpu3c", vcpuCount: 2 } }, ["gpu", "cpu"]],
  ["goes for a smaller disk of its own", storage(20), storage(10), ["mounts.persistent.size"]],
  ["goes for storage that it has not got", {}, storage(20), ["mounts.persistent"]],
  ["goes for no global volume", global("v", "/g"), {}, ["mounts.global"]],
  ["goes for another global volume", global("v", "/g"), global("w", "/g"), ["mounts.global.0.volumeId"]],
  ["goes for a global volume's other path", global("v", "/g"), global("v", "/h"), ["mounts.global.0.path"]],
])("a pod %s", async (_, before, after, paths) => expect(await replaces(before, after, OUTPUTS)).toEqual(paths));

test("a pod that is made stopped knows what it costs while it runs", async () =>
  expect(await pods.create(await checked({ desiredStatus: "EXITED" }))).toMatchObject({
    state: { costPerHour: 0.39 },
  }));

// finds mutant locked-pod-replaced
test("a pod that is locked is not replaced: the preview says what to do first", async () => {
  const moved = { gpu: { id: "NVIDIA A40" } };
  const refused = /gpu\.id can only change by a replacement.*set locked: false/;
  await expect(replaces({ locked: true }, moved)).rejects.toThrow(refused);
  expect(await replaces({}, moved)).toEqual(["gpu.id"]);
});

test("a pod gets from its template again what is no longer declared, and keeps what others have set", async () => {
  const registryOf = (name: string) => service.create("/v2/registries", { name, username: "u", password: "p" });
  const [registry, another] = [await registryOf("a"), await registryOf("b")];
  const body = { image: "example.com/t:1", args: "serve", ports: ["80/http"], registry, env: { FROM: "template" } };
  const templateId = await service.create("/v2/templates", { ...body, name: "back" });
  const declared = { args: "own", ports: ["22/tcp"], registry: another, env: { FROM: "own", MODE: "own" } };
  const { id, state } = await pods.create(await checked({ templateId, ...declared }));
  await service.rest("PATCH", `/v2/pods/${id}`, { env: { ...declared.env, THEIRS: "1" } });
  const next = await pods.update(id, state, await checked({ templateId, image: null }));
  const live = await service.rest("GET", `/v2/pods/${id}`);
  expect(live).toMatchObject({ ...body, env: { ...body.env, THEIRS: "1" } });
  expect(live).not.toHaveProperty("env.MODE");
  expect((await pods.read(id, next))?.state).not.toHaveProperty("templateDrift", expect.any(String));
});

// finds mutant ignored-status-enforced
test.each([
  ["RUNNING", "stop", "EXITED"],
  ["EXITED", "start", "RUNNING"],
] as const)(
  "a pod that is to be %s stays as somebody left it by a %s where ignoreChanges says so",
  async (desiredStatus, action, status) => {
    const args = { desiredStatus, __ignoreChanges: ["desiredStatus"] };
    const { id, state } = await pods.create(await checked(args));
    await actOnPod(service, id, action);
    await pods.update(id, state, await checked({ ...args, env: { A: "1" } }));
    expect(await service.rest("GET", `/v2/pods/${id}`)).toMatchObject({ status, env: { A: "1" } });
  },
);

test("a member of a cluster can't be imported or adopted as a pod: its cluster can", async () => {
  const id = await service.create("/v2/clusters", cluster("ring"));
  await service.advance(60_000);
  const member = (await service.state()).pods.find((each) => Object(each.cluster).id === id)?.id ?? "";
  const reason = `Pod "${member}" is a member of cluster ${id}, which alone changes and deletes it.`;
  await expect(pods.readById(member)).rejects.toThrow(reason);
  const { failures } = await pods.check({}, { ...POD, adoptId: member });
  expect(failures).toEqual([{ property: "adoptId", reason: expect.stringContaining(reason) }]);
  await service.rest("DELETE", `/v2/clusters/${id}`);
});
