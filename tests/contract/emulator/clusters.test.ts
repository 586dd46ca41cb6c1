import { expect, it } from "@jest/globals";
import { accountForEach } from "../../harness/account";

const BOOT_MS = 80_000;
const COMPUTE = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 4 };
const CLUSTER = { name: "train", type: "TRAINING", compute: COMPUTE, image: "repo/train:1", ports: ["22/tcp"] };

const cloud = accountForEach({ settings: { podBootMs: BOOT_MS } });

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

it("a cluster of Ray has a head and workers", async () => {
  const compute = { ...COMPUTE, podCount: 2 };
  const { id } = await cloud.create("/v2/clusters", { ...CLUSTER, type: "RAY", compute });
  await cloud.advance(BOOT_MS);
  const { pods } = (await cloud.rest("GET", `/v2/clusters/${id}/pods`)).body;
  expect(pods.map((pod: { cluster: { role: string } }) => pod.cluster.role)).toEqual(["RAY_HEAD", "RAY_WORKER"]);
});

it("a cluster places nobody any more when it is deleted while it grows", async () => {
  const { id } = await cloud.create("/v2/clusters", CLUSTER);
  await cloud.rest("DELETE", `/v2/clusters/${id}`);
  await cloud.advance(2 * BOOT_MS);
  expect((await cloud.service.state()).pods).toEqual([]);
});
