import { requireNode } from "./internal/node";

export { Cluster, type ClusterArgs, type ClusterComputeArgs, type ClusterType } from "./cluster";
export type { BaseContainerArgs, ContainerArgs, TemplatedContainerArgs } from "./container";
export { EcrDelegation, type EcrDelegationArgs } from "./ecrDelegation";
export * from "./functions/account";
export * from "./functions/billing";
export * from "./functions/catalog";
export * from "./functions/fleet";
export type * from "./functions/fleetTypes";
export * from "./functions/pick";
export type { RevisedTemplate } from "./internal/resource";
export * as jobs from "./jobs";
export type { Mounts, MountsArgs, NetworkMountArgs, PersistentMountArgs } from "./mounts";
export { NetworkVolume, type NetworkVolumeArgs, type VolumeType } from "./networkVolume";
export { type Cloud, type CpuArgs, Pod, type PodArgs, type PodGpuArgs, type PublicPort } from "./pod";
export * from "./queue";
export { Registry, type RegistryArgs } from "./registry";
export {
  type EndpointGpuArgs,
  type EndpointType,
  type EndpointWorkersArgs,
  type LoadBalancerUrls,
  type ScalingArgs,
  ServerlessContainer,
  type ServerlessContainerArgs,
} from "./serverlessContainer";
export {
  type FlashBoot,
  type QueueUrls,
  type ScalerType,
  ServerlessEndpoint,
  type ServerlessEndpointArgs,
  type ServerlessType,
} from "./serverlessEndpoint";
export { type RevisedEndpoint, type SmokeExpectation, SmokeJob, type SmokeJobArgs } from "./smokeJob";
export { SshKeys, type SshKeysArgs } from "./sshKeys";
export { Template, type TemplateArgs, type TemplateCategory, type TemplateMountsArgs } from "./template";

requireNode();
