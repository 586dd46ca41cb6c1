/**
 * Flat names of the service's retired v1, and their places in v2. Of several places, the first that a kind has is the
 * right one.
 */
export const NEW_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    imageName: ["image"],
    containerDiskInGb: ["disk"],
    dockerArgs: ["args"],
    dockerStartCmd: ["cmd"],
    dockerEntrypoint: ["entrypoint"],
    containerRegistryAuthId: ["registry"],
    isPublic: ["public"],
    isServerless: ["serverless"],
    volumeInGb: ["mounts.persistent.size"],
    volumeMountPath: ["mounts.persistent.path"],
    networkVolumeId: ["networkVolumes", "mounts.network"],
    networkVolumeIds: ["networkVolumes", "networkVolumeId", "mounts.network"],
    dataCenterId: ["dataCenter", "dataCenterIds"],
    gpuTypeId: ["gpu.id", "gpu.pools", "gpuIds", "compute.gpuTypeId"],
    gpuTypeIds: ["gpu.id", "gpu.pools", "gpuIds", "compute.gpuTypeId"],
    gpuIds: ["gpu.pools", "gpu.id"],
    gpuCount: ["gpu.count", "compute.gpuCountPerPod"],
    cpuFlavorIds: ["cpu.id", "cpu"],
    vcpuCount: ["cpu.vcpuCount"],
    cloudType: ["cloud"],
    workersMin: ["workers.min"],
    workersMax: ["workers.max"],
    idleTimeout: ["workers.idleTimeout"],
    scalerType: ["scaling.type", "scaling"],
    scalerValue: ["scaling"],
    executionTimeoutMs: ["timeout"],
    flashBootType: ["flashboot"],
    flashboot: ["flashBootType"],
  }),
);
