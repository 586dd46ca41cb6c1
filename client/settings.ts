import { DURATION, DURATION_RULE, milliseconds } from "../common/duration";
import { parseJson } from "../common/json";
import { emulatorProxy, isEmulatorAt, presets } from "../common/presets";
import { UsageError } from "./errors";
import { type ClientOptions, checkAddress, checkKey, endpointChoices, keyPlaces } from "./options";

/** Every setting, and the environment variable that it falls back to. */
export const variables = {
  apiKey: "COMPUTECLOUD_API_KEY",
  cloud: "COMPUTECLOUD_CLOUD",
  baseUrl: "COMPUTECLOUD_BASE_URL",
  serverlessUrl: "COMPUTECLOUD_SERVERLESS_URL",
  graphqlUrl: "COMPUTECLOUD_GRAPHQL_URL",
  graphqlKeyIn: "COMPUTECLOUD_GRAPHQL_KEY_IN",
  endpointsThrough: "COMPUTECLOUD_ENDPOINTS_THROUGH",
  proxyDomain: "COMPUTECLOUD_PROXY_DOMAIN",
  catalogChecks: "COMPUTECLOUD_CATALOG_CHECKS",
  retryTimeout: "COMPUTECLOUD_RETRY_TIMEOUT",
  allowedAccounts: "COMPUTECLOUD_ALLOWED_ACCOUNTS",
  allowEmptyRefresh: "COMPUTECLOUD_ALLOW_EMPTY_REFRESH",
  existing: "COMPUTECLOUD_EXISTING",
} as const;

export type Setting = keyof typeof variables;
const addresses = ["baseUrl", "serverlessUrl", "graphqlUrl"] as const;
type Address = (typeof addresses)[number];

/**
 * What happens where a new resource exists already under its generated name: `refuse` is an error, `adopt` takes it over, and
 * `duplicate` makes a second one.
 */
export type Existing = (typeof existingChoices)[number];
const existingChoices = ["refuse", "adopt", "duplicate"] as const;

/** Sample values for messages; none for the key. */
const samples: Readonly<Record<Setting, string>> = {
  apiKey: "",
  cloud: Object.keys(presets)[0] ?? "",
  baseUrl: "https://api.example.com",
  serverlessUrl: "https://api.example.com",
  graphqlUrl: "https://api.example.com/graphql",
  graphqlKeyIn: "header",
  endpointsThrough: "auto",
  proxyDomain: "proxy.example.com",
  catalogChecks: "false",
  retryTimeout: "2m",
  allowedAccounts: "user_2abc",
  allowEmptyRefresh: "true",
  existing: "adopt",
};

/** A place besides the environment where settings are given: arguments, a stack's configuration. */
export interface SettingsPlace {
  /** The value given there. An empty string counts as not given. */
  read(setting: Setting): string | undefined;
  /** The setting's name there, for messages. */
  name(setting: Setting): string;
  /** How to give it there, such as "pass apiKey"; ends "Set COMPUTECLOUD_API_KEY in the environment, or …". */
  howTo(setting: Setting, value: string): string | undefined;
  /** The last sentence of a 401's message: where the key came from. */
  readonly apiKeySource: string;
  error(setting: Setting, message: string): Error;
}

/** Arguments of a function. */
export function fromArguments(
  args: { readonly [Key in Setting | "apiKeySource"]?: string | undefined },
): SettingsPlace {
  // The only setting with another name there.
  const name = (setting: Setting) => (setting === "retryTimeout" ? "retryBudgetMs" : setting);
  return {
    read: (setting) => args[setting],
    name,
    howTo: (setting) => `pass ${name(setting)}`,
    apiKeySource: args.apiKeySource ?? "The key was passed as apiKey.",
    error: (_, message) => new UsageError(message),
  };
}

/** The environment only: for commands. */
export const fromEnvironment: SettingsPlace = {
  ...fromArguments({}),
  name: (setting) => variables[setting],
  howTo: () => undefined,
};

type OfConnection = "apiKey" | "apiKeySource" | Address | "graphqlKeyIn" | "endpointsThrough" | "retryBudgetMs";

/** What a client of all three interfaces needs. The key and the addresses are checked. */
export type Connection = { readonly [Name in OfConnection]: NonNullable<ClientOptions[Name]> };

/**
 * Resolves and checks settings. A given value wins over the environment. A single address, wherever it is given, wins over
 * the cloud's address. A setting is checked only when it is read, and only the value that wins. So a malformed variable does
 * not disturb a program that sets its own value.
 */
export class SettingsReader {
  constructor(
    private readonly place: SettingsPlace,
    private readonly environment: NodeJS.ProcessEnv = process.env,
  ) {}

  get(setting: Setting): string | undefined {
    return this.place.read(setting) || this.environment[variables[setting]] || undefined;
  }

  /** @param retryBudgetMs instead of the setting `retryTimeout` */
  connection(retryBudgetMs?: number): Connection {
    return {
      ...this.key(),
      baseUrl: this.address("baseUrl"),
      serverlessUrl: this.address("serverlessUrl"),
      graphqlUrl: this.address("graphqlUrl"),
      graphqlKeyIn: this.graphqlKeyIn(),
      endpointsThrough: this.endpointsThrough(),
      retryBudgetMs: retryBudgetMs ?? this.retryBudgetMs(),
    };
  }

  /** The key, and where it came from. */
  key(): Pick<Connection, "apiKey" | "apiKeySource"> {
    const apiKey = this.get("apiKey");
    if (apiKey === undefined) throw this.#missing("apiKey", "there is no API key");
    return {
      apiKey: this.#checked("apiKey", () => checkKey(this.#name("apiKey"), apiKey)),
      apiKeySource: this.#isGiven("apiKey")
        ? this.place.apiKeySource
        : `The key came from the environment variable ${variables.apiKey}.`,
    };
  }

  address(setting: Address): string {
    const address = this.get(setting) ?? this.#preset()?.[setting];
    if (address === undefined) throw this.#missing(setting, "there is no address", ` or ${variables[setting]}`);
    return this.#checked(setting, () => checkAddress(this.#name(setting), address));
  }

  /** The domain of the service's proxy for a pod's http ports, or the address of an emulator's; undefined for other clouds. */
  proxyDomain(): string | undefined {
    const domain = this.get("proxyDomain");
    if (domain !== undefined) {
      if (/^[\w.-]+(:\d+)?$/.test(domain)) return domain;
      throw this.#mistake("proxyDomain", `must be a domain such as ${samples.proxyDomain}, not "${domain}"`);
    }
    const addressesAreGiven = addresses.every((setting) => this.#isGiven(setting));
    // With all addresses given, an unknown cloud in the environment is not an error.
    const preset = addressesAreGiven && !this.#isGiven("cloud") ? presetOf(this.get("cloud")) : this.#preset();
    return isEmulatorAt(this.get("serverlessUrl") ?? "")
      ? emulatorProxy(this.address("serverlessUrl"))
      : preset?.proxyDomain;
  }

  /** Where GraphQL's key is sent. The message does not show a wrong value: it may be the key itself. */
  graphqlKeyIn(): Connection["graphqlKeyIn"] {
    const text = this.get("graphqlKeyIn") ?? "header";
    const place = keyPlaces.find((each) => each === text);
    if (place === undefined) throw this.#mistake("graphqlKeyIn", `must be ${keyPlaces.join(" or ")}`);
    return place;
  }

  /** Default `auto`. */
  endpointsThrough(): Connection["endpointsThrough"] {
    return this.#choice("endpointsThrough", endpointChoices, "auto");
  }

  /** How long one call is retried, in milliseconds. Default two minutes. */
  retryBudgetMs(): number {
    const text = this.get("retryTimeout") ?? "2m";
    if (!DURATION.test(text)) throw this.#mistake("retryTimeout", `${DURATION_RULE}, not "${text}"`);
    return milliseconds(text);
  }

  /** Default true. */
  catalogChecks(): boolean {
    return this.#flag("catalogChecks", true);
  }

  /** Default false. */
  allowEmptyRefresh(): boolean {
    return this.#flag("allowEmptyRefresh", false);
  }

  /** Default `refuse`. */
  existing(): Existing {
    return this.#choice("existing", existingChoices, "refuse");
  }

  /**
   * A JSON list, as in a stack's configuration, or separated by commas or spaces. Default: any account. A list that is empty
   * is a mistake, also in the environment: the variable that a pipeline fills it from may be missing.
   */
  allowedAccounts(): readonly string[] {
    const value = this.get("allowedAccounts") ?? this.environment[variables.allowedAccounts];
    if (value === undefined) return [];
    const text = value.trim();
    const list: unknown = text.startsWith("[") ? parseJson(text) : text.split(/[\s,]+/).filter(Boolean);
    const isAccount = (each: unknown) => typeof each === "string" && each !== "";
    // mutant no-allowed-account-is-any: Array.isArray(list)
    if (Array.isArray(list) && list.length > 0 && list.every(isAccount)) return list;
    throw this.#mistake("allowedAccounts", 'must be a list of accounts, such as ["user_2abc"]');
  }

  #choice<const Choice extends string>(setting: Setting, choices: readonly Choice[], fallback: string): Choice {
    const text = this.get(setting) ?? fallback;
    const choice = choices.find((each) => each === text);
    if (choice === undefined) throw this.#mistake(setting, `must be ${choices.join(" or ")}, not "${text}"`);
    return choice;
  }

  #flag(setting: Setting, fallback: boolean): boolean {
    return this.#choice(setting, ["true", "false"], String(fallback)) === "true";
  }

  #preset() {
    const cloud = this.get("cloud");
    if (cloud === undefined) return undefined;
    const preset = presetOf(cloud);
    if (preset !== undefined) return preset;
    throw this.#mistake("cloud", `"${cloud}" is not a known cloud; known: ${Object.keys(presets).join(", ")}`);
  }

  #missing(setting: Setting, what: string, alternative = ""): Error {
    const choice = setting === "apiKey" ? "apiKey" : "cloud";
    const value = samples[choice];
    const environment = `Set ${variables[choice]}${value && `=${value}`}${alternative} in the environment`;
    const howTo = this.place.howTo(choice, value);
    const wayOut = `${environment}${howTo === undefined ? "" : `, or ${howTo}`}`;
    return this.place.error(setting, `${this.place.name(setting)}: ${what}. ${wayOut}.`);
  }

  #mistake(setting: Setting, message: string): Error {
    return this.place.error(setting, `${this.#name(setting)}: ${message}.${this.#wayOut(setting)}`);
  }

  #checked(setting: Setting, check: () => string): string {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw this.place.error(setting, error.message + this.#wayOut(setting));
    }
  }

  #isGiven(setting: Setting): boolean {
    return Boolean(this.place.read(setting));
  }

  /** The name of the place where the winning value was found. */
  #name(setting: Setting): string {
    return this.#isGiven(setting) ? this.place.name(setting) : variables[setting];
  }

  /** For a value from the environment, which may be meant for other stacks: suggests to override it. */
  #wayOut(setting: Setting): string {
    if (this.#isGiven(setting)) return "";
    const howTo = this.place.howTo(setting, samples[setting]);
    return ` Correct or unset it${howTo === undefined ? "" : `, or ${howTo}, which wins over the environment`}.`;
  }
}

const presetOf = (cloud = "") => (Object.hasOwn(presets, cloud) ? presets[cloud] : undefined);
