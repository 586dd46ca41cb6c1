import { beforeAll, expect, test } from "@jest/globals";
import type { CostEstimate, CpuType, GpuCandidate, GpuPick, GpuType } from "../../sdk";
import { functionsForAll } from "./ask";

const RTX = "NVIDIA GeForce RTX 4090";
const MONTH = 730;
const WITHOUT_L4 = "AMPERE_24,-NVIDIA L4,BLACKWELL_180";
const POOLS = { pools: ["AMPERE_24", "ADA_24"] };
const CPUS = [
  { id: "cpu3c", vcpuCount: 4 },
  { id: "cpu3m", vcpuCount: 16 },
];

const functions = functionsForAll();
let gpu: GpuType;
let cpu: CpuType;
let catalog: GpuType[];

beforeAll(async () => {
  const free = await functions.values("getGpuTypes", { include: ["AVAILABILITY"], product: ["POD"] });
  catalog = (free as { gpus: GpuType[] }).gpus;
  gpu = (await functions.values("getGpuType", { id: RTX })) as GpuType;
  cpu = (await functions.values("getCpuType", { id: "cpu5c" })) as CpuType;
});

const estimate = async (args: object) => (await functions.values("estimateCost", args)) as CostEstimate;

const mounts = { persistent: { size: 100, path: "/data" } };
const IGNORED = { image: "i", env: { A: "b" }, ports: ["22/tcp"] };
test.each<[string, object, () => number]>([
  [
    "a pod's GPUs, container disk and volume",
    { pod: { gpu: { id: RTX, count: 2 }, disk: 50, mounts } },
    () => 2 * gpu.price.secure + (50 * 0.1 + 100 * 0.1) / MONTH,
  ],
  ["nothing more", { pod: { gpu: { id: RTX, minCudaVersion: "12.4" }, ...IGNORED } }, () => gpu.price.secure],
  ["a community pod", { pod: { gpu: { id: RTX }, cloud: "COMMUNITY" } }, () => gpu.price.community],
  ["a CPU pod", { pod: { cpu: { id: "cpu5c", vcpuCount: 8 } } }, () => 8 * cpu.price.securePerVcpu],
  [
    "a stopped pod",
    { pod: { gpu: { id: RTX }, disk: 50, mounts, desiredStatus: "EXITED" } },
    () => (100 * 0.2) / MONTH,
  ],
  ["a network volume", { networkVolume: { size: 500 } }, () => (500 * 0.07) / MONTH],
  ["a larger one", { networkVolume: { size: 3000 } }, () => (1000 * 0.07 + 2000 * 0.05) / MONTH],
])("estimateCost counts %s", async (_, args, price) => {
  const { hourly, monthly, hourlyMax } = await estimate(args);
  expect([hourly, hourlyMax]).toEqual([expect.closeTo(price(), 5), hourly]);
  expect(monthly).toBeCloseTo(hourly * MONTH, 2);
});

test("estimateCost of a cluster counts the GPUs of all pods", async () => {
  const compute = { gpuTypeId: RTX, gpuCountPerPod: 8, podCount: 4 };
  const { hourly, items } = await estimate({ cluster: { compute, disk: 100 } });
  expect(hourly).toBeCloseTo(32 * gpu.price.secure + (4 * 100 * 0.1) / MONTH, 5);
  expect(items.map(({ name, quantity, unit }) => [name, quantity, unit])).toEqual([
    [RTX, 32, "GPU"],
    ["container disk", 400, "GB"],
  ]);
});

test("estimateCost of an endpoint spans from the workers that are always on to all of them", async () => {
  const serverless = gpu.price.serverless ?? 0;
  const { hourly, hourlyMax } = await estimate({
    endpoint: { gpuIds: "ADA_24,AMPERE_24", gpuCount: 2, workersMin: 1, workersMax: 5, templateId: "t" },
  });
  expect(hourly).toBeCloseTo(2 * serverless, 6);
  expect(hourlyMax).toBeCloseTo(10 * serverless, 6);
});

test.each([
  [{ endpoint: { gpuIds: WITHOUT_L4, workersMax: 10, disk: 20 } }, [0, 63_092], "BLACKWELL_180"],
  [{ endpoint: { gpu: POOLS, workers: { min: 1, max: 10 }, disk: 20 } }, [501.32, 8166.8], "ADA_24"],
  [{ endpoint: { cpu: CPUS, workersMax: 5, disk: 20 } }, [0, 3981.2], "cpu3m"],
  [{ pod: { gpu: { id: "NVIDIA L4" }, gpuAlternatives: [RTX], disk: 50 } }, [289.7, 326.2], RTX],
])("estimateCost goes up to the dearest that the arguments allow: %j", async (args, [least, most], dearest) => {
  const { monthly, monthlyMax, hourly, hourlyMax, items } = await estimate(args);
  expect([monthly, monthlyMax].map((usd) => Math.round(usd * 100) / 100)).toEqual([least, most]);
  const of = (quantity: "quantity" | "maxQuantity") =>
    items.reduce((sum, item) => sum + item[quantity] * item.unitPricePerHour, 0);
  expect([of("quantity"), of("maxQuantity")]).toEqual([expect.closeTo(hourly, 4), expect.closeTo(hourlyMax, 4)]);
  expect(items.filter(({ maxQuantity, unit }) => maxQuantity > 0 && unit !== "GB").map(({ name }) => name)).toEqual([
    dearest,
  ]);
});

test("estimateCost takes the keys of a dictionary as Python's SDK hands them on", async () => {
  const cpu = { id: "cpu5c", vcpuCount: 4 };
  const same: [object, object][] = [
    [{ endpoint: { gpu_ids: "ADA_24", workers_min: 2 } }, { endpoint: { gpuIds: "ADA_24", workersMin: 2 } }],
    [{ endpoint: { cpu: [{ id: cpu.id, vcpu_count: cpu.vcpuCount }] } }, { endpoint: { cpu: [cpu] } }],
    [{ pod: { cpu, desired_status: "EXITED" } }, { pod: { cpu, desiredStatus: "EXITED" } }],
  ];
  for (const [python, typescript] of same) expect(await estimate(python)).toEqual(await estimate(typescript));
});

test("estimateCost of many things asks the catalog once", async () => {
  await functions.service.forgetCalls();
  await Promise.all([1, 2, 4].map((count) => estimate({ pod: { gpu: { id: "NVIDIA L4", count } } })));
  expect((await functions.service.calls()).length).toBeLessThanOrEqual(1);
});

test.each([
  [{}, "", "give one of pod, cluster, endpoint, networkVolume"],
  [{ pod: { gpu: { id: RTX } }, networkVolume: { size: 10 } }, "", "give one of"],
  [{ pod: {} }, "pod", "give one of gpu and cpu"],
  [{ pod: { gpu: { id: "NVIDIA GeForce RTX 4091" } } }, "pod.gpu.id", `did you mean "${RTX}"?`],
  [{ pod: { gpu: { id: RTX }, gpuAlternatives: ["NVIDIA L5"] } }, "pod.gpuAlternatives.0", 'did you mean "NVIDIA L4"?'],
  [{ endpoint: { gpuIds: "ADA_25" } }, "endpoint.gpuIds", 'did you mean "ADA_24"?'],
  [{ endpoint: {} }, "endpoint", "give one of gpuIds, gpu and cpu"],
  [{ networkVolume: { size: 10, type: "HIGH_PERFORMANCE" } }, "networkVolume.type", "the price of STANDARD only"],
])("estimateCost fails on the property for %j", async (args, property, reason) =>
  expect(await functions.ask("estimateCost", args)).toEqual({
    failures: [{ property, reason: expect.stringContaining(reason) }],
  }),
);

test("estimateCost says the values of an argument once", async () =>
  expect(await functions.ask("estimateCost", { networkVolume: { size: 10, type: "ULTRA" } })).toEqual({
    failures: [{ property: "networkVolume.type", reason: 'must be one of "STANDARD", "HIGH_PERFORMANCE"' }],
  }));

const pick = async (wish: object) => (await functions.values("pickGpu", wish)) as GpuPick;
const priceOf = ({ id }: GpuCandidate) => catalog.find((gpu) => gpu.id === id)?.price;

test("pickGpu picks the cheapest that is free and large enough, then the others in order of their price", async () => {
  const picked = await pick({ memory: 48 });
  const expected = catalog
    .filter((gpu) => gpu.memory >= 48 && gpu.secure && gpu.availability !== "NONE" && gpu.maxCount.secure >= 1)
    .map((gpu) => gpu.price.secure)
    .sort((a, b) => a - b);
  expect(picked.candidates.map(({ pricePerHour }) => pricePerHour)).toEqual(expected);
  expect(picked.id).toBe(picked.candidates[0]?.id);
  expect(picked.gpuAlternatives).toEqual(picked.candidates.slice(1).map(({ id }) => id));
  expect(expected.length).toBeGreaterThan(2);
});

test("pickGpu prices all GPUs of a pod together, and keeps to the maximum", async () => {
  const { candidates } = await pick({ memory: 24, count: 2, maxPricePerHour: 1.5 });
  for (const candidate of candidates) {
    expect(candidate.pricePerHour).toBeCloseTo(2 * (priceOf(candidate)?.secure ?? 0));
    expect(candidate.pricePerHour).toBeLessThanOrEqual(1.5);
  }
});

test("pickGpu takes the prices of the community cloud and of serverless where those are asked for", async () => {
  for (const candidate of (await pick({ cloud: "COMMUNITY" })).candidates)
    expect(candidate.pricePerHour).toBe(priceOf(candidate)?.community);
  for (const candidate of (await pick({ product: "SERVERLESS" })).candidates) {
    expect(candidate.pricePerHour).toBe(priceOf(candidate)?.serverless);
    expect(candidate.pool).not.toBeNull();
  }
});

test("pickGpu picks only what is free in one of the data centers, and says in which", async () => {
  const { candidates } = await pick({ dataCenterIds: ["EU-RO-1", "US-KS-2"] });
  for (const { dataCenterIds } of candidates) {
    expect(dataCenterIds.length).toBeGreaterThan(0);
    expect(["EU-RO-1", "US-KS-2"]).toEqual(expect.arrayContaining(dataCenterIds));
  }
  expect(await pick({ dataCenterIds: [] })).toEqual(await pick({}));
});

test.each([
  [{ memory: 10_000 }, "No GPU type has 10000 GB; the largest has"],
  [{ memory: 80, count: 64 }, "No GPU type of at least 80 GB comes 64 at a time in the SECURE cloud"],
  [{ count: 64 }, "No GPU type comes 64 at a time in the SECURE cloud"],
  [{ dataCenterIds: ["nowhere"] }, "None of the GPU types that fit is free in nowhere now"],
  [{ memory: 80, maxPricePerHour: 0.01 }, "costs at most 0.01 USD an hour; the cheapest is"],
])("pickGpu says which wish nobody fulfils: %j", (wish, message) => expect(pick(wish)).rejects.toThrow(message));

test("pickGpu takes the community cloud for pods only", async () =>
  expect(await functions.ask("pickGpu", { product: "CLUSTER", cloud: "COMMUNITY" })).toEqual({
    failures: [{ property: "cloud", reason: expect.stringContaining("must be SECURE") }],
  }));
