import { isDeepStrictEqual } from "node:util";
import { getOrCreate } from "../../common/getOrCreate";
import { isRecord } from "../../common/json";
import { printableJson } from "../../common/printable";
import { type Properties, valueAt } from "../../provider/lifecycle/fields/values";
import { safe } from "../output";
import { type Adoptable, JobInput, SecretValue } from "./found";
import { Names, numbered } from "./names";

export interface AdoptingProgram {
  /** TypeScript. */
  readonly text: string;
  /** The configuration keys that the program needs. The value is undefined if the service never shows it. */
  readonly secrets: readonly Configured[];
  readonly resources: readonly (ProgramNames & Pick<Adoptable, "kind" | "id" | "name" | "protect" | "differences">)[];
}

interface Configured {
  readonly key: string;
  readonly value: string | undefined;
  /** It is a job's input: JSON, and not a secret. */
  readonly isInput: boolean;
}

interface ProgramNames {
  readonly variable: string;
  readonly logicalName: string;
}

type Named = Adoptable & ProgramNames;

const WIDTH = 110;

/**
 * Writes a program that adopts all resources. References become variables, look-alikes a table; secrets come from the stack's
 * configuration.
 */
export function writeProgram(adoptables: readonly Adoptable[]): AdoptingProgram {
  const variables = new Names();
  const logical = new Map<string, Names>();
  const resources = adoptables.map((each) => {
    const names = getOrCreate(logical, each.kind, () => new Names());
    // What names are made of it could not be recognized later.
    const name = safe(each.name);
    return {
      ...each,
      variable: variables.variable(name, each.kind),
      logicalName: each.logicalName ?? names.logical(name, each.kind),
    };
  });
  const byId = new Map(resources.filter(({ kind }) => kind !== "SshKeys").map((each) => [each.id, each]));
  const draft = new Writer(byId, variables);
  for (const each of resources) draft.argumentsOf(each);
  const { used } = draft;
  const groups = lookAlikes(resources.filter(({ id }) => !used.has(id)));
  const groupOf = new Map(groups.flatMap((group) => group.map((each) => [each, group] as const)));
  const writer = new Writer(byId, variables);
  const declarations = resources.map((each) => {
    const { id, kind, variable, logicalName, protect, args } = each;
    const group = groupOf.get(each);
    if (group !== undefined) return group[0] === each ? writer.table(group) : "";
    const body = writer.argumentsOf(each);
    if (kind === "Waves") return wavesText(variable, logicalName, body, args);
    return `${used.has(id) ? `const ${variable} = ` : ""}${declaration(kind, printableJson(logicalName), body, protect)}\n`;
  });
  const hasWaves = resources.some(({ kind }) => kind === "Waves");
  const named = resources.map(({ kind }) => kind);
  const kinds = [...new Set([...named, ...(hasWaves ? ["GatedEndpoint", "type GatedEndpointArgs"] : [])])].sort();
  const text = [
    ...(writer.secrets.length > 0 ? ['import * as pulumi from "@pulumi/pulumi";\n'] : []),
    ...(kinds.length > 0 ? [`import { ${kinds.join(", ")} } from "pulumi-computecloud";\n`] : []),
    ...(writer.secrets.length > 0 ? ["\nconst config = new pulumi.Config();\n"] : []),
    ...declarations.filter((each) => each !== "").map((each) => `\n${each}`),
  ].join("");
  return { text, secrets: writer.secrets, resources };
}

const declaration = (kind: string, name: string, body: string, protect: boolean) =>
  `new ${kind}(${name}, ${body}${protect ? ", { protect: true }" : ""});`;

class Written {
  constructor(readonly text = "") {}
}

class Writer {
  readonly used = new Set<string>();
  readonly secrets: Configured[] = [];
  readonly #keys = new Set<string>();

  constructor(
    private readonly byId: ReadonlyMap<string, ProgramNames>,
    private readonly names: Names,
  ) {}

  argumentsOf({ id, args, logicalName }: Named): string {
    const members = this.#members(args, [logicalName], id, 1);
    return object([...(id === "" ? [] : [["adoptId", printableJson(id)] as const]), ...members], 0);
  }

  /** A table of what differs, and a loop that declares what its rows stand for. */
  table(resources: readonly Named[]): string {
    const [{ kind, protect }] = resources as readonly [Named];
    const rows = resources.map(({ id, logicalName }) => [
      ["name", printableJson(logicalName)] as [string, string],
      ["adoptId", printableJson(id)] as [string, string],
    ]);
    const columns = new Set(["name", "adoptId"]);
    const written = (values: readonly unknown[], path: readonly string[]): unknown => {
      const inner = memberNames(values);
      if (inner.length > 0)
        return Object.fromEntries(inner.map((key) => [key, written(membersOf(values, key), [...path, key])]));
      const texts = resources.map(({ id, logicalName }, index) =>
        values[index] === undefined ? "" : this.#value(values[index], [logicalName, ...path], id, path.length + 1),
      );
      const isEach = (textOf: (name: string) => string | undefined) =>
        resources.every(({ logicalName }, index) => texts[index] === textOf(logicalName));
      if (isEach(() => texts[0])) return new Written(texts[0]);
      if (isEach((name) => printableJson(name))) return new Written("name");
      if (isEach((name) => `config.requireSecret(${printableJson(keyOf([name, ...path]))})`))
        return new Written(`config.requireSecret(\`\${name}${keyOf(["", ...path])}\`)`);
      const column = this.names.column(path[0] === "name" ? "serviceName" : path.at(-1), columns);
      columns.add(column);
      for (const [index, text] of texts.entries()) if (text !== "") rows[index]?.push([column, text]);
      return new Written(column);
    };
    const args = written(
      resources.map((each) => each.args),
      [],
    ) as Properties;
    const body = object([["adoptId", "adoptId"], ...this.#members(args, [], "", 2)], 1);
    const table = this.names.variable(`${commonWords(resources)} ${pluralOf(kind)}`, kind);
    return [
      `const ${table} = [`,
      ...rows.map((row) => `  ${object(row, 1, WIDTH)},`),
      "];",
      `for (const { ${[...columns].join(", ")} } of ${table}) {`,
      `  ${declaration(kind, "name", body, protect)}`,
      "}\n",
    ].join("\n");
  }

  #members(members: Properties, path: readonly string[], ownId: string, depth: number): (readonly [string, string])[] {
    return Object.entries(members).map(([key, value]) => {
      const text = this.#value(value, [...path, key], ownId, depth);
      // As a whole, a template brings its revision.
      return key === "templateId" && text.endsWith(".id") ? ["template", text.slice(0, -".id".length)] : [key, text];
    });
  }

  #value(value: unknown, path: readonly string[], ownId: string, depth: number): string {
    if (value instanceof Written) return value.text;
    if (value instanceof JobInput) return `config.requireObject(${printableJson(this.#secret(value, path))})`;
    if (value instanceof SecretValue) return `config.requireSecret(${printableJson(this.#secret(value, path))})`;
    if (Array.isArray(value))
      return array(
        value.map((each) => this.#value(each, path, ownId, depth + 1)),
        depth,
      );
    if (isRecord(value)) return object(this.#members(value, path, ownId, depth + 1), depth);
    const referred =
      typeof value === "string" && value !== ownId && path[1] !== "name" ? this.byId.get(value) : undefined;
    if (referred === undefined) return printableJson(value);
    this.used.add(String(value));
    return `${referred.variable}.id`;
  }

  #secret(secret: SecretValue, path: readonly string[]): string {
    const key = numbered(keyOf(path), "_", (each) => this.#keys.has(each));
    this.#keys.add(key);
    this.secrets.push({ key, value: secret.value, isInput: secret instanceof JobInput });
    return key;
  }
}

/** The key of a value in the configuration. */
const keyOf = ([name = "", ...path]: readonly string[]) =>
  `${name}.${path.filter((key) => key !== "env").join(".")}`.replace(/[^\w.-]/g, "_");

/** The words that all names begin with. */
function commonWords(resources: readonly Named[]): string {
  const [first = [], ...others] = resources.map(({ logicalName }) => logicalName.split("-"));
  const end = first.findIndex((word, index) => others.some((words) => words[index] !== word));
  return first.slice(0, end < 0 ? first.length : end).join(" ");
}

const pluralOf = (kind: string) => `${kind.replace(/.+(?=[A-Z])/, "").replace(/y$/, "ie")}s`;

/** @param members the members' arguments, as written and as they are */
function wavesText(variable: string, name: string, body: string, members: Properties): string {
  const names = Object.keys(members).map((each) => printableJson(each));
  return [
    `const ${variable}Members = ${body} satisfies Record<string, GatedEndpointArgs>;`,
    `new Waves(${printableJson(name)}, {`,
    `  members: ${array(names, 1)},`,
    `  make: (member, options) => new GatedEndpoint(member, ${variable}Members[member], { ...options, protect: true }),`,
    "});\n",
  ].join("\n");
}

function object(members: readonly (readonly [string, string])[], depth: number, width?: number): string {
  const written = members.map(([key, value]) => (key === value ? key : `${memberName(key)}: ${value}`));
  return enclosed("{", written, "}", depth, " ", width);
}

/** `__proto__` is computed, because as a plain member it would set the prototype. */
function memberName(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_]\w*$/.test(key) ? key : printableJson(key);
}

const array = (items: readonly string[], depth: number): string => enclosed("[", items, "]", depth, "");

function enclosed(
  open: string,
  items: readonly string[],
  close: string,
  depth: number,
  space: string,
  width = WIDTH / 2,
): string {
  if (items.length === 0) return open + close;
  const line = `${open}${space}${items.join(", ")}${space}${close}`;
  const short = depth > 0 && line.length + depth * 2 < width && !line.includes("\n");
  if (short) return line;
  const indent = "  ".repeat(depth);
  return `${open}\n${items.map((item) => `${indent}  ${item},\n`).join("")}${indent}${close}`;
}

/** A table of fewer is longer than they are. */
const FEWEST = 3;

/** The groups of resources that a loop can declare: of one kind, and at most a third of their values differ from the first's. */
function lookAlikes<Resource extends Adoptable>(resources: readonly Resource[]): readonly Resource[][] {
  const groups: [Resource, ...Resource[]][] = [];
  for (const each of resources) {
    const group = groups.find(([first]) => areAlike(first, each));
    if (group === undefined) groups.push([each]);
    else group.push(each);
  }
  return groups.filter(({ length }) => length >= FEWEST);
}

function areAlike(one: Adoptable, other: Adoptable): boolean {
  if (one.kind !== other.kind || one.protect !== other.protect || one.id === "") return false;
  const paths = leafPaths([one.args, other.args]).filter(([key]) => key !== "name");
  const differing = paths.filter((path) => {
    const [mine, theirs] = [one, other].map(({ args }) => valueAt(args, path));
    // Secrets count as equal: each is read from the configuration.
    return !(isSecret(mine) && isSecret(theirs)) && !isDeepStrictEqual(mine, theirs);
  });
  return differing.length * 3 <= paths.length && differing.every((path) => canBeColumn(path, one.args, other.args));
}

/** The names of the members of those that are objects. */
function memberNames(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.flatMap((each) => (isRecord(each) && !isSecret(each) ? Object.keys(each) : [])))];
}

/** The paths of all values that aren't objects. */
function leafPaths(values: readonly unknown[], path: readonly string[] = []): readonly (readonly string[])[] {
  const names = memberNames(values);
  if (names.length === 0) return [path];
  return names.flatMap((name) => leafPaths(membersOf(values, name), [...path, name]));
}

const membersOf = (values: readonly unknown[], name: string) => values.map((each) => valueAt(each, [name]));

const isSecret = (value: unknown): boolean => value instanceof SecretValue;

/** In a row without a value the column is `undefined`, and the compiler takes a mode in capitals for any text. */
function canBeColumn(path: readonly string[], one: Properties, other: Properties): boolean {
  const [key = ""] = path;
  const values = [one, other].map((args) => valueAt(args, path));
  if (key === "env") return values.every((value) => value !== undefined);
  if (path.length > 1 && [one, other].some((args) => !isRecord(args[key]))) return false;
  return values.every((value) =>
    Array.isArray(value) ? !value.some(isRecord) : !isRecord(value) && !/^[A-Z][A-Z0-9_]+$/.test(String(value)),
  );
}
