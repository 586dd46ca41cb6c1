import { join } from "node:path";
import { attempt, cachedFolder } from "../run/cachedFolder";
import { checkout, neededEnv } from "../run/environment";
import { run } from "../run/process";

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
    const cwd = join(checkout, "tools/engine/go", module);
    const env = { ...neededEnv(process.env), CGO_ENABLED: "0" };
    const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w"];
    const source = path.startsWith("github.com/") ? path : `${SDK}/${path}`;
    const failure = await attempt("go", ["build", ...flags, "-o", join(folder, name), source], cwd, env);
    if (failure !== undefined || also === undefined) return failure;
    const { stdout } = await run("go", ["list", "-m", "-f", "{{.Dir}}", SDK], { cwd, env });
    await also(stdout.trim(), folder);
    return undefined;
  });
}

/** The folder with the engine's host for YAML; undefined, and a line that says why, where it can't be had. */
export function yamlHost(): Promise<string | undefined> {
  const name = "pulumi-language-yaml";
  const path = `github.com/pulumi/pulumi-yaml/cmd/${name}`;
  return builtHost({ module: "language-yaml", name, version: "1.25.0", path });
}
