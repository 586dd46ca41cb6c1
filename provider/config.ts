import { presets } from "./client/presets";
import { DURATION, DURATION_RULE, milliseconds } from "./duration";

/** Where the key and the three addresses come from. Configuration wins over environment. */
export interface Settings {
  readonly apiKey: string;
  /** Ends the message of a 401: where this key came from, and the way out. */
  readonly apiKeySource: string;
  /** Stands before `/v2/…` of the REST API. */
  readonly baseUrl: string;
  /** Stands before `/v2/<endpoint id>/…` of the queues. */
  readonly serverlessUrl: string;
  /** The GraphQL address, whole. */
  readonly graphqlUrl: string;
  /** Where the service's proxy answers for a pod's http ports, as `<pod>-<port>.<domain>`; unknown for other clouds. */
  readonly proxyDomain: string | undefined;
  /** Whether previews check GPU types, pools and data centers against the catalog. Default true. */
  readonly catalogChecks: boolean;
  /** How long one call is repeated while the service fails. Default two minutes. */
  readonly retryBudgetMs: number;
}

/** A stack's configuration, as `computecloud:<key>`. */
export type ReadConfig = (key: string) => string | undefined;

const VARIABLES = {
  apiKey: "COMPUTECLOUD_API_KEY",
  cloud: "COMPUTECLOUD_CLOUD",
  baseUrl: "COMPUTECLOUD_BASE_URL",
  serverlessUrl: "COMPUTECLOUD_SERVERLESS_URL",
  graphqlUrl: "COMPUTECLOUD_GRAPHQL_URL",
  proxyDomain: "COMPUTECLOUD_PROXY_DOMAIN",
  catalogChecks: "COMPUTECLOUD_CATALOG_CHECKS",
  retryTimeout: "COMPUTECLOUD_RETRY_TIMEOUT",
} as const;

type Setting = keyof typeof VARIABLES;

/** A mistake in the configuration, with the property that it is about. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(
    readonly property: string,
    message: string,
  ) {
    super(`${property}: ${message}`);
  }
}

/**
 * The settings of a stack.
 *
 * @param config reads a stack's configuration; values of the namespace `computecloud`
 * @param environment defaults to the process's own
 * @throws ConfigError when the key is missing, an address is neither given nor part of a preset, or a value is malformed
 */
export function readSettings(config: ReadConfig, environment: NodeJS.ProcessEnv = process.env): Settings {
  const read = (setting: Setting): string | undefined =>
    config(`computecloud:${setting}`) || environment[VARIABLES[setting]] || undefined;

  const apiKey = read("apiKey");
  if (apiKey === undefined) {
    throw new ConfigError(
      "computecloud:apiKey",
      `there is no API key. Set ${VARIABLES.apiKey} in the environment (leaves nothing in the state), or run ` +
        "`pulumi config set --secret computecloud:apiKey`.",
    );
  }
  const cloud = read("cloud");
  const preset = cloud === undefined ? undefined : presets[cloud];
  if (cloud !== undefined && preset === undefined) {
    throw new ConfigError(
      "computecloud:cloud",
      `"${cloud}" is no known cloud; known: ${Object.keys(presets).join(", ")}.`,
    );
  }
  const address = (setting: "baseUrl" | "serverlessUrl" | "graphqlUrl"): string => {
    const value = read(setting) ?? preset?.[setting];
    if (value === undefined) {
      throw new ConfigError(
        `computecloud:${setting}`,
        `there is no address. Choose a cloud with \`pulumi config set computecloud:cloud ${Object.keys(presets)[0]}\`, ` +
          `or set computecloud:${setting} or ${VARIABLES[setting]}.`,
      );
    }
    return value;
  };

  return {
    apiKey,
    apiKeySource: config("computecloud:apiKey") ? KEY_FROM_CONFIGURATION : KEY_FROM_ENVIRONMENT,
    baseUrl: address("baseUrl"),
    serverlessUrl: address("serverlessUrl"),
    graphqlUrl: address("graphqlUrl"),
    proxyDomain: read("proxyDomain") ?? preset?.proxyDomain,
    catalogChecks: read("catalogChecks") !== "false",
    retryBudgetMs: retryBudget(read("retryTimeout") ?? "2m"),
  };
}

function retryBudget(text: string): number {
  if (!DURATION.test(text)) throw new ConfigError("computecloud:retryTimeout", `${DURATION_RULE}.`);
  return milliseconds(text);
}

const KEY_FROM_ENVIRONMENT = `the key came from the environment variable ${VARIABLES.apiKey}`;

// `pulumi refresh` and `pulumi destroy` configure a provider from the state, with the key of the last `up`.
const KEY_FROM_CONFIGURATION =
  "the key came from the stack's configuration (computecloud:apiKey). `pulumi refresh` and `pulumi destroy` use the key " +
  "saved by the last `pulumi up`: after a rotation add --run-program, which takes today's configuration; or keep the key " +
  `in ${VARIABLES.apiKey} and remove it from the configuration`;
