import { definitions } from "./definitions";
import { HEADER } from "./header";

/** What serves a kind, whose module is loaded by its first operation: for dynamic resources, and for both hosts. */
export function providers(): Map<string, string> {
  const exports = Object.keys(definitions).map((kind) => `export const ${kind} = dynamicProvider(kinds.${kind});\n`);
  const loaders = Object.entries(definitions).map(([kind, { keeps }]) => {
    // What keeps other resources has operations of its own.
    const [name, file, made] =
      keeps === undefined
        ? [kind, kind, `new Lifecycle(${kind}, connect)`]
        : ["FleetLifecycle", "fleet/fleetLifecycle", "new FleetLifecycle(connect)"];
    return `  ${kind}: (connect: Connect) => {
    const { ${name} } = require("../resources/${file}") as typeof import("../resources/${file}");
    return ${made};
  },
`;
  });
  return new Map([
    [
      "provider/index.ts",
      `${HEADER}import "./compileCache";
import { requireNode } from "./common/requireNode";
import { dynamicProvider } from "./engine/dynamic";
import { kinds } from "./engine/kinds";

requireNode();

// Programs' states hold \`require("pulumi-computecloud/provider").<kind>\` for every resource, so that neither this module's
// name nor an export's may ever change.

${exports.join("")}`,
    ],
    [
      "provider/engine/kinds.ts",
      `${HEADER}import { Lifecycle } from "../lifecycle/lifecycle";
import type { Connect, Operations } from "./operations";

/** By the name of their definition's export. A kind's module is loaded by its first operation. */
export const kinds = {
${loaders.join("")}} satisfies Readonly<Record<string, (connect: Connect) => Operations>>;
`,
    ],
  ]);
}
