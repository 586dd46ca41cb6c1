import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reasonIn } from "../run/cachedFolder";
import { checkout } from "../run/checkout";
import { isErrno, type ProcessResult, run } from "../run/process";
import { neededEnv } from "./environment";
import { install } from "./install";
import { ENGINE_VERSION, type EngineContext, type Way } from "./way";

const MODULES = join(checkout, "tools", "engine", "go");
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

const LINK_FLAGS = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${ENGINE_VERSION}`;

// As in Pulumi's releases it finds the dynamic provider from the program's folder. There the shell stays: see tests/engine/released.
const DYNAMIC_PROVIDER_HOST = `#!/bin/sh
exec node "$(node -p 'require.resolve("@pulumi/pulumi/cmd/dynamic-provider")')" "$@"
`;

/** Builds the engine from its Go modules: the way for machines that reach package registries and nothing else. */
export const build: Way = async (context) => {
  if (!(await hasGo(context))) return { unavailable: "there is no go on PATH to build it with" };
  return install(context, "built with Go", async (folder) => {
    context.report(
      `building the Pulumi engine ${ENGINE_VERSION} with Go: once on this machine, about 4 minutes on 2 cores`,
    );
    const bin = join(folder, "bin");
    await mkdir(bin);
    for (const program of PROGRAMS) {
      const result = await compile(program, bin, context);
      if (result.exitCode !== 0) {
        return { unavailable: `building ${program.name} with Go failed: ${reasonIn(result.stderr)}` };
      }
    }
    await writeFile(join(bin, "pulumi-resource-pulumi-nodejs"), DYNAMIC_PROVIDER_HOST, { mode: 0o755 });
    return undefined;
  });
};

async function hasGo({ env }: EngineContext): Promise<boolean> {
  try {
    return (await run("go", ["version"], { env: neededEnv(env) })).exitCode === 0;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    throw error;
  }
}

async function compile(program: Program, bin: string, { env, report, signal }: EngineContext): Promise<ProcessResult> {
  const cwd = join(MODULES, program.module);
  const options = { cwd, env: { ...neededEnv(env), CGO_ENABLED: "0" }, signal };
  const started = Date.now();
  let packages = 0;
  const progress = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    report(`  ${program.name}: ${packages} packages compiled, ${seconds} s`);
  }, PROGRESS_MS);
  try {
    return await run(
      "go",
      [
        "build",
        "-v",
        // What go.sum pins and nothing else.
        "-mod=readonly",
        "-trimpath",
        "-buildvcs=false",
        "-ldflags",
        LINK_FLAGS,
        "-o",
        join(bin, program.name),
        program.package,
      ],
      {
        ...options,
        onLine: (line) => {
          if (!line.startsWith("go: ")) packages += 1;
        },
      },
    );
  } finally {
    clearInterval(progress);
  }
}
