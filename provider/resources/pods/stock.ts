import { type Client, ComputeCloudError } from "../../../client";
import { isRecord } from "../../../common/json";
import type { Context } from "../../lifecycle/definition";
import { containsUnknown } from "../../lifecycle/fields/unknown";
import { type Properties, valueAt } from "../../lifecycle/fields/values";
import { type Candidate, candidates } from "./candidates";
import { sharesVolume, volumeOf } from "./mounts";

const PATIENCE_MS = 10_000;

interface Hardware {
  readonly gpu?:
    | { readonly count: number; readonly minRamPerGpu?: unknown; readonly minVcpuCountPerGpu?: unknown }
    | undefined;
  readonly cloud: "SECURE" | "COMMUNITY";
  readonly product?: "POD" | "CLUSTER";
  readonly mounts?: object;
  readonly globalNetworking?: boolean;
}

/** How much is free of each GPU type now, by data center. */
async function stockOf(client: Client, { gpu, cloud, product = "POD" }: Hardware) {
  const gpus = await client.catalog.gpus(
    { include: ["AVAILABILITY"], product: [product], count: gpu?.count ?? 1, cloud },
    { timeoutMs: PATIENCE_MS },
  );
  return ({ gpuTypeId, dataCenterId }: Candidate): string | undefined => {
    const type = gpus.find(({ id }) => id === gpuTypeId);
    if (dataCenterId === undefined) return type?.availability;
    return type && (type.dataCenters?.find(({ id }) => id === dataCenterId)?.availability ?? "NONE");
  };
}

/**
 * Whether the catalog shows much free hardware for a candidate of a pod. Undefined for a pod with wishes that the catalog does
 * not know, such as a volume, which ties it to a data center.
 */
export function plentyOf(client: Client, pod: Hardware): ((candidate: Candidate) => Promise<boolean>) | undefined {
  const { gpu, mounts = {}, globalNetworking } = pod;
  const isSpecial = gpu?.minRamPerGpu ?? gpu?.minVcpuCountPerGpu ?? ("network" in mounts || undefined);
  if (gpu === undefined || isSpecial !== undefined || globalNetworking === true) return undefined;
  return async (candidate) => {
    try {
      const level = (await stockOf(client, pod))(candidate);
      return level === "HIGH" || level === "MEDIUM";
    } catch (error) {
      if (error instanceof ComputeCloudError) return false;
      throw error;
    }
  };
}

/**
 * Judges a replacement that deletes a running pod or cluster before it creates the new one: without a free GPU the program would
 * be left without any.
 *
 * @throws Error when the catalog shows no free GPU for the new one; nothing was changed then
 */
export async function refuseWithoutStock(
  { client, log, settings }: Context,
  subject: string,
  old: Properties,
  next: Properties,
  product: Hardware["product"] = "POD",
): Promise<void> {
  const { gpu, gpuAlternatives, dataCenterIds, cloud, waitForCapacity } = next;
  const volume = volumeOf(next);
  if (!settings.catalogChecks || !isRecord(gpu) || containsUnknown({ gpu, gpuAlternatives, dataCenterIds, volume }))
    return;
  const types = [gpu.id, ...(Array.isArray(gpuAlternatives) ? gpuAlternatives : [])].map(String);
  const hardware: Hardware = {
    gpu: { count: Number(gpu.count ?? 1) },
    cloud: cloud === "COMMUNITY" ? "COMMUNITY" : "SECURE",
    product,
  };
  const isShared = sharesVolume(old, next);
  let places: readonly string[] = Array.isArray(dataCenterIds) ? dataCenterIds.map(String) : [];
  let levels: readonly (string | undefined)[];
  try {
    const where = isShared && typeof old.dataCenterId === "string" ? old.dataCenterId : await placeOf(client, volume);
    if (where !== undefined) places = [where];
    levels = candidates(types, places).map(await stockOf(client, hardware));
  } catch (error) {
    if (!(error instanceof ComputeCloudError)) throw error;
    log.warn(
      `${subject}: it can't be seen whether a GPU for its replacement is free${inPlaces(places)}: ${error.message}`,
    );
    return;
  }
  if (levels.some((level) => level !== "NONE")) return;
  const what =
    `${subject} is deleted before its replacement is created${isShared ? ", because both mount one volume" : ""}, and none of ` +
    `${types.join(", ")} is free${inPlaces(places)} now`;
  // The GPU that it leaves may serve the new one; a stopped pod serves nobody.
  const isLeft = (what: "count" | "pods") => Number(valueAt(old, ["gpu", what]) ?? 1) >= Number(gpu[what] ?? 1);
  const isThere = isShared || places.length === 0 || places.includes(String(old.dataCenterId));
  const mayFit =
    isThere &&
    types.includes(String(old.gpuTypeId ?? valueAt(old, ["gpu", "id"]))) &&
    isLeft("count") &&
    isLeft("pods");
  if (mayFit || old.desiredStatus === "EXITED" || waitForCapacity !== undefined) {
    log.warn(`${what}: the program may be without it for a while.`);
    return;
  }
  throw new Error(
    `${what}: the program would be left without it. It was not changed. Run it again when one is free, add types to ` +
      `gpuAlternatives, or set waitForCapacity, such as "2h", if it may be missing for so long.` +
      (isShared ? "" : " The option `deleteBeforeReplace: false` creates the replacement first."),
  );
}

const inPlaces = (dataCenters: readonly string[]) => (dataCenters.length === 0 ? "" : ` in ${dataCenters.join(", ")}`);

/** Where the volume ties the replacement to. */
async function placeOf(client: Client, volume: unknown): Promise<string | undefined> {
  return typeof volume === "string" ? (await client.networkVolumes.read(volume))?.dataCenter : undefined;
}
