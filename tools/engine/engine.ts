import { access, constants, mkdir, realpath, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import semver from "semver";
import { attempt, fillWhole, reasonIn } from "../run/cachedFolder";
import { checkout, neededEnv } from "../run/environment";
import { type ProcessResult, run, runOrThrow } from "../run/process";

/** The engine that is built where none is found, and the oldest that is taken from PATH. */
export const ENGINE_VERSION = "3.276.0";

export interface Engine {
  /** The folder to put on PATH: the CLI, the Node language host and the host of dynamic resources. */
  folder: string;
  /** In words, which way it was found or made. */
  from: string;
}

export interface EngineContext {
  /** Any but `ENGINE_VERSION` is built, with what Go resolves. Such a build is not looked for on PATH. */
  version: string;
  env: NodeJS.ProcessEnv;
  /** Where this machine keeps this version, outside every checkout. */
  home: string;
  /** Told what is being done, one line at a time. */
  report: (line: string) => void;
  /** Ends what was started to get the engine. */
  signal?: AbortSignal | undefined;
}

/** The engine; or why this way to it is closed on this machine. */
type Way = (context: EngineContext) => Promise<Engine | string>;

/** Finds a Pulumi engine on this machine, or builds one. Throws EngineUnavailableError when no way is open. */
export async function getEngine(options: Partial<Omit<EngineContext, "home">> = {}): Promise<Engine> {
  const { env = process.env, report = () => undefined, signal, version = ENGINE_VERSION } = options;
  const cache = env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const home = join(cache, "pulumi-computecloud", `engine-${version}-${process.platform}-${process.arch}`);
  const reasons: string[] = [];
  for (const way of version === ENGINE_VERSION ? [onPath, inCache, build] : [inCache, build]) {
    const outcome = await way({ version, env, home, report, signal });
    if (typeof outcome !== "string") return outcome;
    signal?.throwIfAborted();
    reasons.push(outcome);
  }
  throw new EngineUnavailableError(reasons);
}

/** No engine was found and none could be made. */
export class EngineUnavailableError extends Error {
  override readonly name = "EngineUnavailableError";
  constructor(/** One for each way, in the order tried. */ readonly reasons: readonly string[]) {
    super(
      [
        `No Pulumi engine ${ENGINE_VERSION} or newer, and none could be made:`,
        ...reasons.map((reason) => `  - ${reason}`),
        "Install Pulumi (https://www.pulumi.com/docs/install) or Go 1.26.6 or newer (https://go.dev/dl), then run this again.",
      ].join("\n"),
    );
  }
}

const onPath: Way = async ({ env }) => {
  const folders = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const folder = await firstWith("pulumi", folders);
  if (folder === undefined) return "there is no pulumi on PATH";

  const command = join(folder, "pulumi");
  const answer = await run(command, ["version"], {
    env: { ...neededEnv(env), PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeoutMs: 10_000,
  });
  const version = semver.parse(answer.stdout.trim());
  if (version === null) return `${command} does not tell its version`;
  if (version.compare(ENGINE_VERSION) < 0) return `${command} is ${version}, older than ${ENGINE_VERSION}`;

  // The engine looks for its companions beside itself, links resolved, as well as on PATH.
  const beside = dirname(await realpath(command));
  for (const companion of ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"])
    if ((await firstWith(companion, [beside, ...folders])) === undefined)
      return `${command} has no ${companion} with it`;
  return { folder, from: `found on PATH, version ${version}` };
};

const inCache: Way = async ({ home }) => {
  const folder = await firstWith("pulumi", [join(home, "bin")]);
  return folder === undefined ? `there is none in ${home}` : { folder, from: "kept from an earlier run" };
};

async function firstWith(program: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const isExecutable = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return folder;
  }
  return undefined;
}

/** Go's modules, each of which pins what it builds. */
export const MODULES = join(checkout, "tools", "engine", "go");
const PROGRESS_MS = 10_000;

interface Program {
  name: string;
  /** The folder with its go.mod. */
  module: string;
  package: string;
}

const PROGRAMS: readonly Program[] = [
  {
    name: "pulumi-language-nodejs",
    module: "language-nodejs",
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  },
  { name: "pulumi", module: "pulumi", package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi" },
];

// As in Pulumi's releases it finds the dynamic provider from the program's folder. There the shell stays: see tests/engine/released.
const DYNAMIC_PROVIDER_HOST = `#!/bin/sh
exec node "$(node -p 'require.resolve("@pulumi/pulumi/cmd/dynamic-provider")')" "$@"
`;

/**
 * Builds the engine from its Go modules, each pinned by go.sum: the way for machines that reach package registries and nothing
 * else. It works in a folder of its own, which takes its place in the machine's cache whole or not at all.
 */
const build: Way = async (context) => {
  const { version, home, report } = context;
  const hasNoGo = await attempt("go", ["version"], checkout, neededEnv(context.env));
  if (hasNoGo !== undefined) return "there is no go on PATH to build it with";
  report(`building the Pulumi engine ${version} with Go: once on this machine, about 4 minutes on 2 cores`);
  const failure = await fillWhole(home, async (folder) => {
    const bin = join(folder, "bin");
    await mkdir(bin);
    for (const program of PROGRAMS) {
      const isPinned = program.name !== "pulumi" || version === ENGINE_VERSION;
      const module = isPinned ? join(MODULES, program.module) : await resolveModule(program, folder, context);
      const result = await compile({ ...program, module }, bin, context);
      if (result.exitCode !== 0) return `building ${program.name} with Go failed: ${reasonIn(result.stderr)}`;
    }
    await writeFile(join(bin, "pulumi-resource-pulumi-nodejs"), DYNAMIC_PROVIDER_HOST, { mode: 0o755 });
    return undefined;
  });
  return failure ?? { folder: join(home, "bin"), from: "built with Go" };
};

/** Makes the module of a version that is not pinned. Its sums are checked by Go's own database. */
async function resolveModule(
  program: Program,
  folder: string,
  { version, env, signal }: EngineContext,
): Promise<string> {
  const module = join(folder, program.module);
  await mkdir(module);
  const needed = [`${program.package}@v${version}`, `github.com/pulumi/pulumi/sdk/v3@v${version}`];
  for (const args of [
    ["mod", "init", "engine/pulumi"],
    ["get", "-tool", ...needed],
  ])
    await runOrThrow("go", args, { cwd: module, env: neededEnv(env), signal });
  return module;
}

async function compile(program: Program, bin: string, context: EngineContext): Promise<ProcessResult> {
  const { version, env, report, signal } = context;
  const options = { cwd: program.module, env: { ...neededEnv(env), CGO_ENABLED: "0" }, signal };
  const started = Date.now();
  let packages = 0;
  const progress = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    report(`  ${program.name}: ${packages} packages compiled, ${seconds} s`);
  }, PROGRESS_MS);
  // What go.sum pins and nothing else.
  const pinned = ["-v", "-mod=readonly", "-trimpath", "-buildvcs=false"];
  const linked = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`;
  try {
    const args = ["build", ...pinned, "-ldflags", linked, "-o", join(bin, program.name), program.package];
    return await run("go", args, {
      ...options,
      onLine: (line) => {
        if (!line.startsWith("go: ")) packages += 1;
      },
    });
  } finally {
    clearInterval(progress);
  }
}
