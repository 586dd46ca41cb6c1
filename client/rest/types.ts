// Made from the modules that it lists by `npm run generate`: change them, not this file.

export type { BillingCalls } from "./billing";
export type { CatalogCalls } from "./catalog";
export type { Cluster, ClusterCalls, CreateClusterRequest, UpdateClusterRequest } from "./clusters";
export type { CostCenter, CostCenterCalls, CreateCostCenterRequest, UpdateCostCenterRequest } from "./costCenters";
export type { CreateDelegationRequest, DelegationCalls, EcrDelegation } from "./delegations";
export type {
  CreateGlobalVolumeRequest,
  GlobalVolume,
  GlobalVolumeCalls,
  UpdateGlobalVolumeRequest,
} from "./globalVolumes";
export type {
  CreateNetworkVolumeRequest,
  NetworkVolume,
  NetworkVolumeCalls,
  UpdateNetworkVolumeRequest,
} from "./networkVolumes";
export type { PodCalls } from "./pods";
export type { CreateRegistryRequest, Registry, RegistryCalls, UpdateRegistryRequest } from "./registries";
export type { CreateSecretRequest, Secret, SecretCalls, UpdateSecretRequest } from "./secrets";
export type { ServerlessCalls } from "./serverless";
export type { SshKeyCalls, SshKeys } from "./sshKeys";
export type { CreateTagRequest, Tag, TagCalls, TagQuery, UpdateTagRequest } from "./tags";
export type { CreateTemplateRequest, Template, TemplateCalls, UpdateTemplateRequest } from "./templates";
