import { chmod, copyFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { checkout } from "../checkout";
import { neededEnv } from "../engine/environment";
import { attempt, kept } from "../kept";
import { run } from "../process";
import type { Stack } from "../stack";
import { writeSdk } from "./sdks";

const HOST = "pulumi-language-python";
/** The last version of Pulumi's SDK that holds the host's own code, as with Node's. */
const HOST_VERSION = "3.68.0";
const PACKAGES = ["pulumi==3.250.0", "parver", "setuptools", "wheel"];

/** What runs Python programs: the engine's host for them, and an environment with Pulumi's SDK. */
export interface Python {
  /** The folder with the host, for PATH. */
  readonly host: string;
  /** The virtual environment. */
  readonly environment: string;
  readonly interpreter: string;
}

/** Undefined, and a line that says why, where it can't be had. */
export async function getPython(): Promise<Python | undefined> {
  const host = await kept("language-python", [`${HOST} ${HOST_VERSION}`], buildHost);
  if (host === undefined) return undefined;
  const environment = await kept("pulumi-python", PACKAGES, makeEnvironment);
  return environment === undefined ? undefined : { host, environment, interpreter: join(environment, "bin/python") };
}

/** A project with the checkout's plugin. */
export function pythonFiles(program: string): Readonly<Record<string, string>> {
  const plugins = { providers: [{ name: "computecloud", path: join(checkout, "provider/bin") }] };
  return { "__main__.py": program, "Pulumi.yaml": JSON.stringify({ name: "test", runtime: "python", plugins }) };
}

/** Makes the SDK of a schema, has pip install it beside a stack, and answers the environment that its commands need. */
export async function withPythonSdk({ host, environment, interpreter }: Python, stack: Stack, schema?: string) {
  const [sdk, source] = [join(stack.folder, "sdk"), join(stack.folder, "source")];
  const failure = await writeSdk("python", source, schema);
  if (failure !== undefined) throw new Error(failure);
  const pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-compile"];
  const notInstalled = await attempt(interpreter, [...pip, "--target", sdk, source], stack.folder);
  if (notInstalled !== undefined) throw new Error(notInstalled);
  // The environment's own interpreter comes first.
  return { PATH: [host, join(environment, "bin"), stack.env.PATH].join(delimiter), PYTHONPATH: sdk };
}

async function buildHost(folder: string): Promise<string | undefined> {
  const module = join(checkout, "tests/harness/engine/go/language-python");
  const env = { ...neededEnv(process.env), CGO_ENABLED: "0" };
  const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w"];
  const source = `github.com/pulumi/pulumi/sdk/v3/python/cmd/${HOST}`;
  const failure = await attempt("go", ["build", ...flags, "-o", join(folder, HOST), source], module, env);
  if (failure !== undefined) return failure;
  // The host starts programs with a script that lies beside its code.
  const { stdout } = await run("go", ["list", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"], {
    cwd: module,
    env,
  });
  const script = `${HOST}-exec`;
  await copyFile(join(stdout.trim(), "python/cmd", script), join(folder, script));
  await chmod(join(folder, script), 0o755);
  return undefined;
}

async function makeEnvironment(folder: string): Promise<string | undefined> {
  const failure = await attempt("python3", ["-m", "venv", folder], folder);
  const install = ["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", ...PACKAGES];
  return failure ?? attempt(join(folder, "bin/python"), install, folder);
}
