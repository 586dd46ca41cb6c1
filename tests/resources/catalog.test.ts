import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { z } from "zod";
import type { ResourceDefinition } from "../../provider/lifecycle/definition";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { cluster } from "../../provider/resources/cluster";
import { networkVolume } from "../../provider/resources/networkVolume";
import { pod } from "../../provider/resources/pod";
import { serverlessContainer } from "../../provider/resources/serverlessContainer";
import { serverlessEndpoint } from "../../provider/resources/serverlessEndpoint";
import { type Emulator, startEmulator } from "../emulator";
import { contextOf } from "../harness/context";

const POD = { image: "example.com/train:1", gpu: { id: "NVIDIA L4" } };
const CLUSTER = { type: "RAY", image: "example.com/ray:1" };
const ENDPOINT = { type: "QUEUE", image: "example.com/chat:1", scaling: { type: "QUEUE_DELAY", queueDelay: 1 } };
const VOLUME = { name: "models", size: 10 };

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.stop());

async function failures<Schema extends z.ZodObject, Live extends { id: string }>(
  definition: ResourceDefinition<Schema, Live>,
  args: object,
) {
  const context = contextOf(emulator);
  return (await new Lifecycle(definition, async () => context).check({}, { ...args })).failures;
}

describe("names of the catalog", () => {
  test.each([
    [{ gpu: { id: "NVIDIA L5" } }, "gpu.id", '"NVIDIA L5" is not a GPU type in the catalog; did you mean "NVIDIA L4"?'],
    [
      { gpu: { id: "NVIDIA L4", count: 9 } },
      "gpu.id",
      '"NVIDIA L4" comes at most 8 to a pod in the SECURE cloud, not 9',
    ],
    [{ cloud: "COMMUNITY", gpu: { id: "NVIDIA A40" } }, "gpu.id", '"NVIDIA A40" is not offered in the COMMUNITY cloud'],
    [
      { gpuAlternatives: ["NVIDIA H200", "NVIDIA B20"] },
      "gpuAlternatives.1",
      '"NVIDIA B20" is not a GPU type in the catalog; did you mean "NVIDIA B200"?',
    ],
    [
      { dataCenterIds: ["EU-RO-1", "US-KS-22"] },
      "dataCenterIds.1",
      '"US-KS-22" is not a data center in the catalog; did you mean "US-KS-2"?',
    ],
    [
      { gpu: { id: "NVIDIA H100" } },
      "gpu.id",
      expect.stringMatching(/did you mean "NVIDIA H100 [^"]*" or "NVIDIA H100 [^"]*" or "NVIDIA H100 [^"]*"\?$/),
    ],
    [{ gpu: { id: "rtx 4090" } }, "gpu.id", expect.stringContaining('did you mean "NVIDIA GeForce RTX 4090"?')],
  ])("are checked in a pod with %j", async (args, property, reason) => {
    expect(await failures(pod, { ...POD, ...args })).toEqual([{ property, reason }]);
  });

  test.each([
    [
      ["AMPERE_16"],
      "NVIDIA RTX A4501",
      '"NVIDIA RTX A4501" is not a GPU type in the listed pools; did you mean "NVIDIA RTX A4500"?',
    ],
    [
      ["ADA_24"],
      "NVIDIA RTX A4500",
      expect.stringContaining('"NVIDIA RTX A4500" is not a GPU type in the listed pools'),
    ],
  ])("are checked in what is taken out of %j", async (pools, type, reason) => {
    expect(await failures(serverlessContainer, { ...ENDPOINT, gpu: { pools, excludedTypes: [type] } })).toEqual([
      { property: "gpu.excludedTypes.0", reason },
    ]);
    expect(
      await failures(serverlessEndpoint, { templateId: "t", gpuIds: `${pools},-${type}`, __logicalName: "endpoint" }),
    ).toEqual([{ property: "gpuIds", reason }]);
  });

  test.each([
    ["CZ,FR", []],
    ["EU-RO-1, US", []],
    ["us", [{ property: "locations", reason: expect.stringContaining('"us" is neither a country code (') }]],
    ["EU-RO-9", [{ property: "locations", reason: expect.stringContaining('did you mean "EU-RO-1"') }]],
  ])("are checked in the locations %j", async (locations, found) => {
    expect(
      await failures(serverlessEndpoint, { templateId: "t", gpuIds: "ADA_24", locations, logicalName: "endpoint" }),
    ).toEqual(found);
  });

  test("are checked in a cluster", async () => {
    const compute = { gpuTypeId: "NVIDIA H100 80GB HBM2", gpuCountPerPod: 1, podCount: 2 };
    expect(await failures(cluster, { ...CLUSTER, compute })).toEqual([
      { property: "compute.gpuTypeId", reason: expect.stringContaining('did you mean "NVIDIA H100 80GB HBM3"?') },
    ]);
  });

  test("are checked in an endpoint, pool by pool", async () => {
    const gpu = { pools: ["AMPERE_24", "ADA_25"], excludedTypes: ["NVIDIA L5"] };
    expect(await failures(serverlessContainer, { ...ENDPOINT, gpu })).toEqual([
      { property: "gpu.pools.1", reason: '"ADA_25" is not a GPU pool in the catalog; did you mean "ADA_24"?' },
      { property: "gpu.excludedTypes.0", reason: expect.stringContaining('did you mean "NVIDIA L4"?') },
    ]);
  });

  test.each(["NVIDIA L4", "L4", "nvidia l4"])("lead from the GPU type %s to its pool", async (gpuIds) => {
    const args = { templateId: "t", gpuIds: `ADA_24,${gpuIds}`, __logicalName: "endpoint" };
    expect(await failures(serverlessEndpoint, args)).toEqual([
      {
        property: "gpuIds",
        reason:
          `"${gpuIds}" is a GPU type, not a pool; its pool is "AMPERE_24", which also holds "NVIDIA RTX A5000", ` +
          '"NVIDIA GeForce RTX 3090"; take those out if only this type will do',
      },
    ]);
  });

  test("say which GPU types are in no pool", async () => {
    const gpus = await contextOf(emulator).client.catalog.gpus();
    const alone = gpus.find(({ pool, name }) => !pool && name !== "unknown")?.id ?? "";
    const [failure] = await failures(serverlessContainer, { ...ENDPOINT, gpu: { pools: [alone] } });
    expect(failure?.reason).toContain(`"${alone}" is a GPU type that no pool has; known pools: AMPERE_16, `);
  });

  test("are checked in a volume, with the data centers that offer its type", async () => {
    const args = { ...VOLUME, dataCenter: "US-TX-3", type: "HIGH_PERFORMANCE" };
    const [failure] = await failures(networkVolume, args);
    expect(failure?.reason).toContain('"US-TX-3" offers no HIGH_PERFORMANCE network volumes; it offers STANDARD');
    expect(failure?.reason).toContain("EU-RO-1");
  });
});
