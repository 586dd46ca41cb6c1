import { commaParts } from "../../client";
import { ArgumentError } from "./caller";
import type { Prices } from "./prices";
import type { Estimated, Item } from "./subjects";

export const HOURS_PER_MONTH = 730;

/** Prices that the catalog does not list, in USD a GB and month. */
const STORAGE_PRICES = { containerDisk: 0.1, podVolume: 0.1, stoppedPodVolume: 0.2 };
/** For STANDARD, in USD a GB and month. Each GB beyond the first terabyte is cheaper. */
const NETWORK_VOLUME_PRICES = [
  { from: 0, to: 1000, price: 0.07 },
  { from: 1000, to: Number.POSITIVE_INFINITY, price: 0.05 },
];

/** @throws ArgumentError for a type that the catalog does not have, or has no price for */
export async function estimate(subject: Estimated, prices: Prices) {
  const items = [
    ...(subject.pod === undefined ? [] : await podItems(subject.pod, prices)),
    ...(subject.cluster === undefined ? [] : await clusterItems(subject.cluster, prices)),
    ...(subject.endpoint === undefined ? [] : await endpointItems(subject.endpoint, prices)),
    ...(subject.networkVolume === undefined ? [] : networkVolumeItems(subject.networkVolume, prices)),
  ];
  const sum = (quantity: (item: Item) => number) =>
    items.reduce((total, item) => total + quantity(item) * item.unitPricePerHour, 0);
  const hourly = sum((item) => item.quantity);
  const hourlyMax = sum((item) => item.maxQuantity);
  return {
    hourly: roundToMicro(hourly),
    monthly: roundToMicro(hourly * HOURS_PER_MONTH),
    hourlyMax: roundToMicro(hourlyMax),
    monthlyMax: roundToMicro(hourlyMax * HOURS_PER_MONTH),
    items: items.map((item) => ({ ...item, unitPricePerHour: roundToMicro(item.unitPricePerHour) })),
  };
}

async function podItems(pod: NonNullable<Estimated["pod"]>, prices: Prices): Promise<Item[]> {
  const { gpu, gpuAlternatives = [], cpu, cloud, disk, mounts, desiredStatus } = pod;
  if ((gpu === undefined) === (cpu === undefined)) throw new ArgumentError("pod", "give one of gpu and cpu");
  const volume = mounts?.persistent?.size;
  if (desiredStatus === "EXITED") return storage("pod volume", volume, 1, STORAGE_PRICES.stoppedPodVolume);
  return [
    ...(gpu === undefined
      ? []
      : firstToDearest(await gpuTypes("pod.gpu.id", [gpu.id, ...gpuAlternatives], gpu.count, cloud, prices))),
    ...(cpu === undefined
      ? []
      : [always(cpu.id, "vCPU", cpu.vcpuCount, await prices.cpu("pod.cpu.id", cpu.id, "securePerVcpu"))]),
    ...storage("container disk", disk, 1, STORAGE_PRICES.containerDisk),
    ...storage("pod volume", volume, 1, STORAGE_PRICES.podVolume),
  ];
}

async function clusterItems(
  { compute, gpuAlternatives = [], disk, mounts }: NonNullable<Estimated["cluster"]>,
  prices: Prices,
): Promise<Item[]> {
  const { gpuTypeId, gpuCountPerPod, podCount } = compute;
  const types = [gpuTypeId, ...gpuAlternatives];
  const choices = await gpuTypes("cluster.compute.gpuTypeId", types, gpuCountPerPod * podCount, "SECURE", prices);
  return [
    ...firstToDearest(choices),
    ...storage("container disk", disk, podCount, STORAGE_PRICES.containerDisk),
    ...storage("pod volume", mounts?.persistent?.size, podCount, STORAGE_PRICES.podVolume),
  ];
}

async function endpointItems(endpoint: NonNullable<Estimated["endpoint"]>, prices: Prices): Promise<Item[]> {
  const { gpuIds, gpu, cpu: cpus, disk } = endpoint;
  const { min, max } = endpoint.workers ?? { min: endpoint.workersMin, max: endpoint.workersMax };
  const pools = gpu?.pools ?? (gpuIds === undefined ? [] : commaParts(gpuIds).filter((part) => !part.startsWith("-")));
  if (cpus === undefined && pools.length === 0) throw new ArgumentError("endpoint", "give one of gpuIds, gpu and cpu");
  const choices = cpus
    ? await mapInParallel(cpus, async ({ id, vcpuCount }, at) => {
        const price = await prices.cpu(`endpoint.cpu.${at}.id`, id, "serverlessPerVcpu");
        return { name: id, unit: "vCPU", units: vcpuCount, price };
      })
    : await mapInParallel(pools, async (pool, at) => {
        const path = gpu === undefined ? "endpoint.gpuIds" : `endpoint.gpu.pools.${at}`;
        return {
          name: pool,
          unit: "GPU",
          units: gpu?.count ?? endpoint.gpuCount,
          price: await prices.pool(path, pool),
        };
      });
  const disks =
    disk === undefined
      ? []
      : [{ name: "container disk", unit: "GB", units: disk, price: perHour(STORAGE_PRICES.containerDisk) }];
  return [...firstToDearest(choices, min, max), ...firstToDearest(disks, min, max)];
}

/** What a pod or worker may run on. */
interface Choice {
  readonly name: string;
  readonly unit: string;
  /** Of one pod or worker. */
  readonly units: number;
  readonly price: number;
}

const mapInParallel = <Input, Output>(inputs: readonly Input[], make: (one: Input, at: number) => Promise<Output>) =>
  Promise.all(inputs.map(make));

function gpuTypes(
  path: string,
  types: readonly string[],
  units: number,
  cloud: "SECURE" | "COMMUNITY",
  prices: Prices,
): Promise<Choice[]> {
  const [subject] = path.split(".");
  return mapInParallel(types, async (name, at) => {
    const price = await prices.gpu(at === 0 ? path : `${subject}.gpuAlternatives.${at - 1}`, name, cloud);
    return { name, unit: "GPU", units, price };
  });
}

/** The least is billed for the first choice, which the service tries first; the most for the dearest. */
function firstToDearest(choices: readonly Choice[], least = 1, most = 1): Item[] {
  const [dearest] = choices.toSorted((a, b) => b.units * b.price - a.units * a.price);
  return choices
    .filter((choice, at) => at === 0 || choice === dearest)
    .map((choice, at) => ({
      name: choice.name,
      unit: choice.unit,
      quantity: at === 0 ? choice.units * least : 0,
      maxQuantity: choice === dearest ? choice.units * most : 0,
      unitPricePerHour: choice.price,
    }));
}

function networkVolumeItems({ size, type }: NonNullable<Estimated["networkVolume"]>, prices: Prices): Item[] {
  const ownPrice = prices.tier(type);
  if (ownPrice !== undefined) return storage("network volume", size, 1, ownPrice);
  if (type === "HIGH_PERFORMANCE") {
    throw new ArgumentError(
      "networkVolume.type",
      "can't be estimated: the service publishes the price of STANDARD only",
    );
  }
  return NETWORK_VOLUME_PRICES.filter(({ from }) => size > from).map(({ from, to, price }) =>
    always("network volume", "GB", Math.min(size, to) - from, perHour(price)),
  );
}

function always(name: string, unit: string, quantity: number, unitPricePerHour: number): Item {
  return { name, unit, quantity, maxQuantity: quantity, unitPricePerHour };
}

function storage(name: string, size: number | undefined, times: number, pricePerMonth: number): Item[] {
  return size === undefined ? [] : [always(name, "GB", size * times, perHour(pricePerMonth))];
}

const perHour = (pricePerMonth: number): number => pricePerMonth / HOURS_PER_MONTH;

/** So that 3 * 0.1 does not become 0.30000000000000004. */
export const roundToMicro = (amount: number): number => Math.round(amount * 1e6) / 1e6;
