import { expect, it } from "@jest/globals";
import { accountForEach } from "../../harness/account";

const BOOT_MS = 60_000;
const GPU = { id: "NVIDIA GeForce RTX 4090" };
const GPU_POD = { name: "trainer", image: "repo/trainer:1", gpu: GPU };

const cloud = accountForEach({ settings: { podBootMs: BOOT_MS } });

const create = (extra: object = {}) => cloud.create("/v2/pods", { ...GPU_POD, ...extra });
const read = async (id: string) => (await cloud.rest("GET", `/v2/pods/${id}`)).body;
const patch = async (id: string, changes: object) => (await cloud.rest("PATCH", `/v2/pods/${id}`, changes)).body;
const act = async (id: string, action: string) => (await cloud.rest("POST", `/v2/pods/${id}/action`, { action })).body;

it("a pod's states boots through PROVISIONING and STARTING, and shows its machine and ports as it gets them", async () => {
  const pod = await create({ ports: ["22/tcp", "8888/http"] });
  expect(pod).toMatchObject({
    status: "PROVISIONING",
    actions: ["stop", "terminate"],
    dataCenterId: null,
    runtime: null,
    ssh: { proxy: null, direct: null },
    gpu: { ...GPU, count: 1 },
    cloud: "SECURE",
    cost: 0.44,
    template: null,
  });
  expect(pod).not.toHaveProperty("cpu");

  await cloud.advance(BOOT_MS / 2);
  const starting = await read(pod.id);
  expect(starting).toMatchObject({ status: "STARTING", dataCenterId: "US-CA-2", ssh: { direct: null } });
  expect(starting.ssh.proxy.username).toMatch(new RegExp(`^${pod.id}-[0-9a-f]{8}$`));

  await cloud.advance(BOOT_MS / 2 + 5000);
  const running = await read(pod.id);
  expect(running).toMatchObject({ status: "RUNNING", actions: ["stop", "restart", "terminate"] });
  expect(running.runtime).toMatchObject({ uptime: 5, gpus: [{ util: 0, memoryUtil: 0 }] });
  expect(running.ssh.direct.port).toBe(running.runtime.ports[0].public);
  expect(running.runtime.ports[1]).toEqual({ private: 8888, public: null, type: "http", ip: null });
});

it("a pod's states starts on the same host after a stop, and takes the four actions alone", async () => {
  const { id } = await create();
  await cloud.advance(BOOT_MS);
  const host = (await read(id)).ssh.proxy.username;
  expect((await act(id, "stop")).startedAt).toBeNull();
  expect((await act(id, "start")).ssh.proxy.username).toBe(host);
  const allowed = "$.action: value must be one of 'start', 'stop', 'restart', 'terminate'";
  expect((await act(id, "reset")).errors).toEqual([allowed]);
});

it("a pod's states goes to ERROR when its image cannot be pulled, and can be started again", async () => {
  const { id } = await create({ image: "repo/trainer:does-not-exist" });
  await cloud.advance(BOOT_MS);
  expect(await read(id)).toMatchObject({ status: "ERROR", actions: ["start", "terminate"], cost: 0 });
  await patch(id, { image: "repo/trainer:2" });
  await act(id, "start");
  await cloud.advance(BOOT_MS);
  expect((await read(id)).status).toBe("RUNNING");
});

it("a pod's states resets its container when a running pod's container fields change, and only then", async () => {
  const { id } = await create({ env: { A: "1", B: "2" } });
  await cloud.advance(BOOT_MS);
  expect(await patch(id, { name: "renamed" })).toMatchObject({ name: "renamed", status: "RUNNING" });
  expect(await patch(id, { env: { A: "3" } })).toMatchObject({ env: { A: "3" }, status: "STARTING" });
  await cloud.advance(BOOT_MS);
  await patch(id, { locked: true });
  expect((await patch(id, { env: { A: "4" }, locked: false })).status).toBe(409);
  expect(await patch(id, { name: "still" })).toMatchObject({ env: { A: "3" } });
});

it("a pod's rules wants an image unless a template brings one", async () => {
  const { body } = await cloud.rest("POST", "/v2/pods", { ...GPU_POD, image: undefined });
  expect(body.errors).toEqual(["$: missing property 'image'", "$: additional properties 'name', 'gpu' not allowed"]);
  const mounts = { persistent: { size: 20, path: "/workspace" } };
  const template = await cloud.create("/v2/templates", {
    name: "base",
    image: "repo/base:1",
    env: { A: "template", B: "template" },
    mounts,
    startSsh: false,
    startJupyter: true,
  });
  expect(await create({ image: undefined, templateId: template.id, env: { B: "body" } })).toMatchObject({
    image: "repo/base:1",
    env: { A: "template", B: "body", JUPYTER_PASSWORD: expect.any(String) },
    mounts,
    template: null,
  });
  const serverless = await cloud.create("/v2/templates", { name: "worker", image: "repo/worker:1", serverless: true });
  const wrong = await cloud.rest("POST", "/v2/pods", { ...GPU_POD, templateId: serverless.id });
  expect(wrong.status).toBe(422);
});

it("a pod's rules injects the account's SSH keys with startSsh, unless the body sets PUBLIC_KEY", async () => {
  expect((await create({ startSsh: true })).env).toEqual({});
  const keys = ["ssh-ed25519 AAAA me", "ssh-rsa BBBB"];
  await cloud.rest("PUT", "/v2/account/ssh-keys", { keys });
  expect((await create({ startSsh: true })).env).toEqual({ PUBLIC_KEY: keys.join("\n") });
  const env = { PUBLIC_KEY: "mine" };
  const withOwnKey = await create({ startSsh: true, env });
  expect(withOwnKey.env).toEqual(env);
  expect(withOwnKey).not.toHaveProperty("startSsh");
});

it("a pod's rules takes global networking up at the next start, where the data center has it", async () => {
  const { id } = await create({ dataCenterIds: ["US-KS-2"] });
  await cloud.advance(BOOT_MS);
  expect((await patch(id, { globalNetworking: true })).globalNetworking).toEqual({ enabled: false });
  await act(id, "restart");
  await cloud.advance(BOOT_MS);
  const internalDns = `${id}.runpod.internal`;
  expect((await read(id)).globalNetworking).toEqual({ enabled: true, ip: expect.any(String), internalDns });
  const georgia = { ...GPU_POD, dataCenterIds: ["US-GA-1"], globalNetworking: true };
  expect((await cloud.rest("POST", "/v2/pods", georgia)).status).toBe(400);
});

it("a pod's rules is refused while its GPU has no capacity where it may go, and is never placed elsewhere", async () => {
  const capacity = { gpuTypeId: GPU.id, dataCenterId: "US-KS-2" };
  await cloud.service.fault({ match: { operation: "createPod" }, act: { capacity } });
  const there = { ...GPU_POD, dataCenterIds: ["US-KS-2"] };
  const { status, body } = await cloud.rest("POST", "/v2/pods", there);
  expect(status).toBe(400);
  expect(body.detail).toContain("no longer any instances available with the requested specifications");
  expect((await cloud.rest("POST", "/v2/pods", there)).status).toBe(201);
});

const COMPUTE = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 4 };
const CLUSTER = { name: "train", type: "TRAINING", compute: COMPUTE, image: "repo/train:1", ports: ["22/tcp"] };

it("a cluster gains members, place, network and primary as its pods are placed", async () => {
  const { id, ...created } = await cloud.create("/v2/clusters", CLUSTER);
  expect(created).toEqual({
    name: "train",
    type: "TRAINING",
    compute: COMPUTE,
    pods: { total: 0, byStatus: {} },
    createdAt: expect.any(String),
  });
  const readCluster = async () => (await cloud.rest("GET", `/v2/clusters/${id}`)).body;

  await cloud.advance(BOOT_MS / 4);
  const growing = await readCluster();
  expect(growing.pods.total).toBeGreaterThanOrEqual(2);
  expect(growing.pods.total).toBeLessThan(4);
  expect(growing).toMatchObject({
    dataCenterId: expect.any(String),
    network: { cidr: expect.stringMatching(/^10\.\d+\.0\.0\/16$/), vxlanPort: 4789 },
    primary: { status: "PROVISIONING" },
  });
  expect(growing.primary).not.toHaveProperty("sshEndpoint");

  await cloud.advance(2 * BOOT_MS);
  expect(await readCluster()).toMatchObject({
    pods: { total: 4, byStatus: { RUNNING: 4 } },
    primary: { status: "RUNNING", sshEndpoint: expect.stringMatching(/^[\d.]+:\d+$/) },
  });
});

it("a cluster tells every member its rank and where the primary is", async () => {
  const { id } = await cloud.create("/v2/clusters", CLUSTER);
  await cloud.advance(BOOT_MS);
  const { pods } = (await cloud.rest("GET", `/v2/clusters/${id}/pods`)).body;
  const [primary, second] = pods;
  expect(pods.map((pod: { cluster: { rank: number } }) => pod.cluster.rank)).toEqual([0, 1, 2, 3]);
  expect(second.cluster).not.toHaveProperty("role");
  expect(second.env).toEqual({
    PRIMARY_ADDR: primary.cluster.ip,
    MASTER_ADDR: primary.cluster.ip,
    PRIMARY_PORT: "29400",
    MASTER_PORT: "29400",
    NODE_ADDR: second.cluster.ip,
    NODE_RANK: "1",
    NUM_NODES: "4",
    NUM_TRAINERS: "8",
    HOST_NODE_ADDR: `${primary.cluster.ip}:29400`,
    WORLD_SIZE: "32",
  });
  expect(new Set(pods.map((pod: { dataCenterId: string }) => pod.dataCenterId)).size).toBe(1);
});

it("a cluster places nobody any more when it is deleted while it grows", async () => {
  const { id } = await cloud.create("/v2/clusters", CLUSTER);
  await cloud.rest("DELETE", `/v2/clusters/${id}`);
  await cloud.advance(2 * BOOT_MS);
  expect((await cloud.service.state()).pods).toEqual([]);
});
