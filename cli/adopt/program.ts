import { kept } from "../../common/kept";
import { printableJson } from "../../common/printable";
import { isObject, type Properties } from "../../provider/lifecycle/fields/values";
import { type Adoptable, JobInput, SecretValue } from "./found";
import { Names } from "./names";

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

const WIDTH = 110;

/** Writes a program that adopts all resources. References become variables; secrets come from the stack's configuration. */
export function writeProgram(found: readonly Adoptable[]): AdoptingProgram {
  const variables = new Names();
  const logical = new Map<string, Names>();
  const resources = found.map((each) => {
    const names = kept(logical, each.kind, () => new Names());
    return {
      ...each,
      variable: variables.variable(each.name, each.kind),
      logicalName: each.logicalName ?? names.logical(each.name, each.kind),
    };
  });
  const writer = new Writer(new Map(resources.filter(({ kind }) => kind !== "SshKeys").map((each) => [each.id, each])));
  const bodies = resources.map((each) => writer.argumentsOf(each));
  const declarations = resources.map(({ id, kind, variable, logicalName, protect }, index) => {
    if (kind === "Waves") return wavesText(variable, logicalName, bodies[index] ?? "", resources[index]?.args ?? {});
    const holder = writer.used.has(id) ? `const ${variable} = ` : "";
    return `${holder}new ${kind}(${printableJson(logicalName)}, ${bodies[index]}${protect ? ", { protect: true }" : ""});\n`;
  });
  const hasWaves = resources.some(({ kind }) => kind === "Waves");
  const named = resources.map(({ kind }) => kind);
  const kinds = [...new Set([...named, ...(hasWaves ? ["GatedEndpoint", "type GatedEndpointArgs"] : [])])].sort();
  const text = [
    ...(writer.secrets.length > 0 ? ['import * as pulumi from "@pulumi/pulumi";\n'] : []),
    ...(kinds.length > 0 ? [`import { ${kinds.join(", ")} } from "pulumi-computecloud";\n`] : []),
    ...(writer.secrets.length > 0 ? ["\nconst config = new pulumi.Config();\n"] : []),
    ...declarations.map((each) => `\n${each}`),
  ].join("");
  return { text, secrets: writer.secrets, resources };
}

class Writer {
  readonly used = new Set<string>();
  readonly secrets: Configured[] = [];
  readonly #keys = new Set<string>();
  readonly #byId: ReadonlyMap<string, ProgramNames>;

  constructor(byId: ReadonlyMap<string, ProgramNames>) {
    this.#byId = byId;
  }

  argumentsOf({ id, args, variable }: Adoptable & ProgramNames): string {
    const own = Object.entries(args).map(([key, value]) => [key, this.#value(value, [variable, key], id)] as const);
    return object([...(id === "" ? [] : [["adoptId", printableJson(id)] as const]), ...own], 0);
  }

  #value(value: unknown, path: readonly string[], own: string, depth = 1): string {
    if (value instanceof JobInput) return `config.requireObject(${printableJson(this.#secret(value, path))})`;
    if (value instanceof SecretValue) return `config.requireSecret(${printableJson(this.#secret(value, path))})`;
    if (Array.isArray(value))
      return array(
        value.map((each) => this.#value(each, path, own, depth + 1)),
        depth,
      );
    if (isObject(value)) {
      const members = Object.entries(value as Properties);
      return object(
        members.map(([key, member]) => [key, this.#value(member, [...path, key], own, depth + 1)]),
        depth,
      );
    }
    const referred =
      typeof value === "string" && value !== own && path[1] !== "name" ? this.#byId.get(value) : undefined;
    if (referred === undefined) return printableJson(value);
    this.used.add(String(value));
    return `${referred.variable}.id`;
  }

  #secret(secret: SecretValue, [variable = "", ...rest]: readonly string[]): string {
    const plain = `${variable}.${rest.filter((key) => key !== "env").join(".")}`.replace(/[^\w.-]/g, "_");
    let key = plain;
    for (let number = 2; this.#keys.has(key); number++) key = `${plain}_${number}`;
    this.#keys.add(key);
    this.secrets.push({ key, value: secret.value, isInput: secret instanceof JobInput });
    return key;
  }
}

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

function object(members: readonly (readonly [string, string])[], depth: number): string {
  const written = members.map(([key, value]) => `${memberName(key)}: ${value}`);
  return enclosed("{", written, "}", depth, " ");
}

/** `__proto__` is computed, because as a plain member it would set the prototype. */
function memberName(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_]\w*$/.test(key) ? key : printableJson(key);
}

function array(items: readonly string[], depth: number): string {
  return enclosed("[", items, "]", depth, "");
}

function enclosed(open: string, items: readonly string[], close: string, depth: number, space: string): string {
  if (items.length === 0) return open + close;
  const line = `${open}${space}${items.join(", ")}${space}${close}`;
  const short = depth > 0 && line.length + depth * 2 < WIDTH / 2 && !line.includes("\n");
  if (short) return line;
  const indent = "  ".repeat(depth);
  return `${open}\n${items.map((item) => `${indent}  ${item},\n`).join("")}${indent}${close}`;
}
