import { definitions } from "./definitions";
import { HEADER } from "./header";

/** `provider/index.ts`: the dynamic provider of every kind, whose module is loaded by its first operation. */
export function providers(): Map<string, string> {
  const exports = Object.entries(definitions).map(([kind, { keeps }]) => {
    // What keeps other resources has operations of its own.
    const [name, file, made] =
      keeps === undefined
        ? [kind, kind, `new Lifecycle(${kind}, connect)`]
        : ["FleetLifecycle", "fleet/fleetLifecycle", "new FleetLifecycle(connect)"];
    return `export const ${kind} = dynamicProvider((connect) => {
  const { ${name} } = require("./resources/${file}") as typeof import("./resources/${file}");
  return ${made};
});
`;
  });
  return new Map([
    [
      "provider/index.ts",
      `${HEADER}import "./compileCache";
import { requireNode } from "../requireNode";
import { dynamicProvider } from "./engine/dynamic";
import { Lifecycle } from "./lifecycle/lifecycle";

requireNode();

// Programs' states hold \`require("pulumi-computecloud/provider").<kind>\` for every resource, so that neither this module's
// name nor an export's may ever change.

${exports.join("\n")}`,
    ],
  ]);
}
