import { expect } from "@jest/globals";
import type { Conversation, Scenarios } from "../conversation";

const BODY = { name: "trainer", image: "repo/train:1", gpu: { id: "NVIDIA GeForce RTX 4090" } };

const creating = (talk: Conversation) => (status: number, extra: object) =>
  talk.call("createPod", status, { body: { ...BODY, ...extra } });
const deleteAll = (talk: Conversation) => talk.control("PUT", "/state", { pods: [] });

export const pods: Scenarios = {
  async "a pod goes from create to delete, with everything on it that the contract describes"(talk) {
    const body = {
      ...BODY,
      gpu: { id: "NVIDIA GeForce RTX 4090", count: 2, minCudaVersion: "12.6" },
      args: "sleep infinity",
      disk: 60,
      ports: ["8888/http", "22/tcp", "70000/tcp"],
      env: { MODE: "fast" },
      mounts: { persistent: { size: 20, path: "/workspace" } },
      cloud: "SECURE",
      dataCenterIds: ["EU-RO-1", "US-TX-3"],
      globalNetworking: true,
      startSsh: true,
      startJupyter: true,
    };
    const created = await talk.call("createPod", 201, { body });
    expect(created).toMatchObject({ status: "PROVISIONING", runtime: null, actions: ["stop", "terminate"] });
    await talk.advance(1000);
    const params = { id: created.id };
    const running = await talk.call("getPod", 200, { params });
    expect(running).toMatchObject({ status: "RUNNING", actions: ["stop", "restart", "terminate"], locked: false });
    expect(running.globalNetworking.internalDns).toMatch(created.id);
    await talk.call("listPods", 422, { query: { includeClusterPods: "perhaps" } });
    expect(await talk.call("getPodLogs", 200, { params })).toMatch(/^id: .*\ndata: {"source":/);
    await talk.call("getPodLogs", 422, { params, query: { tail: "6000" } });
    await talk.call("getPodLogs", 404);

    await talk.call("updatePod", 200, { params, body: { name: "trainer 2", env: {}, ports: [] } });
    await talk.call("updatePod", 200, { params, body: { mounts: { persistent: { size: 30, path: "/data" } } } });
    const mounted = async (status: number, mounts: object) =>
      (await talk.call("updatePod", status, { params, body: { mounts } })).mounts;
    await mounted(400, { persistent: { size: 10, path: "/data" } });
    await mounted(422, { persistent: { size: 40 } });
    await mounted(400, { network: [] });
    await mounted(400, { network: [{ volumeId: "x", path: "/c" }] });
    expect(await mounted(200, {})).toEqual({ persistent: { size: 30, path: "/data" } });
    for (const fixed of ["gpu", "cpu", "cloud", "dataCenterIds", "startSsh", "startJupyter", "action"])
      await talk.call("updatePod", 422, { params, body: { [fixed]: "x" } });
    await talk.call("deletePod", 204, { params });
  },
  async "a CPU pod shows its memory and no GPU"(talk) {
    const { gpu: _, ...body } = BODY;
    const cpu = { id: "cpu3g", vcpuCount: 4 };
    const pod = await talk.call("createPod", 201, { body: { ...body, cpu } });
    expect(pod.cpu).toEqual({ ...cpu, memory: 16 });
    expect(pod).not.toHaveProperty("gpu");
    await talk.call("deletePod", 204, { params: { id: pod.id } });
  },
  async "a pod that cannot be is refused: by the schema, by a rule, by a missing template, by the balance"(talk) {
    const { gpu } = BODY;
    const create = creating(talk);
    await create(422, { name: "" });
    await create(422, { image: undefined });
    await create(422, { locked: true });
    await create(422, { mounts: { persistent: { size: 20 } } });
    await create(422, { gpu: { ...gpu, minCudaVersion: "12" } });
    await create(400, { cpu: { id: "cpu5c", vcpuCount: 2 } });
    await create(400, { gpu: undefined });
    await create(400, { gpu: { id: "NVIDIA Nothing" } });
    await create(400, { gpu: { ...gpu, count: 9 } });
    await create(400, { gpu: { ...gpu, allowedCudaVersions: ["12.8"], minCudaVersion: "12.6" } });
    await create(400, { gpu: { ...gpu, minCudaVersion: "99.0" } });
    await create(400, { gpu: { id: "NVIDIA B200" }, dataCenterIds: ["AP-JP-1"] });
    await create(400, { dataCenterIds: ["NOWHERE-1"] });
    const both = { persistent: { size: 10, path: "/a" }, network: [{ volumeId: "x", path: "/b" }] };
    expect((await create(400, { mounts: both })).detail).toContain("mutually exclusive");
    await create(400, { mounts: { network: [{ volumeId: "x", path: "/b" }] } });
    await create(400, { ports: ["8888/udp"] });
    await create(400, { ports: Array.from({ length: 11 }, (_, index) => `${8000 + index}/http`) });
    await create(400, { registry: "nobody" });
    const onCpus = (extra: object) => create(400, { gpu: undefined, cpu: { id: "cpu3g", vcpuCount: 4 }, ...extra });
    for (const vcpuCount of [3, 128]) await onCpus({ cpu: { id: "cpu3g", vcpuCount } });
    await onCpus({ mounts: { persistent: { size: 10, path: "/data" } } });
    await onCpus({ globalNetworking: true });
    await create(404, { templateId: "nobody" });
    for (const setting of ["balance", "spendLimit"]) {
      await talk.control("PUT", "/settings", { [setting]: 0.1 });
      await create(402, {});
      await talk.control("PUT", "/settings", { [setting]: 10_000 });
    }
    expect((await talk.call("listPods", 200)).pods).toEqual([]);
  },
  async "a command is one text or two lists, and what a patch leaves out of it stays"(talk) {
    const create = creating(talk);
    const line = await create(201, { args: `python -c "print(1)" 'a b'` });
    expect(line).toMatchObject({ entrypoint: [], cmd: ["python", "-c", "print(1)", "a b"] });
    const lists = await create(201, { entrypoint: ["/bin/sh", "-c"], cmd: ["serve"] });
    expect(lists.args).toBe('{"entrypoint":["/bin/sh","-c"],"cmd":["serve"]}');
    await create(400, { args: "other", cmd: ["serve"] });
    await create(201, { args: "serve", cmd: ["serve"] });
    await create(422, { cmd: "serve" });
    const patched = async (body: object) => talk.call("updatePod", 200, { params: { id: lists.id }, body });
    expect(await patched({ cmd: ["train"] })).toMatchObject({ entrypoint: ["/bin/sh", "-c"], cmd: ["train"] });
    expect(await patched({ entrypoint: [] })).toMatchObject({ args: '{"cmd":["train"]}', entrypoint: [] });
    expect(await patched({ args: "" })).toMatchObject({ args: "", entrypoint: [], cmd: [] });

    const template = await talk.call("createTemplate", 201, { body: { name: "cmd", image: "i:1", args: lists.args } });
    expect(template).toMatchObject({ args: lists.args, entrypoint: lists.entrypoint, cmd: lists.cmd });
    const evaluated = await create(201, { templateId: template.id, cmd: ["eval"] });
    expect(evaluated).toMatchObject({ entrypoint: ["/bin/sh", "-c"], cmd: ["eval"] });
    await deleteAll(talk);
  },
  async "a pod asks for room beside its GPUs, and is refused when it is too large"(talk) {
    const create = creating(talk);
    const gpu = { ...BODY.gpu, count: 2 };
    const pod = await create(201, { gpu: { ...gpu, minRamPerGpu: 30, minVcpuCountPerGpu: 8 } });
    expect(pod.gpu).toEqual({ ...gpu, vcpuCount: 16, memory: 60 });
    await create(400, { gpu: { ...gpu, minRamPerGpu: 31 } });
    await create(400, { gpu: { ...gpu, minVcpuCountPerGpu: 9 } });
    await create(422, { gpu: { ...gpu, minRamPerGpu: 0 } });

    const env = { A: "a".repeat(60_000) };
    const template = await talk.call("createTemplate", 201, { body: { name: "large", image: "i:1", env } });
    await create(413, { env: { A: "a".repeat(102_400) } });
    await create(413, { templateId: template.id, env: { B: "b".repeat(60_000) } });
    const tooLarge = { ...BODY, args: "a".repeat(102_400) };
    expect((await talk.exchange("createPod", { key: "unknown", body: tooLarge })).status).toBe(413);
    await talk.call("deleteTemplate", 204, { params: { id: template.id } });
    await deleteAll(talk);
  },
  async "a pod takes the actions that its status allows, and no others"(talk) {
    const { id } = await talk.call("createPod", 201, { body: BODY });
    const params = { id };
    await talk.advance(1000);
    const act = (status: number, action: string) => talk.call("podAction", status, { params, body: { action } });
    await act(409, "start");
    await act(422, "reset");
    expect((await act(200, "restart")).id).toBe(params.id);
    await talk.advance(1000);
    expect(await act(200, "stop")).toMatchObject({ status: "EXITED", cost: 0, actions: ["start", "terminate"] });
    await act(409, "restart");
    await talk.control("POST", "/faults", { act: { capacity: {} } });
    await act(400, "start");
    await act(200, "start");
    await talk.advance(1000);
    await talk.call("updatePod", 200, { params, body: { locked: true } });
    for (const action of ["stop", "restart"]) await act(409, action);
    await talk.call("updatePod", 200, { params, body: { locked: false } });
    await act(204, "terminate");
    await act(404, "terminate");
  },
};
