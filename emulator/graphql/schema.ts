import { buildSchema } from "graphql";
import { ENDPOINT_DEFAULTS } from "./defaults";

const { idleTimeout, scalerType, scalerValue, workersMax, workersMin, gpuCount } = ENDPOINT_DEFAULTS;

/** The input of both mutations that deploy a pod. */
const POD_INPUT = `
    name: String
    imageName: String
    cloudType: CloudType
    dockerArgs: String
    containerDiskInGb: Int
    volumeInGb: Int
    volumeMountPath: String
    networkVolumeId: String
    ports: String
    env: [EnvironmentVariableInput!]
    startSsh: Boolean
    startJupyter: Boolean
    supportPublicIp: Boolean
    dataCenterId: String
    countryCode: String
    templateId: String
    containerRegistryAuthId: String
    globalNetwork: Boolean
    minVcpuCount: Int
    minMemoryInGb: Int
    minDownload: Int
    minUpload: Int
    minDisk: Int
    stopAfter: String
    terminateAfter: String`;

export const schema = buildSchema(`
  scalar JSON

  enum FlashBootType { OFF FLASHBOOT PRIORITY_FLASHBOOT }

  input EnvironmentVariableInput { key: String!, value: String! }
  input NetworkVolumeIdInput { networkVolumeId: String! }
  input EndpointVolumeInput { volumeId: String!, volumeType: String! }

  input EndpointTemplateInput {
    name: String!
    imageName: String
    containerDiskInGb: Int
    dockerArgs: String
    env: [EnvironmentVariableInput!]
    ports: String
    readme: String
    containerRegistryAuthId: String
    volumeInGb: Int
    volumeMountPath: String
    startSsh: Boolean
    startJupyter: Boolean
    isPublic: Boolean
    category: String
    advancedStart: Boolean
    startScript: String
    config: JSON
  }

  input EndpointInput {
    id: String
    name: String!
    gpuIds: String
    templateId: String
    template: EndpointTemplateInput
    type: String
    instanceIds: [String!]
    locations: String
    networkVolumeId: String
    networkVolumeIds: [NetworkVolumeIdInput!]
    volumes: [EndpointVolumeInput!]
    idleTimeout: Int = ${idleTimeout}
    scalerType: String = "${scalerType}"
    scalerValue: Int = ${scalerValue}
    workersMax: Int = ${workersMax}
    workersMin: Int = ${workersMin}
    gpuCount: Int = ${gpuCount}
    executionTimeoutMs: Int
    flashBootType: FlashBootType
    allowedCudaVersions: String
    minCudaVersion: String
    env: [EnvironmentVariableInput!]
    modelReferences: [String!]
    bindEndpoint: Boolean = true
    computeType: String
    flashEnvironmentId: String
    workersPFBTarget: Int
    activeBuildid: String
    idePodId: String
    aiKey: String
    userId: String
  }

  input UpdateEndpointTemplateInput { endpointId: String!, templateId: String! }

  input SaveTemplateInput {
    id: String
    name: String!
    imageName: String
    containerDiskInGb: Int!
    volumeInGb: Int!
    dockerArgs: String!
    env: [EnvironmentVariableInput!]!
    ports: String
    isServerless: Boolean
    isPublic: Boolean
    readme: String
    startSsh: Boolean
    startJupyter: Boolean
    containerRegistryAuthId: String
    volumeMountPath: String
    category: String
    advancedStart: Boolean
    startScript: String
    config: JSON
  }

  input SaveRegistryAuthInput { name: String!, username: String!, password: String! }
  input UpdateRegistryAuthInput { id: String!, username: String!, password: String! }
  input CreateNetworkVolumeInput { name: String!, size: Int!, dataCenterId: String! }
  input UpdateNetworkVolumeInput { id: String!, name: String, size: Int }
  input DeleteNetworkVolumeInput { id: String! }
  input SecretCreateInput { name: String!, value: String!, description: String }

  enum CloudType { ALL COMMUNITY SECURE }

  input PodFindAndDeployOnDemandInput {
    ${POD_INPUT}
    gpuTypeId: String
    gpuCount: Int
    allowedCudaVersions: [String!]
    minCudaVersion: String
  }

  input DeployCpuPodInput {
    ${POD_INPUT}
    instanceId: String
  }

  input PodFilter { podId: String! }
  input PodStopInput { podId: String!, incrementVersion: Boolean }
  input PodResumeInput { podId: String!, gpuCount: Int, syncMachine: Boolean }
  input GpuTypeFilter { id: String, ids: [String!] }
  input GpuLowestPriceInput {
    gpuCount: Int
    minDisk: Int
    minMemoryInGb: Int
    minVcpuCount: Int
    secureCloud: Boolean
    dataCenterId: String
    countryCode: String
  }
  input UpdateUserSettingsInput { pubKey: String }

  type EnvironmentVariable { key: String, value: String }
  type EndpointNetworkVolume { networkVolumeId: String, dataCenterId: String }

  type Endpoint {
    id: String!
    name: String!
    gpuIds: String
    templateId: String
    type: String
    instanceIds: [String!]
    locations: String
    networkVolumeId: String
    networkVolumeIds: [EndpointNetworkVolume!]
    idleTimeout: Int
    scalerType: String
    scalerValue: Int
    workersMax: Int
    workersMin: Int
    workersStandby: Int
    gpuCount: Int
    executionTimeoutMs: Int
    flashBootType: FlashBootType
    allowedCudaVersions: String
    minCudaVersion: String
    modelReferences: [String!]
    env: [EnvironmentVariable!]
    pods: [Pod!]
    version: Int
    createdAt: String
    computeType: String
    aiKey: String
    userId: String
    networkVolume: NetworkVolume
    template: PodTemplate
    flashEnvironmentId: String
    workersPFBTarget: Int
    activeBuildid: String
    idePodId: String
  }

  type PodPort { ip: String, isIpPublic: Boolean, privatePort: Int, publicPort: Int, type: String }
  type PodGpu { id: String, gpuUtilPercent: Int, memoryUtilPercent: Int }
  type PodContainer { cpuPercent: Int, memoryPercent: Int }
  type PodRuntime { uptimeInSeconds: Int, ports: [PodPort!], gpus: [PodGpu!], container: PodContainer }
  type PodMachine {
    podHostId: String
    gpuDisplayName: String
    gpuTypeId: String
    dataCenterId: String
    location: String
    secureCloud: Boolean
  }

  type Pod {
    id: String!
    name: String
    imageName: String
    dockerArgs: String
    dockerId: String
    containerDiskInGb: Int
    volumeInGb: Float
    volumeMountPath: String
    networkVolumeId: String
    networkVolume: NetworkVolume
    ports: String
    port: Int
    env: [String!]
    gpuCount: Int
    vcpuCount: Float
    memoryInGb: Float
    podType: String
    costPerHr: Float
    desiredStatus: String
    lastStatusChange: String
    machineId: String
    machine: PodMachine
    templateId: String
    locked: Boolean
    uptimeSeconds: Int
    createdAt: String
    runtime: PodRuntime
  }

  type GpuLowestPrice { minimumBidPrice: Float, uninterruptablePrice: Float }
  type GpuType {
    id: String!
    displayName: String
    manufacturer: String
    memoryInGb: Int
    cudaCores: Int
    secureCloud: Boolean
    communityCloud: Boolean
    securePrice: Float
    communityPrice: Float
    oneMonthPrice: Float
    threeMonthPrice: Float
    sixMonthPrice: Float
    oneWeekPrice: Float
    communitySpotPrice: Float
    secureSpotPrice: Float
    maxGpuCount: Int
    maxGpuCountSecureCloud: Int
    maxGpuCountCommunityCloud: Int
    lowestPrice(input: GpuLowestPriceInput): GpuLowestPrice
  }

  type PodTemplate {
    id: String!
    name: String!
    imageName: String
    containerDiskInGb: Int
    volumeInGb: Int
    dockerArgs: String
    env: [EnvironmentVariable!]
    ports: String
    isServerless: Boolean
    isPublic: Boolean
    readme: String
    startSsh: Boolean
    startJupyter: Boolean
    containerRegistryAuthId: String
    volumeMountPath: String
    category: String
    advancedStart: Boolean
    startScript: String
    config: JSON
  }

  type RegistryAuth { id: String!, name: String! }
  type DataCenter { id: String!, name: String, location: String, storageSupport: Boolean }
  type NetworkVolume { id: String!, name: String!, size: Int!, dataCenterId: String!, dataCenter: DataCenter }
  type Secret { id: String!, name: String!, description: String }
  type ServerlessDiscount { discountFactor: Float, type: String, expirationDate: String }

  type User {
    id: String
    endpoints: [Endpoint!]!
    endpoint(id: String!): Endpoint
    serverlessDiscount: ServerlessDiscount
    pubKey: String
    email: String
    clientBalance: Float
    currentSpendPerHr: Float
    spendLimit: Float
    pods: [Pod!]!
    networkVolumes: [NetworkVolume!]!
    containerRegistryCreds: [RegistryAuth!]!
    podTemplates: [PodTemplate!]!
    secrets: [Secret!]!
  }

  type Query {
    myself: User
    pod(input: PodFilter!): Pod
    podTemplate(id: String!): PodTemplate
    gpuTypes(input: GpuTypeFilter): [GpuType!]
  }

  type Mutation {
    saveEndpoint(input: EndpointInput!): Endpoint
    updateEndpointTemplate(input: UpdateEndpointTemplateInput!): Endpoint
    deleteEndpoint(id: String!): Boolean
    saveTemplate(input: SaveTemplateInput!): PodTemplate
    deleteTemplate(templateName: String!): Boolean
    saveRegistryAuth(input: SaveRegistryAuthInput!): RegistryAuth
    updateRegistryAuth(input: UpdateRegistryAuthInput!): RegistryAuth
    deleteRegistryAuth(registryAuthId: String!): Boolean
    createNetworkVolume(input: CreateNetworkVolumeInput!): NetworkVolume
    updateNetworkVolume(input: UpdateNetworkVolumeInput!): NetworkVolume
    deleteNetworkVolume(input: DeleteNetworkVolumeInput!): Boolean
    secretCreate(input: SecretCreateInput!): Secret
    secretDelete(id: String!): Boolean
    podFindAndDeployOnDemand(input: PodFindAndDeployOnDemandInput!): Pod
    deployCpuPod(input: DeployCpuPodInput!): Pod
    podStop(input: PodStopInput!): Pod
    podResume(input: PodResumeInput!): Pod
    podRestart(input: PodFilter!): Pod
    podTerminate(input: PodFilter!): Boolean
    updateUserSettings(input: UpdateUserSettingsInput!): User
  }
`);
