import { FromConfig, FromResource } from "../../provider/lifecycle/fields/example";
import { type AnyDefinition, type AnyExample, definitions } from "./definitions";

export interface Declared {
  readonly definition: AnyDefinition;
  /** In camel case. */
  readonly variable: string;
  readonly name: string;
  readonly args: object;
  /** Whether a later resource refers to it. */
  readonly isUsed: boolean;
}

/** The resources of an example's program in order: those that it refers to, then its own. */
export function declaredIn(definition: AnyDefinition, example: AnyExample): readonly Declared[] {
  const declared = new Map<string, Declared>();
  const declare = (definition: AnyDefinition, { name, args }: AnyExample, variable: string, isUsed: boolean) => {
    for (const { kind, example: index } of referencesIn(args)) {
      const other = definitions[kind];
      const its = other?.examples[index];
      if (other === undefined || its === undefined)
        throw new TypeError(`${kind} is not a kind with an example ${index}`);
      if (!declared.has(kind)) declare(other, its, kind, true);
    }
    declared.set(variable, { definition, variable, name, args, isUsed });
  };
  declare(definition, example, camelCase(example.name), false);
  return [...declared.values()];
}

function referencesIn(value: unknown): FromResource[] {
  if (value instanceof FromResource) return [value];
  if (value === null || typeof value !== "object" || value instanceof FromConfig) return [];
  return Object.values(value).flatMap(referencesIn);
}

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** How a language writes what has members. */
interface Group {
  readonly open: string;
  readonly close: string;
  readonly members: readonly string[];
  /** Between the brackets and what is on the same line. */
  readonly space?: string;
  readonly indent: string;
  readonly depth: number;
  /** Of the group alone, on one line. */
  readonly width: number;
}

/** A list, or whatever else has members: on one line if it fits, or each member on its own line. */
export function grouped({ open, close, members, space = "", indent, depth, width }: Group): string {
  const line = `${open}${space}${members.join(", ")}${space}${close}`;
  if (line.length + depth * indent.length < width && !line.includes("\n")) return line;
  const lines = members.map((member) => `${indent.repeat(depth + 1)}${member},\n`);
  return `${open}\n${lines.join("")}${indent.repeat(depth)}${close}`;
}
