import { answers, type GpuType } from "../../client";
import { z } from "../../common/zod";
import { roundToMicro } from "../cost/items";
import { named } from "../lifecycle/fields/fields";
import { defineFunction } from "./definition";

const catalog = answers.catalog();

const args = z
  .strictObject({
    memory: z.number().positive().optional().describe("Least memory of one GPU, in GB. Default: any."),
    count: z.int().min(1).default(1).describe("GPUs in one pod or worker."),
    maxPricePerHour: z
      .number()
      .positive()
      .optional()
      .describe("Highest price of all `count` GPUs together, in USD an hour. Default: any."),
    cloud: z.enum(["SECURE", "COMMUNITY"]).default("SECURE").describe("COMMUNITY is for pods only."),
    dataCenterIds: z
      .array(z.string().min(1))
      .optional()
      .describe("The GPU must be free in at least one of these data centers. Default: any."),
    product: z.enum(["POD", "CLUSTER", "SERVERLESS"]).default("POD").describe("What the GPU is for."),
  })
  .refine(({ product, cloud }) => product === "POD" || cloud === "SECURE", {
    path: ["cloud"],
    message: "must be SECURE for clusters and serverless: they are not offered in the COMMUNITY cloud",
  });
type Wish = z.output<typeof args>;

const Candidate = named(
  "GpuCandidate",
  z.object({
    id: z.string().describe("GPU type, as `gpu.id` of a pod or `gpuTypeId` of a cluster takes it."),
    name: z.string().describe("Display name."),
    pool: z
      .string()
      .nullable()
      .describe("Serverless pool with this GPU type, for `gpuIds` of an endpoint. Null: no pool has it."),
    memory: z.int().describe("Memory of one GPU in GB."),
    pricePerHour: z.number().describe("What all GPUs cost together, in USD an hour."),
    availability: catalog.GpuType.shape.availability.unwrap().describe("Present availability: LOW, MEDIUM or HIGH."),
    dataCenterIds: z
      .array(z.string())
      .describe("Data centers where it is free now; with `dataCenterIds`, only those of that list."),
  }),
);
type Candidate = z.output<typeof Candidate>;

export const pickGpu = defineFunction({
  description:
    "The cheapest GPU type that is free now and fits, and its alternatives by price. Fails if no GPU type fits; the error " +
    "names the argument to change.",
  args,
  result: named(
    "GpuPick",
    Candidate.extend({
      gpuAlternatives: z
        .array(z.string())
        .describe("Ids of the other GPU types that fit, cheapest first, for `gpuAlternatives` of a pod."),
      candidates: z.array(Candidate).describe("All that fit, the pick included, cheapest first."),
    }),
  ),
  call: async (client, wish, { signal }) => {
    const { product, count, cloud } = wish;
    const gpus = await client.catalog.gpus(
      { include: ["AVAILABILITY"], product: [product], count, ...(product === "POD" && { cloud }) },
      { signal },
    );
    const candidates = fitting(gpus, wish);
    const [pick, ...others] = candidates;
    if (pick === undefined) throw new TypeError("`fitting` returned an empty list");
    return { ...pick, gpuAlternatives: others.map(({ id }) => id), candidates };
  },
});

/** No GPU type meets all arguments. */
class NoGpuError extends Error {
  override readonly name = "NoGpuError";
}

/** The GPU types that meet all arguments, cheapest first. @throws NoGpuError that names the first unmet argument */
function fitting(gpus: readonly GpuType[], wish: Wish): Candidate[] {
  const { memory = 0, count, maxPricePerHour = Number.POSITIVE_INFINITY, dataCenterIds = [], product, cloud } = wish;
  const large = gpus.filter((gpu) => (gpu.memory ?? 0) >= memory);
  if (large.length === 0) {
    const most = Math.max(0, ...gpus.map((gpu) => gpu.memory ?? 0));
    throw new NoGpuError(`No GPU type has ${memory} GB; the largest has ${most} GB. Lower memory.`);
  }
  const offered = large.filter((gpu) => unitPrice(gpu, wish) !== undefined && count <= mostTogether(gpu, wish));
  if (offered.length === 0) {
    const where = product === "SERVERLESS" ? "serverless" : `the ${cloud} cloud`;
    const size = memory === 0 ? "" : ` of at least ${memory} GB`;
    throw new NoGpuError(`No GPU type${size} comes ${count} at a time in ${where}. Lower count.`);
  }
  const free = offered.map((gpu) => candidate(gpu, wish)).filter((each) => each !== undefined);
  if (free.length === 0) {
    const where = dataCenterIds.length === 0 ? "" : ` in ${dataCenterIds.join(", ")}`;
    const ids = offered.map(({ id }) => id).join(", ");
    throw new NoGpuError(
      `None of the GPU types that fit is free${where} now: ${ids}. Relax the arguments, or try again later.`,
    );
  }
  free.sort((a, b) => a.pricePerHour - b.pricePerHour || (a.id < b.id ? -1 : 1));
  const affordable = free.filter(({ pricePerHour }) => pricePerHour <= maxPricePerHour);
  if (affordable.length === 0) {
    const cheapest = free[0];
    throw new NoGpuError(
      `No GPU type that fits and is free costs at most ${maxPricePerHour} USD an hour; the cheapest is ${cheapest?.id} at ` +
        `${cheapest?.pricePerHour}. Raise maxPricePerHour.`,
    );
  }
  return affordable;
}

function candidate(gpu: GpuType, wish: Wish): Candidate | undefined {
  const { availability = "NONE", dataCenters = [], id, name = id, pool = null, memory = 0 } = gpu;
  const { dataCenterIds: wanted = [] } = wish;
  const places = dataCenters.filter((place) => place.availability !== "NONE").map((place) => place.id);
  const dataCenterIds = places.filter((place) => wanted.length === 0 || wanted.includes(place));
  if (availability === "NONE" || (wanted.length > 0 && dataCenterIds.length === 0)) return undefined;
  const pricePerHour = roundToMicro((unitPrice(gpu, wish) ?? 0) * wish.count);
  return { id, name, pool, memory, pricePerHour, availability, dataCenterIds };
}

/** USD an hour for one GPU; undefined if it is not offered. */
function unitPrice({ price, pool, secure, community }: GpuType, { product, cloud }: Wish): number | undefined {
  if (product === "SERVERLESS") return pool ? price?.serverless : undefined;
  if (cloud === "COMMUNITY") return community ? price?.community : undefined;
  return secure ? price?.secure : undefined;
}

function mostTogether({ maxCount }: GpuType, { cloud }: Wish): number {
  return (cloud === "COMMUNITY" ? maxCount?.community : maxCount?.secure) ?? 0;
}
