import { type Right, rights } from "../../client";
import { functionAreas } from "../../provider/functions";
import { factsOf } from "../../provider/lifecycle/fields/fields";
import { components } from "./components";
import { configuration, settingNames } from "./configuration";
import { type AnyDefinition, definitions, type Kind } from "./definitions";
import { exampleCode } from "./examples";
import { functionNamed } from "./functions";
import { type Field, fieldsOf, type ObjectType, type Type, typeOf } from "./model";
import { PROVIDER, providerArgument } from "./providerClass";
import { capitalised, singular } from "./specs";
import { argumentCells, outputText, sourceText } from "./texts";

const HEADER = "<!-- Made from the definitions in provider/ by `npm run generate`: change them, not this file. -->\n\n";

/** The documentation's pages about the arguments and outputs of each kind and function. */
export function documents(): Map<string, string> {
  const kinds = Object.entries({ ...definitions, ...components }).map(([file, definition]): [string, string] => [
    `docs/resources/${file}.md`,
    kindPage(definition),
  ]);
  const functions = functionAreas.flatMap(({ names }) =>
    names.map((name): [string, string] => [`docs/functions/${name}.md`, functionPage(name)]),
  );
  return new Map([
    ...kinds,
    ["docs/resources/provider.md", providerPage()],
    ["docs/resources/README.md", kindList()],
    ...functions,
    ["docs/functions/README.md", functionList()],
  ]);
}

const COMPONENT =
  "It is a component, made of other resources: [rollouts](../rollouts.md). In TypeScript `endpointId` is `id` as well.";

function kindPage(definition: AnyDefinition): string {
  const { kind, source, description, inputs, outputs, examples, list, isComponent } = definition;
  const inputFields = fieldsOf(inputs, "input").filter(({ name }) => !name.startsWith("__"));
  const outputFields = fieldsOf(outputs, "output").filter(({ facts }) => facts.internal !== true);
  const objects = new Objects();
  const { takes = [] } = definition;
  const brought = takes.map((each) => [`\`${each.argument}\``, "resource", "", "in place", each.description]);
  const parts = [
    `# ${kind}\n\n${description}`,
    sourceText(source),
    ...examples.map((each) => `## ${each.title}\n\n${block("ts", exampleCode(definition, each))}`),
    `## Arguments\n\n${table(ARGUMENTS, [...brought, ...objects.argumentRows(inputFields, kind, { nested: false })])}`,
    `\`adoptId\`, and what else every resource takes: [all resources](README.md).`,
    ...(outputFields.length === 0
      ? []
      : [
          `## Outputs\n\n${isComponent ? COMPONENT : "Besides `id` and the arguments."}\n\n${table(OUTPUTS, objects.outputRows(outputFields, kind))}`,
        ]),
    ...objects.sections(),
    ...(list === undefined
      ? []
      : [`## Import\n\n${block("console", `$ pulumi import computecloud:index:${kind} ${examples[0]?.name} <id>\n`)}`]),
  ];
  return `${HEADER}${parts.join("\n\n")}\n`;
}

function providerPage(): string {
  const lines = settingNames.map((name) => {
    const { type } = configuration[name];
    return [`\`${name}\``, type === "strings" ? "list of string" : type, providerArgument(name)];
  });
  const parts = [
    `# Provider\n\n${PROVIDER.description.replaceAll("\n", " ")}`,
    `## Two accounts\n\n${block("ts", PROVIDER.example)}`,
    `## Arguments\n\n${PROVIDER.defaults}\n\n${table(OUTPUTS, lines)}`,
    "What each setting does: [configuration and keys](../configuration.md). What native resources can do: [native](../native.md).",
  ];
  return `${HEADER}${parts.join("\n\n")}\n`;
}

function functionPage(name: string): string {
  const { description, args, result } = functionNamed(name);
  const objects = new Objects();
  const inputFields = fieldsOf(args, "input");
  const resultType = typeOf(result, "output");
  const answer = resultType.is === "object" ? resultType.fields : [];
  const required = inputFields.filter(({ optional }) => !optional);
  const call = `${name}Output(${required.length === 0 ? "" : `{ ${required.map(sample).join(", ")} }`})`;
  const parts = [
    `# ${name}\n\n${description}`,
    block("ts", `import { ${name}Output } from "pulumi-computecloud";\n\nconst answer = ${call};\n`),
    `\`${name}Output\` answers an output, and takes outputs as arguments; \`${name}\` answers a promise.`,
    ...(inputFields.length === 0
      ? []
      : [`## Arguments\n\n${table(ARGUMENTS, objects.argumentRows(inputFields, `${capitalised(name)}Args`))}`]),
    `## Answer\n\n${table(OUTPUTS, objects.outputRows(answer, factsOf(result).typeName ?? ""))}`,
    ...objects.sections(),
  ];
  return `${HEADER}${parts.join("\n\n")}\n`;
}

/** A required argument with a value of its type. */
function sample({ name, type }: Field): string {
  return `${name}: ${type.is === "integer" || type.is === "number" ? 1 : '"abc123"'}`;
}

function kindList(): string {
  const lines = Object.entries({ ...definitions, ...components }).map(
    ([file, { kind, description }]) => `| [${kind}](${file}.md) | ${cell(firstSentence(description))} |`,
  );
  const kinds = Object.values(definitions);
  const priced = kinds.filter(({ priced }) => priced).map(({ kind }) => kind);
  return `${HEADER}# Resources

| Kind | |
|---|---|
${lines.join("\n")}
| [Provider](provider.md) | ${cell(firstSentence(PROVIDER.description))} |

These cost money by themselves: ${priced.join(", ")}.

## Rights of a key

What a key must be allowed, besides to read the account and the catalog: [configuration](../configuration.md#which-rights-a-key-needs).

${table(["Resource", "`preview --refresh`", "`up`, `destroy`"], kinds.map(rightsOf))}

## What every resource takes

| Argument | |
|---|---|
| \`name\` | Left out, it is made of the resource's name in the program and a short hash. |
| \`adoptId\` | ${cell(
    "Takes over the existing resource with this id instead of creating one: what differs is updated in place, what would " +
      "need a replacement is an error. Removing it later changes nothing. Default: none.",
  )} |

Pulumi's own options work as everywhere: \`protect\`, \`retainOnDelete\`, \`ignoreChanges\`, \`replaceOnChanges\`,
\`dependsOn\`, \`parent\`, \`aliases\`.
`;
}

function rightsOf({ kind, noun, rights: others }: Kind): string[] {
  const { word, inferred }: Right = rights[noun];
  const { preview, up } = others ?? { preview: `read: ${word}`, up: `write: ${word}` };
  return [inferred ? `${kind} (inferred)` : kind, preview, up];
}

function functionList(): string {
  const lines = functionAreas.flatMap(({ names }) =>
    names.map((name) => `| [${name}](${name}.md) | ${cell(firstSentence(functionNamed(name).description))} |`),
  );
  return `${HEADER}# Functions

They need the plugin that comes with the package: [installation](../installation-configuration.md#installation). What
they are good for: [catalog and cost](../catalog-and-cost.md).

| Function | |
|---|---|
${lines.join("\n")}
`;
}

const ARGUMENTS = ["Name", "Type", "Default", "Change", "Description"];
const OUTPUTS = ["Name", "Type", "Description"];

/** Writes an object's table. */
type Write = (fields: readonly Field[], name: string) => string;

/** The objects of a page, each with a table of its own. An object without a name is called by its path. */
class Objects {
  readonly #tables = new Map<string, string>();

  /** The lines of a table of arguments. */
  argumentRows(fields: readonly Field[], owner: string, place = { nested: true }): string[][] {
    const write: Write = (inner, name) => table(ARGUMENTS, this.argumentRows(inner, name));
    return fields.map((field) => {
      const { text, byDefault, change } = argumentCells(field, place);
      const type = this.#type(field.type, owner + capitalised(field.name), write);
      return [`\`${field.name}\``, type, field.optional ? byDefault : "**required**", change, text];
    });
  }

  /** The lines of a table of outputs. */
  outputRows(fields: readonly Field[], owner: string): string[][] {
    const write: Write = (inner, name) => table(OUTPUTS, this.outputRows(inner, name));
    return fields.map((field) => [
      `\`${field.name}\``,
      `${this.#type(field.type, owner + capitalised(field.name), write)}${absent(field)}`,
      outputText(field),
    ]);
  }

  sections(): string[] {
    return [...this.#tables].map(([name, text]) => `### ${name}\n\n${text}`);
  }

  #type(type: Type, byPath: string, write: Write): string {
    switch (type.is) {
      case "list":
        return `list of ${this.#type(type.of, singular(byPath), write)}`;
      case "map":
        return `map of ${this.#type(type.of, byPath, write)}`;
      case "choice":
        return choice(type);
      case "union":
        return type.of.map((each, index) => this.#type(each, `${byPath}${index + 1}`, write)).join(" or ");
      case "object":
        return this.#object(type, byPath, write);
      default:
        return type.is;
    }
  }

  #object({ name, fields }: ObjectType, byPath: string, write: Write): string {
    const title = name ?? byPath;
    if (!this.#tables.has(title)) {
      this.#tables.set(title, "");
      this.#tables.set(title, write(fields, title));
    }
    return `[${title}](#${title.toLowerCase()})`;
  }
}

/** Longer lists of values are not printed: the catalog has them. */
const SHOWN_VALUES = 12;

function choice({ values, open }: Type & { is: "choice" }): string {
  if (open && values.length > SHOWN_VALUES) return "string";
  const quotedValues = values.map((value) => `\`${value}\``).join(", ");
  return open ? `string, such as ${quotedValues}` : values.length === 1 ? quotedValues : `one of ${quotedValues}`;
}

function absent({ optional, nullable }: Field): string {
  return `${nullable ? " or null" : ""}${optional ? ", or absent" : ""}`;
}

/** A table. A column in which no line says anything is left out. */
function table(titles: readonly string[], lines: readonly (readonly string[])[]): string {
  const columns = titles.flatMap((_, column) => (lines.some((line) => line[column]) ? [column] : []));
  const row = (cells: readonly string[]) => `| ${columns.map((column) => cell(cells[column] ?? "")).join(" | ")} |`;
  return [row(titles), `|${"---|".repeat(columns.length)}`, ...lines.map(row)].join("\n");
}

/** Text for a table's cell, which a line break or a bar would end. */
const cell = (text: string): string => text.replaceAll("\n", " ").replaceAll("|", "\\|");

const block = (language: string, code: string): string => `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;

const firstSentence = (text: string): string => text.split(/(?<=\.)\s/)[0] ?? text;
