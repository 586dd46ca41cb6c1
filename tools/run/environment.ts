import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";

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

/** The checkout's root: these files run both from their sources and from dist/. */
export const checkout = findRoot(__dirname);

/** Git-ignored folder for stacks, backends and whatever else a run leaves behind. */
export const scratch = join(checkout, ".computecloud");

function findRoot(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : findRoot(dirname(folder));
}

/** Lets programs under a checkout's scratch folder import the package by its name: from that checkout, also after it was copied. */
export async function linkPackage(root: string): Promise<void> {
  const packages = join(root, ".computecloud", "node_modules");
  const link = join(packages, "pulumi-computecloud");
  // Relative, because an absolute link would lead from a copy to the original.
  const target = join("..", "..");
  if ((await readlink(link).catch(() => undefined)) === target) return;
  await mkdir(packages, { recursive: true });
  const temporaryLink = join(packages, `.${process.pid}-${randomUUID()}`);
  await symlink(target, temporaryLink);
  // Two workers may get here at once: a rename over the other's link is as good.
  await rename(temporaryLink, link).catch(async () => {
    await rm(link, { recursive: true, force: true });
    await rename(temporaryLink, link);
  });
}

/** `PATH` for a program that starts the engine: the checkout's Node first, then the engine. */
export function pathWith(engineFolder: string): string {
  return [join(checkout, "node_modules", ".bin"), engineFolder, process.env.PATH ?? ""].join(delimiter);
}
