export type { BaseContainerArgs, ContainerArgs, PersistentMountArgs } from "./container";
export { NetworkVolume, type NetworkVolumeArgs, type VolumeType } from "./networkVolume";
export { Registry, type RegistryArgs } from "./registry";
export {
  type FlashBoot,
  type QueueUrls,
  type ScalerType,
  ServerlessEndpoint,
  type ServerlessEndpointArgs,
  type ServerlessType,
} from "./serverlessEndpoint";
export { Template, type TemplateArgs, type TemplateCategory, type TemplateMountsArgs } from "./template";
