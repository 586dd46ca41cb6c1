import { chmod, copyFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { attempt, cachedFolder } from "../run/cachedFolder";
import { checkout } from "../run/environment";
import type { Stack } from "../run/stack";
import { builtHost } from "./host";
import { writeSdk } from "./sdks";

const HOST = "pulumi-language-python";
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
  const host = await builtHost({
    module: "language-python",
    name: HOST,
    version: "3.68.0",
    path: `python/cmd/${HOST}`,
    also: copyScript,
  });
  if (host === undefined) return undefined;
  const environment = await cachedFolder("pulumi-python", PACKAGES, makeEnvironment);
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
  await writeSdk("python", source, schema);
  const pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-compile"];
  const notInstalled = await attempt(interpreter, [...pip, "--target", sdk, source], stack.folder);
  if (notInstalled !== undefined) throw new Error(notInstalled);
  // The environment's own interpreter comes first.
  return { PATH: [host, join(environment, "bin"), stack.env.PATH].join(delimiter), PYTHONPATH: sdk };
}

/** The host starts programs with a script that lies beside its code. */
async function copyScript(sdk: string, folder: string): Promise<void> {
  const script = `${HOST}-exec`;
  await copyFile(join(sdk, "python/cmd", script), join(folder, script));
  await chmod(join(folder, script), 0o755);
}

async function makeEnvironment(folder: string): Promise<string | undefined> {
  const failure = await attempt("python3", ["-m", "venv", folder], folder);
  const install = ["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", ...PACKAGES];
  return failure ?? attempt(join(folder, "bin/python"), install, folder);
}
