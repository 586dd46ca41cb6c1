import { definitions } from "./definitions";
import { HEADER } from "./header";

/**
 * The modules that load a kind: one for dynamic resources, one for both hosts. The first operation of a kind loads its
 * definition.
 */
export function providers(): Map<string, string> {
  const exports = Object.keys(definitions).map((kind) => `export const ${kind} = dynamicProvider(kinds.${kind});\n`);
  const loaders = Object.entries(definitions).map(([kind, { keeps }]) => {
    // A kind that keeps other resources has operations of its own.
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

// Users' states hold \`require("pulumi-computecloud/provider").<kind>\` for every resource. So neither this module nor its
// exports may ever be renamed.

${exports.join("")}`,
    ],
    [
      "provider/engine/kinds.ts",
      `${HEADER}import { Lifecycle } from "../lifecycle/lifecycle";
import type { Connect, Operations } from "./operations";

/** Kinds by the name of their definition's export. The first operation of a kind loads its module. */
export const kinds = {
${loaders.join("")}} satisfies Readonly<Record<string, (connect: Connect) => Operations>>;
`,
    ],
  ]);
}
