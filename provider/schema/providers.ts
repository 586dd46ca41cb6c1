import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
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
        : ["FleetLifecycle", "fleetLifecycle", "new FleetLifecycle(connect)"];
    const path = `../resources/${placeOf(file)}`;
    return `  ${kind}: (connect: Connect) => {
    const { ${name} } = require("${path}") as typeof import("${path}");
    return ${made};
  },
`;
  });
  return new Map([
    [
      "provider/index.ts",
      `${HEADER}import "./engine/compileCache";
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

const RESOURCES = join(__dirname, "..", "resources");

/** The module's path below `resources/`, where a kind stands in the room of its subject. */
function placeOf(module: string): string {
  const all = readdirSync(RESOURCES, { recursive: true, encoding: "utf8" });
  const found = all.find((path) => basename(path) === `${module}.ts`);
  if (found === undefined) throw new TypeError(`provider/resources holds no ${module}.ts`);
  return found.replace(/\\/g, "/").replace(/\.ts$/, "");
}
