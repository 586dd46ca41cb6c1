import { buildSchema } from "graphql";
import { ENDPOINT_DEFAULTS } from "./defaults";

const { idleTimeout, scalerType, scalerValue, workersMax, workersMin, gpuCount } = ENDPOINT_DEFAULTS;

export const schema = buildSchema(`
  enum FlashBootType { OFF FLASHBOOT PRIORITY_FLASHBOOT }

  input EnvironmentVariableInput { key: String!, value: String! }
  input NetworkVolumeIdInput { networkVolumeId: String! }

  input EndpointTemplateInput {
    name: String!
    imageName: String
    containerDiskInGb: Int
    dockerArgs: String
    env: [EnvironmentVariableInput!]
    ports: String
    readme: String
    containerRegistryAuthId: String
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
  }

  input SaveRegistryAuthInput { name: String!, username: String!, password: String! }
  input UpdateRegistryAuthInput { id: String!, username: String!, password: String! }
  input CreateNetworkVolumeInput { name: String!, size: Int!, dataCenterId: String! }
  input UpdateNetworkVolumeInput { id: String!, name: String, size: Int }
  input DeleteNetworkVolumeInput { id: String! }
  input SecretCreateInput { name: String!, value: String!, description: String }

  type EnvironmentVariable { key: String, value: String }
  type EndpointNetworkVolume { networkVolumeId: String, dataCenterId: String }
  type EndpointPod { id: String, desiredStatus: String }

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
    pods: [EndpointPod!]
    version: Int
    createdAt: String
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
  }

  type RegistryAuth { id: String!, name: String! }
  type NetworkVolume { id: String!, name: String!, size: Int!, dataCenterId: String! }
  type Secret { id: String!, name: String!, description: String }
  type ServerlessDiscount { discountFactor: Float, type: String, expirationDate: String }

  type User {
    id: String
    endpoints: [Endpoint!]!
    endpoint(id: String!): Endpoint
    serverlessDiscount: ServerlessDiscount
  }

  type Query { myself: User }

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
  }
`);
