import { randomInt } from "node:crypto";
import { DISK_USD_PER_GB_HOUR } from "../billing/charges";
import { newId } from "../ids";
import type { Service } from "../service";
import type { ClusterRecord, ClusterRole, ClusterType, PodRecord } from "../store/records";
import { injectedEnv, removePod, startPod } from "./pods";

const PRIMARY_PORT = 29_400;

/** The roles of rank 0 and of the other ranks, by cluster type. Other types have no roles. */
const ROLES: Partial<Record<ClusterType, readonly [first: ClusterRole, other: ClusterRole]>> = {
  SLURM: ["SLURM_CONTROLLER", "SLURM_COMPUTE"],
  RAY: ["RAY_HEAD", "RAY_WORKER"],
};

/** Creates a cluster. Its members are placed one after another, within half a pod's boot time. */
export function startCluster(
  service: Service,
  draft: Omit<ClusterRecord, "id" | "createdAt" | "network">,
): ClusterRecord {
  const cluster = service.store.clusters.put({
    ...draft,
    id: newId.cluster(),
    network: { cidr: `10.${randomInt(64, 127)}.0.0/16`, vxlanId: randomInt(1, 2 ** 24), vxlanPort: 4789 },
    createdAt: service.clock.now(),
  });
  service.meter.start("cluster", cluster.id, rates(service, cluster));
  scheduleMembers(service, cluster);
  return cluster;
}

export function removeCluster(service: Service, { id }: ClusterRecord): void {
  const { store, meter } = service;
  meter.stop(id);
  store.clusters.delete(id);
  for (const member of store.pods.by("cluster", id)) removePod(service, member);
}

/** Members by rank. */
export const membersOf = ({ store }: Service, clusterId: string): PodRecord[] =>
  store.pods.by("cluster", clusterId).toSorted((a, b) => rankOf(a) - rankOf(b));

/** Continues placing members after a restart of the emulator. */
export function resumeClusters(service: Service): void {
  for (const cluster of service.store.clusters.values()) scheduleMembers(service, cluster);
}

const rankOf = (pod: PodRecord): number => pod.cluster?.rank ?? 0;

function scheduleMembers(service: Service, cluster: ClusterRecord): void {
  const { podCount } = cluster.compute;
  const placed = new Set(service.store.pods.by("cluster", cluster.id).map(rankOf));
  for (let rank = 0; rank < podCount; rank += 1)
    if (!placed.has(rank))
      service.clock.at(cluster.createdAt + ((service.settings.podBootMs / 2) * rank) / podCount, () =>
        placeMember(service, cluster.id, rank),
      );
}

function placeMember(service: Service, clusterId: string, rank: number): void {
  const { store } = service;
  const cluster = store.clusters.get(clusterId);
  if (cluster === undefined || store.pods.by("cluster", clusterId).some((pod) => rankOf(pod) === rank)) return;
  const { member, compute, network, dataCenterId, cudaVersion } = cluster;
  const address = (ofRank: number) => network.cidr.replace("0.0/16", `${(ofRank + 2) >> 8}.${(ofRank + 2) & 255}`);
  const roles = ROLES[cluster.type];
  startPod(service, {
    ...member,
    name: `${cluster.name}-${rank}`,
    gpu: { id: compute.gpuTypeId, count: compute.gpuCountPerPod },
    cpu: null,
    cloud: "SECURE",
    dataCenterId,
    allowedCudaVersions: [],
    minCudaVersion: null,
    cudaVersion,
    globalNetworking: false,
    injectedEnv: { ...injectedEnv(service, member), ...clusterEnv(compute, rank, address) },
    cluster: { id: clusterId, rank, ...(roles && { role: roles[rank === 0 ? 0 : 1] }), ip: address(rank) },
  });
}

/** Variables that tell a member its rank and the addresses. */
function clusterEnv(
  { podCount, gpuCountPerPod }: ClusterRecord["compute"],
  rank: number,
  address: (rank: number) => string,
): Record<string, string> {
  const primary = address(0);
  return {
    PRIMARY_ADDR: primary,
    MASTER_ADDR: primary,
    PRIMARY_PORT: String(PRIMARY_PORT),
    MASTER_PORT: String(PRIMARY_PORT),
    NODE_ADDR: address(rank),
    NODE_RANK: String(rank),
    NUM_NODES: String(podCount),
    NUM_TRAINERS: String(gpuCountPerPod),
    HOST_NODE_ADDR: `${primary}:${PRIMARY_PORT}`,
    WORLD_SIZE: String(podCount * gpuCountPerPod),
  };
}

function rates({ catalog }: Service, { compute, member }: ClusterRecord): Record<string, number> {
  const { gpuTypeId, gpuCountPerPod, podCount } = compute;
  const disk = member.disk + (member.mounts.persistent?.size ?? 0);
  return {
    gpu: (catalog.gpuTypes.get(gpuTypeId)?.price.secure ?? 0) * gpuCountPerPod * podCount,
    disk: disk * DISK_USD_PER_GB_HOUR * podCount,
    networking: 0,
  };
}
