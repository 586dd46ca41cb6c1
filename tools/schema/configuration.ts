import type { Setting } from "../../client";

interface ConfigurationSpec {
  readonly type: "string" | "boolean" | "strings";
  readonly description: string;
  readonly secret?: true;
}

export const configuration: Readonly<Record<Setting, ConfigurationSpec>> = {
  apiKey: { type: "string", secret: true, description: "API key of the account." },
  cloud: { type: "string", description: "Name of a cloud whose addresses are known." },
  baseUrl: { type: "string", description: "Address that stands before /v2 of the REST API." },
  serverlessUrl: { type: "string", description: "Address that stands before /v2 of the queues." },
  graphqlUrl: { type: "string", description: "Address of the GraphQL API." },
  graphqlKeyIn: { type: "string", description: "Where the key of GraphQL goes: header (the default), or query." },
  endpointsThrough: {
    type: "string",
    description:
      "Which interface keeps a ServerlessEndpoint: graphql, rest, or auto (the default), which is REST once GraphQL has ended.",
  },
  catalogChecks: { type: "boolean", description: "Whether previews check against the catalog." },
  proxyDomain: { type: "string", description: "Domain of the public addresses of pods." },
  retryTimeout: { type: "string", description: "How long one call is repeated, such as 2m." },
  allowedAccounts: {
    type: "strings",
    description: "Accounts that the key may belong to, by id or by the hash that errors show. Any other is an error.",
  },
  allowEmptyRefresh: {
    type: "boolean",
    description:
      "Whether a refresh or a destroy may find every resource gone where it is not known whose account the key is of.",
  },
  existing: {
    type: "string",
    description:
      "What happens to a new resource that exists already under its generated name: refuse (the default), adopt, or duplicate.",
  },
};

/** In the order in which documents list them. */
export const settingNames = Object.keys(configuration) as readonly Setting[];
