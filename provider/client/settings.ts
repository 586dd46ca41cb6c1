import { DURATION, DURATION_RULE, milliseconds } from "./duration";
import { UsageError } from "./errors";
import { checkAddress, type KeyPlace, keyPlaces } from "./options";
import { presets } from "./presets";

/** Every setting, and the environment variable that it is read from where nobody has given it. */
export const variables = {
  apiKey: "COMPUTECLOUD_API_KEY",
  cloud: "COMPUTECLOUD_CLOUD",
  baseUrl: "COMPUTECLOUD_BASE_URL",
  serverlessUrl: "COMPUTECLOUD_SERVERLESS_URL",
  graphqlUrl: "COMPUTECLOUD_GRAPHQL_URL",
  graphqlKeyIn: "COMPUTECLOUD_GRAPHQL_KEY_IN",
  proxyDomain: "COMPUTECLOUD_PROXY_DOMAIN",
  catalogChecks: "COMPUTECLOUD_CATALOG_CHECKS",
  retryTimeout: "COMPUTECLOUD_RETRY_TIMEOUT",
} as const;

export type Setting = keyof typeof variables;
type Address = "baseUrl" | "serverlessUrl" | "graphqlUrl";

/** A place besides the environment where settings are given: arguments, a stack's configuration. */
export interface SettingsPlace {
  /** What was given there; an empty text counts as nothing. */
  read(setting: Setting): string | undefined;
  /** The setting as it is called there; in messages. */
  name(setting: Setting): string;
  /** How to give it there, such as "pass apiKey"; ends "Set COMPUTECLOUD_API_KEY in the environment, or …". */
  howTo(setting: Setting, value: string): string | undefined;
  /** Ends the message of a 401: where the key came from and what to do about it. */
  readonly apiKeySource: string;
  error(setting: Setting, message: string): Error;
}

/** Arguments of a function. */
export function fromArguments(given: { readonly [Key in Setting]?: string | undefined }): SettingsPlace {
  return {
    read: (setting) => given[setting],
    name: (setting) => setting,
    howTo: (setting) => `pass ${setting}`,
    apiKeySource: "the key was passed as apiKey",
    error: (_, message) => new UsageError(message),
  };
}

/** Nothing but the environment: for commands. */
export const fromEnvironment: SettingsPlace = {
  ...fromArguments({}),
  name: (setting) => variables[setting],
  howTo: () => undefined,
};

/**
 * Settings by one rule, for whoever talks to the service: what was given wins over the environment, and an address by
 * itself, wherever it was given, over that of the cloud. Only what is asked for has to be there.
 */
export class SettingsReader {
  constructor(
    private readonly place: SettingsPlace,
    private readonly environment: NodeJS.ProcessEnv = process.env,
  ) {}

  get(setting: Setting): string | undefined {
    return this.place.read(setting) || this.environment[variables[setting]] || undefined;
  }

  /** What a client of all three interfaces needs. */
  connection() {
    return {
      ...this.key(),
      baseUrl: this.address("baseUrl"),
      serverlessUrl: this.address("serverlessUrl"),
      graphqlUrl: this.address("graphqlUrl"),
      graphqlKeyIn: this.graphqlKeyIn(),
      retryBudgetMs: this.retryBudgetMs(),
    };
  }

  /** The key, and where it came from. */
  key(): { apiKey: string; apiKeySource: string } {
    const apiKey = this.get("apiKey");
    if (apiKey === undefined) throw this.#missing("apiKey", "there is no API key");
    const { apiKeySource } = this.place;
    return {
      apiKey,
      apiKeySource: this.place.read("apiKey")
        ? apiKeySource
        : `the key came from the environment variable ${variables.apiKey}`,
    };
  }

  address(setting: Address): string {
    const preset = this.#preset();
    const address = this.get(setting) ?? preset?.[setting];
    if (address === undefined) throw this.#missing(setting, "there is no address", ` or ${variables[setting]}`);
    try {
      return checkAddress(this.place.name(setting), address);
    } catch (error) {
      throw error instanceof UsageError ? this.place.error(setting, error.message) : error;
    }
  }

  /** Where the service's proxy answers for a pod's http ports; unknown for other clouds than those of the presets. */
  proxyDomain(): string | undefined {
    return this.get("proxyDomain") ?? this.#preset()?.proxyDomain;
  }

  /** Where GraphQL's key goes. What is refused may be the key itself, and is not shown. */
  graphqlKeyIn(): KeyPlace {
    const given = this.get("graphqlKeyIn") ?? "query";
    const place = keyPlaces.find((known) => known === given);
    if (place === undefined) throw this.#mistake("graphqlKeyIn", `must be ${keyPlaces.join(" or ")}`);
    return place;
  }

  /** How long one call is repeated, in milliseconds. Default two minutes. */
  retryBudgetMs(): number {
    const text = this.get("retryTimeout") ?? "2m";
    if (!DURATION.test(text)) throw this.#mistake("retryTimeout", `${DURATION_RULE}, not "${text}"`);
    return milliseconds(text);
  }

  /** Default true. */
  catalogChecks(): boolean {
    const given = this.get("catalogChecks") ?? "true";
    if (given !== "true" && given !== "false") {
      throw this.#mistake("catalogChecks", `must be true or false, not "${given}"`);
    }
    return given === "true";
  }

  #preset() {
    const cloud = this.get("cloud");
    if (cloud === undefined) return undefined;
    const preset = Object.hasOwn(presets, cloud) ? presets[cloud] : undefined;
    if (preset !== undefined) return preset;
    throw this.#mistake("cloud", `"${cloud}" is no known cloud; known: ${Object.keys(presets).join(", ")}`);
  }

  #missing(setting: Setting, what: string, alternative = ""): Error {
    const [choice, value]: [Setting, string] =
      setting === "apiKey" ? ["apiKey", ""] : ["cloud", Object.keys(presets)[0] ?? ""];
    const environment = `Set ${variables[choice]}${value && `=${value}`}${alternative} in the environment`;
    const howTo = this.place.howTo(choice, value);
    return this.#mistake(setting, `${what}. ${environment}${howTo === undefined ? "" : `, or ${howTo}`}`);
  }

  #mistake(setting: Setting, message: string): Error {
    return this.place.error(setting, `${this.place.name(setting)}: ${message}.`);
  }
}
