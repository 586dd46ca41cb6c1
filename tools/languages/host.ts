import { join } from "node:path";
import { MODULES } from "../engine/engine";
import { attempt, cachedFolder } from "../run/cachedFolder";
import { neededEnv } from "../run/environment";
import { runOrThrow } from "../run/process";

const GO_ENV = { ...neededEnv(process.env), CGO_ENABLED: "0" };

/** Builds a package in one of the modules. @returns what went wrong */
export function buildGo(module: string, output: string, source: string): Promise<string | undefined> {
  const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w"];
  return attempt("go", ["build", ...flags, "-o", output, source], join(MODULES, module), GO_ENV);
}

const SDK = "github.com/pulumi/pulumi/sdk/v3";

/** The engine's host of a language. Most are in an old version of Pulumi's SDK, because their own modules are not served. */
interface HostSource {
  /** Under `tools/engine/go`. */
  readonly module: string;
  readonly name: string;
  /** Of the Go module that holds it: of the SDK, the last version with the host's code. */
  readonly version: string;
  /** The package in the SDK, or of a module of its own. */
  readonly path: string;
  /** What else has to lie beside the host. */
  readonly also?: (sdk: string, folder: string) => Promise<void>;
}

/** The folder with the host, for PATH; undefined, and a line that says why, where it can't be had. */
export function builtHost({ module, name, version, path, also }: HostSource): Promise<string | undefined> {
  return cachedFolder(module, [`${name} ${version}`], async (folder) => {
    const source = path.startsWith("github.com/") ? path : `${SDK}/${path}`;
    const failure = await buildGo(module, join(folder, name), source);
    if (failure !== undefined || also === undefined) return failure;
    const list = ["list", "-m", "-f", "{{.Dir}}", SDK];
    const sdk = await runOrThrow("go", list, { cwd: join(MODULES, module), env: GO_ENV });
    await also(sdk.trim(), folder);
    return undefined;
  });
}

/** The folder with the engine's host for YAML; undefined, and a line that says why, where it can't be had. */
export function yamlHost(): Promise<string | undefined> {
  const name = "pulumi-language-yaml";
  const path = `github.com/pulumi/pulumi-yaml/cmd/${name}`;
  return builtHost({ module: "language-yaml", name, version: "1.25.0", path });
}
