import { FromConfig, FromResource } from "../../provider/lifecycle/fields/example";
import { factsOf } from "../../provider/lifecycle/fields/fields";
import type { AnyDefinition, AnyExample } from "./definitions";
import { type Declared, declaredIn, grouped } from "./exampleProgram";

/** An example as a TypeScript program, with the resources that it refers to. */
export function exampleCode(definition: AnyDefinition, example: AnyExample): string {
  const program = new Program();
  for (const declared of declaredIn(definition, example)) program.declare(declared);
  return program.text();
}

class Program {
  readonly #classes = new Set<string>();
  readonly #lines: string[] = [];
  #config = false;

  declare({ definition, variable, name, args }: Declared): void {
    const literal = print(this.#printable(definition, args), 0);
    this.#classes.add(definition.kind);
    this.#lines.push(`const ${variable} = new ${definition.kind}(${JSON.stringify(name)}, ${literal});`);
  }

  text(): string {
    const classes = [...this.#classes].sort().join(", ");
    return [
      ...(this.#config ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
      `import { ${classes} } from "pulumi-computecloud";\n`,
      ...(this.#config ? ["const config = new pulumi.Config();"] : []),
      ...this.#lines,
      "",
    ].join("\n");
  }

  /** The arguments as a program writes them, with code for values from elsewhere. */
  #printable({ inputs, takes = [] }: AnyDefinition, args: object): object {
    const members = Object.entries(args).flatMap(([key, value]): [string, unknown][] => {
      const brought = value instanceof FromResource && takes.find(({ argument }) => key.startsWith(argument));
      if (brought) return key.endsWith("Id") ? [[brought.argument, new Code(value.kind)]] : [];
      const field = inputs.shape[key];
      const isJson = field !== undefined && factsOf(field).json !== undefined && typeof value === "string";
      return [[key, isJson ? JSON.parse(value) : this.#code(value)]];
    });
    return Object.fromEntries(members);
  }

  #code(value: unknown): unknown {
    if (value instanceof FromResource) return new Code(`${value.kind}.${value.output}`);
    if (value instanceof FromConfig) {
      this.#config = true;
      return new Code(`config.requireSecret(${JSON.stringify(value.key)})`);
    }
    if (Array.isArray(value)) return value.map((each) => this.#code(each));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.#code(member)]));
  }
}

class Code {
  constructor(readonly text: string) {}
}

/** A value as TypeScript, on one line if it fits. */
function print(value: unknown, depth: number): string {
  if (value instanceof Code) return value.text;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([key, member]) => {
    const text = print(member, depth + 1);
    return isList ? text : text === key ? key : `${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${text}`;
  });
  const [open, close, space] = isList ? ["[", "]", ""] : ["{", "}", " "];
  return grouped({ open, close, members, space, indent: "  ", depth, width: 70 });
}
