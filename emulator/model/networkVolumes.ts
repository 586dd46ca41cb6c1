import { HOURS_PER_MONTH } from "../billing/charges";
import { newId } from "../ids";
import { badRequest } from "../problem";
import type { Service } from "../service";
import type { NetworkVolumeRecord } from "../store/records";
import { checkName, LEAST, MOST } from "./bounds";

interface VolumeDraft extends Omit<NetworkVolumeRecord, "id" | "type"> {
  readonly type?: NetworkVolumeRecord["type"] | undefined;
}

const GB_PER_TB = 1000;
/** Within the first TB, and beyond it. */
const STANDARD_USD_PER_GB_MONTH = [0.07, 0.05] as const;
const HIGH_PERFORMANCE_USD_PER_GB_MONTH = 0.14;

/** Creates a volume. Without a type, it gets the data center's primary tier. */
export function createVolume(service: Service, draft: VolumeDraft): NetworkVolumeRecord {
  checkSize(draft.size);
  const places = [...service.catalog.dataCenters.values()];
  const offering = places.filter(({ networkVolumeTypes }) => networkVolumeTypes.length > 0);
  const dataCenter = offering.find(({ id }) => id === draft.dataCenter);
  if (dataCenter === undefined)
    throw badRequest(
      `data center '${draft.dataCenter}' does not support network volumes; supported data centers: ${offering.map(({ id }) => id).join(", ")}`,
    );
  const type = draft.type ?? dataCenter.networkVolumeTypes[0];
  if (type === undefined || !dataCenter.networkVolumeTypes.includes(type))
    throw badRequest(`data center '${draft.dataCenter}' does not offer ${draft.type} network volumes`);
  return save(service, { ...draft, id: newId.networkVolume(), type });
}

export function updateVolume(
  service: Service,
  volume: NetworkVolumeRecord,
  patch: Partial<Pick<NetworkVolumeRecord, "name" | "size">>,
): NetworkVolumeRecord {
  if (patch.size !== undefined) checkSize(patch.size);
  if (patch.size !== undefined && patch.size < volume.size)
    throw badRequest(`network volume size can only grow: it is ${volume.size} GB`);
  return save(service, { ...volume, ...patch });
}

export function removeVolume(service: Service, { id }: NetworkVolumeRecord): void {
  checkUnused(service, "volume", id);
  service.meter.stop(id);
  service.store.networkVolumes.delete(id);
}

/** Refuses to delete a volume that a pod, stopped or not, or an endpoint with workers uses. */
export function checkUnused({ store }: Service, index: "volume" | "globalVolume", id: string): void {
  const kind = index === "volume" ? "network volume" : "global volume";
  if (store.pods.count(index, id) > 0 || store.endpoints.by(index, id).some(({ workers }) => workers.max > 0))
    throw badRequest(`${kind} is in use: remove it from all pods and serverless workers first`);
}

function checkSize(size: number): void {
  if (size < LEAST.volumeGb || size > MOST.volumeGb)
    throw badRequest(`size must be from ${LEAST.volumeGb} to ${MOST.volumeGb} GB`);
}

function save({ store, meter }: Service, volume: NetworkVolumeRecord): NetworkVolumeRecord {
  checkName(volume.name);
  meter.start("networkVolume", volume.id, rates(volume));
  return store.networkVolumes.put(volume);
}

/** USD per hour. For a standard volume, each GB above the first TB costs less. */
function rates({ size, type }: NetworkVolumeRecord): Record<string, number> {
  if (type === "HIGH_PERFORMANCE")
    return { highPerformance: (size * HIGH_PERFORMANCE_USD_PER_GB_MONTH) / HOURS_PER_MONTH };
  const [first, rest] = STANDARD_USD_PER_GB_MONTH;
  const perMonth = Math.min(size, GB_PER_TB) * first + Math.max(0, size - GB_PER_TB) * rest;
  return { standard: perMonth / HOURS_PER_MONTH };
}
