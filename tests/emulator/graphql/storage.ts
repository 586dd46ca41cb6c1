import { createVolume, removeVolume, updateVolume } from "../networkVolumes";
import { badRequest } from "../problem";
import { createRegistry, removeRegistry } from "../registries";
import { sent } from "../rest/container";
import { find } from "../rest/lookup";
import type { Service } from "../service";
import type { NetworkVolumeRecord, RegistryRecord } from "../store/records";

const LEAST_GB = 10;
const MOST_GB = 4096;

interface VolumeInput {
  readonly name: string;
  readonly size: number;
  readonly dataCenterId: string;
}

/** The mutations about network volumes and registry credentials. */
export const storageMutations = (service: Service) => ({
  createNetworkVolume: ({ input: { name, size, dataCenterId } }: { input: VolumeInput }) => {
    checkSize(size);
    return volumeShown(createVolume(service, { name, size, dataCenter: dataCenterId }));
  },
  updateNetworkVolume: ({ input }: { input: { id: string; name?: string | null; size?: number | null } }) => {
    if (input.size != null) checkSize(input.size);
    const patch = sent({ name: input.name ?? undefined, size: input.size ?? undefined });
    return volumeShown(updateVolume(service, findVolume(service, input.id), patch));
  },
  deleteNetworkVolume: ({ input: { id } }: { input: { id: string } }) => {
    removeVolume(service, findVolume(service, id));
    return null;
  },
  saveRegistryAuth: ({ input }: { input: Omit<RegistryRecord, "id"> }) => createRegistry(service, input),
  updateRegistryAuth: ({ input: { id, username, password } }: { input: Omit<RegistryRecord, "name"> }) =>
    service.store.registries.put({ ...findRegistry(service, id), username, password }),
  deleteRegistryAuth: ({ registryAuthId }: { registryAuthId: string }) => {
    removeRegistry(service, findRegistry(service, registryAuthId));
    return null;
  },
});

const findVolume = (service: Service, id: string) => find(service, service.store.networkVolumes, id, "network volume");
const findRegistry = (service: Service, id: string) => find(service, service.store.registries, id, "registry");

const volumeShown = ({ dataCenter, ...volume }: NetworkVolumeRecord) => ({ ...volume, dataCenterId: dataCenter });

function checkSize(size: number): void {
  if (size < LEAST_GB || size > MOST_GB) throw badRequest(`size must be from ${LEAST_GB} to ${MOST_GB} GB`);
}
