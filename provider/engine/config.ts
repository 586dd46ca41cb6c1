import { type Setting, type SettingsPlace, SettingsReader, variables } from "../../client";
import type { Settings } from "../lifecycle/run";

/** Reads a value of a stack's configuration, `computecloud:<key>`. */
export type ReadConfig = (key: string) => string | undefined;

/** A mistake in the configuration, and the property that has it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(
    readonly property: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * `; did you mean "cloud"?` for a key of the stack's configuration that is near a setting. Empty for a setting, for another
 * namespace's key, and for a key that only a project called computecloud knows.
 */
export function suggestedSetting(key: string): string {
  const [, setting = ""] = /^computecloud:([^.[]+)/.exec(key) ?? [];
  if (setting === "" || setting in variables) return "";
  const { didYouMean } = require("../../common/suggestion") as typeof import("../../common/suggestion");
  return didYouMean(setting, Object.keys(variables));
}

/**
 * Refuses a misspelt setting, which would otherwise leave the environment's or a default in its place.
 *
 * @throws ConfigError
 */
export function refuseMisspelt(keys: readonly string[]): void {
  for (const key of keys) {
    const hint = suggestedSetting(key);
    if (hint === "") continue;
    const wayOut = `Run \`pulumi config rm ${key}\`, and set the right one`;
    throw new ConfigError(key, `${key} is not a setting${hint} ${wayOut}.`);
  }
}

/**
 * The settings of a stack.
 *
 * @param config reads the stack's configuration
 * @param environment defaults to the process's own
 * @param provider name of the program's own provider, if these are its arguments: the stack's configuration does not
 * apply to it
 * @throws ConfigError if the key is missing, an address is neither given nor part of a preset, or a value is malformed
 */
export function readSettings(config: ReadConfig, environment?: NodeJS.ProcessEnv, provider?: string): Settings {
  const stack = stackConfiguration(config);
  if (provider !== undefined && stack.read("apiKey") === "") {
    // An empty key is not replaced by the environment's, which may be another account's.
    const wayOut = `Pass the account's key to the provider "${provider}", or leave it out for that of ${variables.apiKey}`;
    throw new ConfigError("apiKey", `apiKey is empty. ${wayOut}.`);
  }
  const place = provider === undefined ? stack : argumentsOf(provider, stack);
  const settings = new SettingsReader(place, environment);
  return {
    ...settings.connection(),
    proxyDomain: settings.proxyDomain(),
    catalogChecks: settings.catalogChecks(),
    allowedAccounts: settings.allowedAccounts(),
    allowEmptyRefresh: settings.allowEmptyRefresh(),
    existing: settings.existing(),
    howToSetExisting: (value) => place.howTo("existing", value) ?? "",
  };
}

function stackConfiguration(config: ReadConfig): SettingsPlace {
  const name = (setting: Setting) => `computecloud:${setting}`;
  return {
    read: (setting) => config(name(setting)),
    name,
    howTo: (setting, value) =>
      setting === "apiKey"
        ? "run `pulumi config set --secret computecloud:apiKey` (which, unlike the environment, leaves it in the state)"
        : `run \`pulumi config set ${name(setting)} ${value}\``,
    apiKeySource: KEY_FROM_CONFIGURATION,
    error: (setting, message) => new ConfigError(name(setting), message),
  };
}

function argumentsOf(provider: string, stack: SettingsPlace): SettingsPlace {
  return {
    ...stack,
    name: (setting) => setting,
    howTo: (setting, value) => `pass ${setting}${value && ` "${value}"`} to the provider "${provider}"`,
    apiKeySource:
      `The key is the argument apiKey of the provider "${provider}". \`pulumi refresh\` and \`pulumi destroy\` use that of ` +
      "the last `pulumi up`: after a rotation add --run-program.",
    error: (setting, message) => new ConfigError(setting, message),
  };
}

// `pulumi refresh` and `pulumi destroy` configure a provider from the state, with the key of the last `up`.
const KEY_FROM_CONFIGURATION =
  "The key came from the stack's configuration (computecloud:apiKey). `pulumi refresh` and `pulumi destroy` use the key " +
  "saved by the last `pulumi up`: after a rotation add --run-program, which takes today's configuration; or keep the key " +
  "in COMPUTECLOUD_API_KEY and remove it from the configuration.";
