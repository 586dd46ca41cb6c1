import { find } from "../model/lookup";
import { createVolume, removeVolume, updateVolume } from "../model/networkVolumes";
import { createRegistry, removeRegistry } from "../model/registries";
import { createSecret, type SecretDraft } from "../model/secrets";
import { sent } from "../model/sent";
import type { Service } from "../service";
import type { NetworkVolumeRecord, RegistryRecord } from "../store/records";
import { dataCenterShown } from "./catalog";

/** The mutations about network volumes, registry credentials and secrets. References to secrets are not resolved. */
export const storageMutations = (service: Service) => ({
  createNetworkVolume: ({ input }: { input: { name: string; size: number; dataCenterId: string } }) => {
    const { dataCenterId: dataCenter, ...rest } = input;
    return volumeShown(service, createVolume(service, { ...rest, dataCenter }));
  },
  updateNetworkVolume: ({ input }: { input: { id: string; name?: string | null; size?: number | null } }) => {
    const patch = sent({ name: input.name ?? undefined, size: input.size ?? undefined });
    return volumeShown(service, updateVolume(service, findVolume(service, input.id), patch));
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
  secretCreate: ({ input }: { input: SecretDraft }) => createSecret(service, input),
  secretDelete: ({ id }: { id: string }) => {
    const { secrets } = service.store;
    secrets.delete(find(service, secrets, id, "secret").id);
    return null;
  },
});

const findVolume = (service: Service, id: string) => find(service, service.store.networkVolumes, id, "network volume");
const findRegistry = (service: Service, id: string) => find(service, service.store.registries, id, "registry");

export const volumeShown = ({ catalog }: Service, { dataCenter, ...volume }: NetworkVolumeRecord) => ({
  ...volume,
  dataCenterId: dataCenter,
  dataCenter: () => dataCenterShown(dataCenter, catalog.dataCenters.get(dataCenter)),
});
