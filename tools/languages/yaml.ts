import { builtHost } from "./host";

/** The folder with the engine's host for YAML; undefined, and a line that says why, where it can't be had. */
export function yamlHost(): Promise<string | undefined> {
  const name = "pulumi-language-yaml";
  const path = `github.com/pulumi/pulumi-yaml/cmd/${name}`;
  return builtHost({ module: "language-yaml", name, version: "1.25.0", path });
}
