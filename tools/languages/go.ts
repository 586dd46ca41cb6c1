import { delimiter, join } from "node:path";
import { checkout } from "../run/environment";
import type { Stack } from "../run/stack";
import { builtHost } from "./host";
import { writeSdk } from "./sdks";

const OWN = "github.com/pulumi-computecloud/pulumi-computecloud/sdk/go";

/** The folder with the engine's host for Go; undefined, and a line that says why, where it can't be had. */
export function goHost(): Promise<string | undefined> {
  const name = "pulumi-language-go";
  return builtHost({ module: "language-go", name, version: "3.60.0", path: `go/${name}` });
}

/** A project with the checkout's plugin and the SDK that `withGoSdk` makes. */
export function goFiles(program: string): Readonly<Record<string, string>> {
  const plugins = { providers: [{ name: "computecloud", path: join(checkout, "provider/bin") }] };
  return {
    "main.go": program,
    "go.mod": `module fleet\n\ngo 1.25\n\nrequire ${OWN} v0.0.0\n\nreplace ${OWN} => ./sdk\n`,
    "Pulumi.yaml": JSON.stringify({ name: "test", runtime: "go", plugins }),
  };
}

/** Makes the SDK inside a stack's project, and answers the environment that the stack's commands need. */
export async function withGoSdk(host: string, stack: Stack, folder = "sdk") {
  await writeSdk("go", join(stack.project, folder));
  return { PATH: [host, stack.env.PATH].join(delimiter), CGO_ENABLED: "0", GOFLAGS: "-mod=mod" };
}
