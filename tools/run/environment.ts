import { join } from "node:path";
import { pathWith, scratch } from "./checkout";

/** Where the service is, and the key. */
export interface EmulatorAddresses {
  baseUrl: string;
  serverlessUrl: string;
  graphqlUrl: string;
  apiKey: string;
}

/** The variables that name them. */
export function addressVariables({ apiKey, baseUrl, serverlessUrl, graphqlUrl }: EmulatorAddresses) {
  return {
    COMPUTECLOUD_API_KEY: apiKey,
    COMPUTECLOUD_BASE_URL: baseUrl,
    COMPUTECLOUD_SERVERLESS_URL: serverlessUrl,
    COMPUTECLOUD_GRAPHQL_URL: graphqlUrl,
  };
}

/** The environment of a stack that leaves nothing outside its folder. */
export function stackEnv(options: {
  engineFolder: string;
  /** Keeps the backend and what the engine remembers. */
  folder: string;
  emulator?: EmulatorAddresses | undefined;
}): NodeJS.ProcessEnv {
  const { engineFolder, folder, emulator } = options;
  return {
    ...inheritedEnv(),
    PATH: pathWith(engineFolder),
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "passphrase",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DEBUG_COMMANDS: "true", // for --event-log
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    // Each test's stack has a backend of its own, and the account may hold what a test of the same names has left.
    COMPUTECLOUD_EXISTING: "duplicate",
    // Half of the time to load Pulumi's packages, in the program and the provider, is compilation.
    NODE_COMPILE_CACHE: join(scratch, "compile-cache"),
    ...(emulator && addressVariables(emulator)),
  };
}

/** The environment without what would lead the engine or the provider elsewhere. */
export function inheritedEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PULUMI|COMPUTECLOUD)_/.test(name)));
}

const NEEDED =
  /^(PATH|HOME|USERPROFILE|LOCALAPPDATA|SYSTEMROOT|TMPDIR|TEMP|TMP|XDG_CACHE_HOME|GO\w*|(HTTPS?|NO|ALL)_PROXY|SSL_CERT_(FILE|DIR))$/i;

/** What a compiler or an installer needs of the environment; keys and tokens are none of its business. */
export function neededEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => NEEDED.test(name)));
}
