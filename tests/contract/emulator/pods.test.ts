import { expect, it } from "@jest/globals";
import { accountForEach } from "../../harness/account";

const BOOT_MS = 60_000;
const GPU_POD = { name: "trainer", image: "repo/trainer:1", gpu: { id: "NVIDIA GeForce RTX 4090" } };

const cloud = accountForEach({ settings: { podBootMs: BOOT_MS } });

it("a pod's states boots through PROVISIONING and STARTING, and shows its machine and ports as it gets them", async () => {
  const pod = await cloud.create("/v2/pods", { ...GPU_POD, ports: ["22/tcp", "8888/http"] });
  expect(pod).toMatchObject({
    status: "PROVISIONING",
    actions: ["stop", "terminate"],
    dataCenterId: null,
    runtime: null,
    ssh: { proxy: null, direct: null },
    gpu: { id: "NVIDIA GeForce RTX 4090", count: 1 },
    cloud: "SECURE",
    cost: 0.44,
    template: null,
  });
  expect(pod).not.toHaveProperty("cpu");

  await cloud.advance(BOOT_MS / 2);
  const starting = (await cloud.rest("GET", `/v2/pods/${pod.id}`)).body;
  expect(starting).toMatchObject({ status: "STARTING", dataCenterId: "US-CA-2", ssh: { direct: null } });
  expect(starting.ssh.proxy.username).toMatch(new RegExp(`^${pod.id}-[0-9a-f]{8}$`));

  await cloud.advance(BOOT_MS / 2 + 5000);
  const running = (await cloud.rest("GET", `/v2/pods/${pod.id}`)).body;
  expect(running).toMatchObject({ status: "RUNNING", actions: ["stop", "restart", "terminate"] });
  expect(running.runtime).toMatchObject({ uptime: 5, gpus: [{ util: 0, memoryUtil: 0 }] });
  expect(running.ssh.direct.port).toBe(running.runtime.ports[0].public);
  expect(running.runtime.ports[1]).toEqual({ private: 8888, public: null, type: "http", ip: null });
});

it("a pod's states starts on the same host after a stop, and takes the four actions alone", async () => {
  const { id } = await cloud.create("/v2/pods", GPU_POD);
  const act = (action: string) => cloud.rest("POST", `/v2/pods/${id}/action`, { action });
  await cloud.advance(BOOT_MS);
  const host = (await cloud.rest("GET", `/v2/pods/${id}`)).body.ssh.proxy.username;
  expect((await act("stop")).body.startedAt).toBeNull();
  expect((await act("start")).body.ssh.proxy.username).toBe(host);
  expect((await act("reset")).body.errors).toEqual([
    "$.action: value must be one of 'start', 'stop', 'restart', 'terminate'",
  ]);
});

it("a pod's states goes to ERROR when its image cannot be pulled, and can be started again", async () => {
  const { id } = await cloud.create("/v2/pods", { ...GPU_POD, image: "repo/trainer:does-not-exist" });
  await cloud.advance(BOOT_MS);
  expect((await cloud.rest("GET", `/v2/pods/${id}`)).body).toMatchObject({
    status: "ERROR",
    actions: ["start", "terminate"],
    cost: 0,
  });
  await cloud.rest("PATCH", `/v2/pods/${id}`, { image: "repo/trainer:2" });
  await cloud.rest("POST", `/v2/pods/${id}/action`, { action: "start" });
  await cloud.advance(BOOT_MS);
  expect((await cloud.rest("GET", `/v2/pods/${id}`)).body.status).toBe("RUNNING");
});

it("a pod's states resets its container when a running pod's container fields change, and only then", async () => {
  const { id } = await cloud.create("/v2/pods", { ...GPU_POD, env: { A: "1", B: "2" } });
  await cloud.advance(BOOT_MS);
  expect((await cloud.rest("PATCH", `/v2/pods/${id}`, { name: "renamed" })).body).toMatchObject({
    name: "renamed",
    status: "RUNNING",
  });
  expect((await cloud.rest("PATCH", `/v2/pods/${id}`, { env: { A: "3" } })).body).toMatchObject({
    env: { A: "3" },
    status: "STARTING",
  });
  await cloud.advance(BOOT_MS);
  await cloud.rest("PATCH", `/v2/pods/${id}`, { locked: true });
  expect((await cloud.rest("PATCH", `/v2/pods/${id}`, { env: { A: "4" }, locked: false })).status).toBe(409);
  expect((await cloud.rest("PATCH", `/v2/pods/${id}`, { name: "still" })).body).toMatchObject({ env: { A: "3" } });
});

it("a pod's rules wants an image unless a template brings one", async () => {
  const { body } = await cloud.rest("POST", "/v2/pods", { ...GPU_POD, image: undefined });
  expect(body.errors).toEqual(["$: missing property 'image'", "$: additional properties 'name', 'gpu' not allowed"]);
  const template = await cloud.create("/v2/templates", {
    name: "base",
    image: "repo/base:1",
    env: { A: "template", B: "template" },
    mounts: { persistent: { size: 20, path: "/workspace" } },
    startSsh: false,
    startJupyter: true,
  });
  const pod = await cloud.create("/v2/pods", {
    name: "from-template",
    gpu: GPU_POD.gpu,
    templateId: template.id,
    env: { B: "body" },
  });
  expect(pod).toMatchObject({
    image: "repo/base:1",
    env: { A: "template", B: "body", JUPYTER_PASSWORD: expect.any(String) },
    mounts: { persistent: { size: 20, path: "/workspace" } },
    template: null,
  });
  const serverless = await cloud.create("/v2/templates", { name: "worker", image: "repo/worker:1", serverless: true });
  expect(await cloud.rest("POST", "/v2/pods", { ...GPU_POD, templateId: serverless.id })).toMatchObject({
    status: 422,
  });
});

it("a pod's rules injects the account's SSH keys with startSsh, unless the body sets PUBLIC_KEY", async () => {
  const withoutKeys = await cloud.create("/v2/pods", { ...GPU_POD, startSsh: true });
  expect(withoutKeys.env).toEqual({});
  await cloud.rest("PUT", "/v2/account/ssh-keys", { keys: ["ssh-ed25519 AAAA me", "ssh-rsa BBBB"] });
  expect((await cloud.create("/v2/pods", { ...GPU_POD, startSsh: true })).env).toEqual({
    PUBLIC_KEY: "ssh-ed25519 AAAA me\nssh-rsa BBBB",
  });
  const withOwnKey = await cloud.create("/v2/pods", { ...GPU_POD, startSsh: true, env: { PUBLIC_KEY: "mine" } });
  expect(withOwnKey.env).toEqual({ PUBLIC_KEY: "mine" });
  expect(withOwnKey).not.toHaveProperty("startSsh");
});

it("a pod's rules takes global networking up at the next start, where the data center has it", async () => {
  const { id } = await cloud.create("/v2/pods", { ...GPU_POD, dataCenterIds: ["US-KS-2"] });
  await cloud.advance(BOOT_MS);
  const patched = await cloud.rest("PATCH", `/v2/pods/${id}`, { globalNetworking: true });
  expect(patched.body.globalNetworking).toEqual({ enabled: false });
  await cloud.rest("POST", `/v2/pods/${id}/action`, { action: "restart" });
  await cloud.advance(BOOT_MS);
  expect((await cloud.rest("GET", `/v2/pods/${id}`)).body.globalNetworking).toEqual({
    enabled: true,
    ip: expect.any(String),
    internalDns: `${id}.runpod.internal`,
  });
  const georgia = { ...GPU_POD, dataCenterIds: ["US-GA-1"], globalNetworking: true };
  expect((await cloud.rest("POST", "/v2/pods", georgia)).status).toBe(400);
});

it("a pod's rules is refused while its GPU has no capacity where it may go, and is never placed elsewhere", async () => {
  const capacity = { gpuTypeId: GPU_POD.gpu.id, dataCenterId: "US-KS-2" };
  await cloud.service.fault({ match: { operation: "createPod" }, act: { capacity } });
  const there = { ...GPU_POD, dataCenterIds: ["US-KS-2"] };
  expect((await cloud.rest("POST", "/v2/pods", there)).body).toMatchObject({
    status: 400,
    detail: expect.stringContaining("no longer any instances available with the requested specifications"),
  });
  expect((await cloud.rest("POST", "/v2/pods", there)).status).toBe(201);
});

const COMPUTE = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 4 };
const CLUSTER = { name: "train", type: "TRAINING", compute: COMPUTE, image: "repo/train:1", ports: ["22/tcp"] };

it("a cluster gains members, place, network and primary as its pods are placed", async () => {
  const created = await cloud.create("/v2/clusters", CLUSTER);
  expect(created).toEqual({
    id: expect.any(String),
    name: "train",
    type: "TRAINING",
    compute: COMPUTE,
    pods: { total: 0, byStatus: {} },
    createdAt: expect.any(String),
  });
  const read = async () => (await cloud.rest("GET", `/v2/clusters/${created.id}`)).body;

  await cloud.advance(BOOT_MS / 4);
  const growing = await read();
  expect(growing.pods.total).toBeGreaterThanOrEqual(2);
  expect(growing.pods.total).toBeLessThan(4);
  expect(growing).toMatchObject({
    dataCenterId: expect.any(String),
    network: { cidr: expect.stringMatching(/^10\.\d+\.0\.0\/16$/), vxlanPort: 4789 },
    primary: { status: "PROVISIONING" },
  });
  expect(growing.primary).not.toHaveProperty("sshEndpoint");

  await cloud.advance(2 * BOOT_MS);
  expect(await read()).toMatchObject({
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
