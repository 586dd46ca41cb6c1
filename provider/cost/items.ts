import { ArgumentError } from "../lifecycle/caller";
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
export async function estimate(given: Estimated, prices: Prices) {
  const items = [
    ...(given.pod === undefined ? [] : await podItems(given.pod, prices)),
    ...(given.cluster === undefined ? [] : await clusterItems(given.cluster, prices)),
    ...(given.endpoint === undefined ? [] : await endpointItems(given.endpoint, prices)),
    ...(given.networkVolume === undefined ? [] : networkVolumeItems(given.networkVolume, prices)),
  ];
  const sum = (quantity: (item: Item) => number) =>
    items.reduce((total, item) => total + quantity(item) * item.unitPricePerHour, 0);
  const hourly = sum((item) => item.quantity);
  const hourlyMax = sum((item) => item.maxQuantity);
  return {
    hourly: round(hourly),
    monthly: round(hourly * HOURS_PER_MONTH),
    hourlyMax: round(hourlyMax),
    monthlyMax: round(hourlyMax * HOURS_PER_MONTH),
    items: items.map((item) => ({ ...item, unitPricePerHour: round(item.unitPricePerHour) })),
  };
}

async function podItems(pod: NonNullable<Estimated["pod"]>, prices: Prices): Promise<Item[]> {
  const { gpu, cpu, cloud, disk, mounts, desiredStatus } = pod;
  if ((gpu === undefined) === (cpu === undefined)) throw new ArgumentError("pod", "give one of gpu and cpu");
  const volume = mounts?.persistent?.size;
  if (desiredStatus === "EXITED") return storage("pod volume", volume, 1, STORAGE_PRICES.stoppedPodVolume);
  return [
    ...(gpu === undefined ? [] : [always(gpu.id, "GPU", gpu.count, await prices.gpu("pod.gpu.id", gpu.id, cloud))]),
    ...(cpu === undefined
      ? []
      : [always(cpu.id, "vCPU", cpu.vcpuCount, await prices.cpu("pod.cpu.id", cpu.id, "securePerVcpu"))]),
    ...storage("container disk", disk, 1, STORAGE_PRICES.containerDisk),
    ...storage("pod volume", volume, 1, STORAGE_PRICES.podVolume),
  ];
}

async function clusterItems(
  { compute, disk, mounts }: NonNullable<Estimated["cluster"]>,
  prices: Prices,
): Promise<Item[]> {
  const { gpuTypeId, gpuCountPerPod, podCount } = compute;
  const price = await prices.gpu("cluster.compute.gpuTypeId", gpuTypeId, "SECURE");
  return [
    always(gpuTypeId, "GPU", gpuCountPerPod * podCount, price),
    ...storage("container disk", disk, podCount, STORAGE_PRICES.containerDisk),
    ...storage("pod volume", mounts?.persistent?.size, podCount, STORAGE_PRICES.podVolume),
  ];
}

async function endpointItems(endpoint: NonNullable<Estimated["endpoint"]>, prices: Prices): Promise<Item[]> {
  const { gpuIds, gpu, cpu: [cpu] = [], disk } = endpoint;
  const { min, max } = endpoint.workers ?? { min: endpoint.workersMin, max: endpoint.workersMax };
  const pool = gpu?.pools[0] ?? gpuIds?.split(",")[0]?.trim();
  const count = gpu?.count ?? endpoint.gpuCount;
  const perWorker = (name: string, unit: string, each: number, unitPricePerHour: number): Item => ({
    name,
    unit,
    quantity: each * min,
    maxQuantity: each * max,
    unitPricePerHour,
  });
  const diskItems =
    disk === undefined ? [] : [perWorker("container disk", "GB", disk, perHour(STORAGE_PRICES.containerDisk))];
  if (cpu !== undefined) {
    const price = await prices.cpu("endpoint.cpu.0.id", cpu.id, "serverlessPerVcpu");
    return [perWorker(cpu.id, "vCPU", cpu.vcpuCount, price), ...diskItems];
  }
  if (pool === undefined) throw new ArgumentError("endpoint", "give one of gpuIds, gpu and cpu");
  const path = gpu === undefined ? "endpoint.gpuIds" : "endpoint.gpu.pools.0";
  return [perWorker(pool, "GPU", count, await prices.pool(path, pool)), ...diskItems];
}

function networkVolumeItems({ size, type }: NonNullable<Estimated["networkVolume"]>, prices: Prices): Item[] {
  const own = prices.tier(type);
  if (own !== undefined) return storage("network volume", size, 1, own);
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

function perHour(pricePerMonth: number): number {
  return pricePerMonth / HOURS_PER_MONTH;
}

function round(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}
