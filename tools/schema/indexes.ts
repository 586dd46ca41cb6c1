import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { definitions, modules } from "./definitions";

/** First line of a generated list of modules. */
const INDEX = "// Made from the modules that it lists by `npm run generate`: change them, not this file.\n\n";
const CHECKOUT = join(__dirname, "../..");

/**
 * The modules that list what stands in folders: a kind, a noun of the client or routes of the emulator needs no line there. What
 * loads a kind or a noun does so on its first use.
 */
export function indexes(): Map<string, string> {
  return new Map([
    ["provider/resources/index.ts", kinds()],
    ["provider/engine/kinds.ts", loaders()],
    ["provider/index.ts", entryPoint()],
    ...nouns(),
    ["emulator/rest/routes.ts", routes()],
  ]);
}

function kinds(): string {
  const imports = Array.from(modules, ([name, module]) => `import { ${name} } from "./${module}";\n`);
  return `${INDEX}${imports.join("")}
/** All kinds, by the name of their export. Code that needs a single kind imports its module instead. */
export const definitions = { ${[...modules.keys()].join(", ")} };
`;
}

function loaders(): string {
  const groups = [...modules.keys()].filter((name) => definitions[name]?.keeps !== undefined);
  const loaders = Array.from(modules, ([name, module]) => {
    if (!groups.includes(name)) return `  ${name}: lifecycle("${name}", () => require("../resources/${module}")),\n`;
    // A kind that keeps other resources has operations of its own.
    return `  ${name}: (connect: Connect): Operations => {
    const { FleetLifecycle } = require("../resources/${module}") as typeof import("../resources/${module}");
    return new FleetLifecycle(connect);
  },
`;
  });
  return `${INDEX}import { Lifecycle } from "../lifecycle/lifecycle";
import type { definitions } from "../resources";
import type { Connect, Operations } from "./hostedOperations";

type Definitions = Omit<typeof definitions, ${groups.map((name) => `"${name}"`).join(" | ")}>;

function lifecycle<Name extends keyof Definitions>(name: Name, load: () => Pick<Definitions, Name>) {
  return (connect: Connect): Operations => new Lifecycle(load()[name], connect);
}

/** Kinds by the name of their definition's export. The first operation of a kind loads its module, by a name that a bundler can read. */
export const kinds = {
${loaders.join("")}};
`;
}

function entryPoint(): string {
  const exports = Array.from(modules.keys(), (name) => `export const ${name} = dynamicProvider(kinds.${name});\n`);
  return `${INDEX}import "./engine/compileCache";
import { requireNode } from "../common/requireNode";
import { dynamicProvider } from "./engine/dynamic";
import { kinds } from "./engine/kinds";

requireNode();

// Users' states hold \`require("pulumi-computecloud/provider").<kind>\` for every resource. So neither this module nor its
// exports may ever be renamed.

${exports.join("")}`;
}

/** The modules of a folder in which the pattern occurs, by name, with their text. */
function modulesWith(folder: string, pattern: RegExp): [name: string, text: string][] {
  return readdirSync(join(CHECKOUT, folder))
    .filter((file) => file.endsWith(".ts"))
    .map((file): [string, string] => [file.replace(/\.ts$/, ""), readFileSync(join(CHECKOUT, folder, file), "utf8")])
    .filter(([, text]) => pattern.test(text) && !text.startsWith(INDEX));
}

/** A noun is a module that exports `calls`. Its interface of calls describes the client's property, and its types are public. */
function nouns(): Map<string, string> {
  const all = modulesWith("client/rest", /^export (const|function) calls\b/m).map(([name, text]) => {
    const [, about, calls] = /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\nexport interface (\w+Calls)\b/.exec(text) ?? [];
    if (calls === undefined) throw new TypeError(`${name}.ts describes no interface of calls`);
    const types = Array.from(text.matchAll(/^export (?:type|interface) (\w+)/gm), ([, type]) => type);
    const { operations } = require(join(CHECKOUT, "client/rest", name)) as {
      readonly operations: Readonly<Record<string, { readonly kind: string }>>;
    };
    return { name, about, types: types.join(", "), kind: operations.delete?.kind };
  });
  return new Map([
    [
      "client/rest/types.ts",
      INDEX + all.map(({ name, types }) => `export type { ${types} } from "./${name}";\n`).join(""),
    ],
    [
      "client/rest/nouns.ts",
      `${INDEX}import type { Operation } from "../calls/operation";
import type { Subject } from "../outcomes/statuses";
import type { Rest } from "./rest";

export interface Noun<Calls extends object> {
  /** Its REST operations, as data. */
  readonly operations: Readonly<Record<string, Operation>>;
  calls(rest: Rest): Calls;
}

/** The nouns whose operations the contract has. The code of each is loaded on first use. */
export const nouns = {
${all.map(({ name }) => `  ${name}: () => require("./${name}") as typeof import("./${name}"),\n`).join("")}} satisfies Readonly<Record<string, () => Noun<object>>>;

/** The noun of each kind whose resources have ids, by which they are deleted. */
export const nounsWithIds: ReadonlyMap<Subject, keyof typeof nouns> = new Map([
${all.map(({ kind, name }) => (kind === undefined ? "" : `  ["${kind}", "${name}"],\n`)).join("")}]);

/** The nouns as a client has them. */
export abstract class Nouns {
  /** The calls of a noun, created on first use. */
  protected abstract noun<Calls extends object>(name: keyof typeof nouns, load: () => Noun<Calls>): Calls;

${all.map(({ name, about }) => `  ${about}\n  get ${name}() {\n    return this.noun("${name}", nouns.${name});\n  }\n`).join("")}}
`,
    ],
  ]);
}

function routes(): string {
  const files = modulesWith("emulator/rest", /^export const routes\b/m).map(([name]) => name);
  return `${INDEX}import type { Route } from "../http/route";
${files.map((file) => `import * as ${file} from "./${file}";\n`).join("")}
/** Every REST operation. */
export const routes: readonly Route[] = [${files.map((file) => `...${file}.routes`).join(", ")}];
`;
}
