interface ConfigurationSpec {
  readonly type: "string" | "boolean";
  readonly description: string;
  readonly variable: string;
  readonly secret?: true;
}

/** What a stack may configure, and the environment variable that stands for it. */
export const configuration: Readonly<Record<string, ConfigurationSpec>> = {
  apiKey: { type: "string", secret: true, description: "API key of the account.", variable: "COMPUTECLOUD_API_KEY" },
  cloud: { type: "string", description: "Name of a cloud whose addresses are known.", variable: "COMPUTECLOUD_CLOUD" },
  baseUrl: {
    type: "string",
    description: "Address that stands before /v2 of the REST API.",
    variable: "COMPUTECLOUD_BASE_URL",
  },
  serverlessUrl: {
    type: "string",
    description: "Address that stands before /v2 of the queues.",
    variable: "COMPUTECLOUD_SERVERLESS_URL",
  },
  graphqlUrl: { type: "string", description: "Address of the GraphQL API.", variable: "COMPUTECLOUD_GRAPHQL_URL" },
  graphqlKeyIn: {
    type: "string",
    description: "Where the key of GraphQL goes: query (the default), or header.",
    variable: "COMPUTECLOUD_GRAPHQL_KEY_IN",
  },
  catalogChecks: {
    type: "boolean",
    description: "Whether previews check against the catalog.",
    variable: "COMPUTECLOUD_CATALOG_CHECKS",
  },
  proxyDomain: {
    type: "string",
    description: "Domain of the public addresses of pods.",
    variable: "COMPUTECLOUD_PROXY_DOMAIN",
  },
  retryTimeout: {
    type: "string",
    description: "How long one call is repeated, such as 2m.",
    variable: "COMPUTECLOUD_RETRY_TIMEOUT",
  },
};
