import type { Field, ObjectType, Type } from "./model";
import { capitalised, memberName, singular } from "./specs";
import { argumentText, outputText } from "./texts";

/** First line of what each build writes into `sdk/generated/`. */
export const HEADER = "// Made from the definitions in provider/ by `npm run build`: change them, not this file.\n\n";

const WIDTH = 120;

/**
 * The use of a type. `argument`: a resource's arguments, which may be outputs. `plain`: values that are passed on as a
 * whole. `result`: a resource's properties. `call`: a function's arguments. `answer`: a function's answer.
 */
export type Role = "argument" | "plain" | "result" | "call" | "answer";

/** A named type's declaration. */
export interface Declaration {
  readonly name: string;
  readonly text: string;
  /** Names of the types that it refers to. */
  readonly uses: ReadonlySet<string>;
}

/** Turns types into TypeScript, and collects the declarations that they need. */
export class Declarations {
  readonly #declarations = new Map<string, Declaration>();
  #uses = new Set<string>();

  constructor(private readonly role: Role) {}

  all(): readonly Declaration[] {
    return [...this.#declarations.values()];
  }

  /** The type of a value; arguments may be outputs at any depth. */
  text(type: Type, byPath: string): string {
    switch (type.is) {
      case "integer":
        return "number";
      case "any":
        return "unknown";
      case "list":
        return `${grouped(this.wrapped(type.of, singular(byPath)))}[]`;
      case "map":
        // A value with an interface as its type is assignable to `object`, and not to a Record.
        if (this.role === "plain" && type.of.is === "any") return "object";
        return `Record<string, ${this.wrapped(type.of, byPath)}>`;
      case "choice":
        return this.#choice(type);
      case "union":
        return this.#union(type, byPath);
      case "object":
        return this.#object(type, byPath);
      default:
        return type.is;
    }
  }

  /** The type of a value, as an input where it is an argument. */
  wrapped(type: Type, byPath: string): string {
    const text = this.text(type, byPath);
    return this.role === "argument" ? `Input<${text}>` : text;
  }

  /** Members of an interface, with the texts that users read. */
  members(fields: readonly Field[], owner: string, nested: boolean): string {
    return fields
      .map((field) => {
        const isArgument = this.role === "argument" || this.role === "call";
        const text = isArgument ? argumentText(field, { nested }) : outputText(field);
        const type = this.wrapped(field.type, owner + capitalised(field.name));
        const value = field.nullable ? `${type} | null` : type;
        const member = `${comment(text, "  ")}  ${field.name}${field.optional ? "?" : ""}: ${value};\n`;
        const { takesTemplate } = field.facts;
        if (takesTemplate === undefined || this.role !== "argument") return member;
        return `${comment(takesTemplate, "  ")}  template?: RevisedTemplate;\n${member}`;
      })
      .join("");
  }

  #choice({ name, values, open }: Type & { is: "choice" }): string {
    // A program that reads it can't rely on the known names.
    if (open && this.role === "result") return "string";
    const text = values.map((value) => JSON.stringify(value)).join(" | ") + (open ? " | (string & {})" : "");
    if (name === undefined) return text;
    // `pulumi import` prints the members of an enum.
    const members = values.map((value) => `${memberName(value)}: ${JSON.stringify(value)}`).join(", ");
    const isOfResources = this.role !== "call" && this.role !== "answer";
    const constant = open || !isOfResources ? "" : `export const ${name} = { ${members} } as const;\n`;
    return this.#declare(name, () => `export type ${name} = ${text};\n${constant}`);
  }

  #union({ name, description = "", of }: Type & { is: "union" }, byPath: string): string {
    const options = () => of.map((each, index) => this.text(each, `${byPath}${index + 1}`)).join(" | ");
    if (name === undefined) return options();
    const full = this.#named(name);
    return this.#declare(full, () => `${comment(description)}export type ${full} = ${options()};\n`);
  }

  #object({ name, description = "", fields }: ObjectType, byPath: string): string {
    const full = this.#named(name ?? byPath);
    return this.#declare(full, () => {
      const members = this.members(fields, name ?? byPath, true);
      return `${comment(description)}export interface ${full} {\n${members}}\n`;
    });
  }

  #named(name: string): string {
    return this.role === "argument" ? `${name}Args` : name;
  }

  #declare(name: string, write: () => string): string {
    this.#uses.add(name);
    const outer = this.#uses;
    this.#uses = new Set();
    const text = write();
    const existing = this.#declarations.get(name);
    if (existing !== undefined && existing.text !== text) {
      throw new TypeError(`two types are called ${name}; give one of them another name`);
    }
    this.#declarations.set(name, { name, text, uses: this.#uses });
    this.#uses = outer;
    return name;
  }
}

/** The import of those names that a text uses; nothing where it uses none. A name may follow the word `type`. */
export function importOf(text: string, names: readonly string[], module: string, kind: "" | "type " = ""): string {
  const used = names.filter((name) => new RegExp(`\\b${name.replace("type ", "")}\\b`).test(text));
  return used.length === 0 ? "" : `import ${kind}{ ${used.join(", ")} } from "${module}";\n`;
}

/** A documentation comment, wrapped to the line width. */
export function comment(text: string, indent = ""): string {
  if (text === "") return "";
  const line = `${indent}/** ${text} */\n`;
  if (line.length <= WIDTH + 1 && !text.includes("\n")) return line;
  const width = WIDTH - indent.length - 3;
  const folded = new RegExp(`(?<=^| )(?:.{1,${width}}|[^ ]+)(?= |$)`, "g");
  let isCode = false;
  const lines = text.split("\n").flatMap((part) => {
    if (part.startsWith("```")) isCode = !isCode;
    return isCode || part === "" ? [part] : (part.match(folded) ?? []);
  });
  return `${indent}/**\n${lines.map((each) => `${indent} * ${each}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

const grouped = (text: string): string => (text.includes(" | ") && !text.startsWith("Input<") ? `(${text})` : text);
