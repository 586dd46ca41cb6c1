// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { Input, ResourceOptions } from "@pulumi/pulumi";
import { ComputeCloudProvider } from "./internal/explicitProvider";

/**
 * A setting that is left out comes from the environment. The stack's configuration applies to the default provider
 * only.
 */
export interface ProviderArgs {
  /** API key of the account. Always a secret. Default: `COMPUTECLOUD_API_KEY`. */
  apiKey?: Input<string>;
  /** Name of a cloud whose addresses are known. Default: `COMPUTECLOUD_CLOUD`. */
  cloud?: Input<string>;
  /** Address that stands before /v2 of the REST API. Default: `COMPUTECLOUD_BASE_URL`. */
  baseUrl?: Input<string>;
  /** Address that stands before /v2 of the queues. Default: `COMPUTECLOUD_SERVERLESS_URL`. */
  serverlessUrl?: Input<string>;
  /** Address of the GraphQL API. Default: `COMPUTECLOUD_GRAPHQL_URL`. */
  graphqlUrl?: Input<string>;
  /** Where the key of GraphQL goes: header (the default), or query. Default: `COMPUTECLOUD_GRAPHQL_KEY_IN`. */
  graphqlKeyIn?: Input<string>;
  /**
   * Which interface keeps a ServerlessEndpoint: graphql, rest, or auto (the default), which is REST once GraphQL has
   * ended. Default: `COMPUTECLOUD_ENDPOINTS_THROUGH`.
   */
  endpointsThrough?: Input<string>;
  /** Whether previews check against the catalog. Default: `COMPUTECLOUD_CATALOG_CHECKS`. */
  catalogChecks?: Input<boolean>;
  /** Domain of the public addresses of pods. Default: `COMPUTECLOUD_PROXY_DOMAIN`. */
  proxyDomain?: Input<string>;
  /** How long one call is repeated, such as 2m. Default: `COMPUTECLOUD_RETRY_TIMEOUT`. */
  retryTimeout?: Input<string>;
  /**
   * Accounts that the key may belong to, by id or by the hash that errors show. Any other is an error. Default:
   * `COMPUTECLOUD_ALLOWED_ACCOUNTS`.
   */
  allowedAccounts?: Input<Input<string>[]>;
  /**
   * Whether a refresh or a destroy may find every resource gone where it is not known whose account the key is of.
   * Default: `COMPUTECLOUD_ALLOW_EMPTY_REFRESH`.
   */
  allowEmptyRefresh?: Input<boolean>;
  /**
   * What happens to a new resource that exists already under its generated name: refuse (the default), adopt, or
   * duplicate. Default: `COMPUTECLOUD_EXISTING`.
   */
  existing?: Input<string>;
}

/**
 * An account and the addresses of its service. Pass it to a resource, a component or a function as `provider`. The
 * plugin
 * then manages these resources, instead of the process for dynamic ones. They can be imported, and one program can use
 * several
 * accounts.
 *
 * @example Two accounts
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import { NetworkVolume, Provider } from "pulumi-computecloud";
 *
 * const config = new pulumi.Config();
 * const staging = new Provider("staging", { apiKey: config.requireSecret("stagingKey"), cloud: "runpod" });
 * new NetworkVolume("models", { size: 100, dataCenter: "EU-RO-1" }, { provider: staging });
 * ```
 */
export class Provider extends ComputeCloudProvider {
  constructor(name: string, args: ProviderArgs = {}, options?: ResourceOptions) {
    super(name, { ...args }, options);
  }
}
