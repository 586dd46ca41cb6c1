import { buildSchema } from "graphql";

export const schema = buildSchema(`
  enum FlashBootType { OFF FLASHBOOT PRIORITY_FLASHBOOT }

  input EnvironmentVariableInput { key: String!, value: String! }
  input NetworkVolumeIdInput { networkVolumeId: String! }

  input EndpointInput {
    id: String
    name: String!
    gpuIds: String
    templateId: String
    type: String
    instanceIds: [String!]
    locations: String
    networkVolumeId: String
    networkVolumeIds: [NetworkVolumeIdInput!]
    idleTimeout: Int = 10
    scalerType: String = "QUEUE_DELAY"
    scalerValue: Int = 4
    workersMax: Int = 3
    workersMin: Int = 0
    gpuCount: Int = 1
    executionTimeoutMs: Int
    flashBootType: FlashBootType
    allowedCudaVersions: String
    minCudaVersion: String
    env: [EnvironmentVariableInput!]
    bindEndpoint: Boolean = true
  }

  type Endpoint {
    id: String!
    name: String!
    gpuIds: String
    templateId: String
    type: String
    instanceIds: [String!]
    locations: String
    networkVolumeId: String
    idleTimeout: Int
    scalerType: String
    scalerValue: Int
    workersMax: Int
    workersMin: Int
    gpuCount: Int
    executionTimeoutMs: Int
    flashBootType: FlashBootType
    allowedCudaVersions: String
    minCudaVersion: String
    version: Int
    createdAt: String
  }

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
    deleteEndpoint(id: String!): Boolean
  }
`);
