import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { GpuCandidate, GpuPick, GpuType } from "../../sdk";
import { Functions } from "./ask";

let functions: Functions;
let catalog: GpuType[];

beforeAll(async () => {
  functions = await Functions.start();
  const { gpus } = (await functions.values("getGpuTypes", { include: ["AVAILABILITY"], product: ["POD"] })) as {
    gpus: GpuType[];
  };
  catalog = gpus;
});

afterAll(() => functions?.stop());

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
