import { definitions } from "./definitions";
import { HEADER } from "./header";

/** `provider/index.ts`: the dynamic provider of every kind, whose module is loaded by its first operation. */
export function providers(): Map<string, string> {
  const exports = Object.keys(definitions).map(
    (kind) => `export const ${kind} = dynamicProvider((connect) => {
  const { ${kind} } = require("./resources/${kind}") as typeof import("./resources/${kind}");
  return new Lifecycle(${kind}, connect);
});
`,
  );
  return new Map([
    [
      "provider/index.ts",
      `${HEADER}import { requireNode } from "../requireNode";
import { dynamicProvider } from "./engine/dynamic";
import { Lifecycle } from "./lifecycle/lifecycle";

requireNode();

// Programs' states hold \`require("pulumi-computecloud/provider").<kind>\` for every resource, so that neither this module's
// name nor an export's may ever change.

${exports.join("\n")}`,
    ],
  ]);
}
