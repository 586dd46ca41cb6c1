import { findFunction, functionAreas } from "../../provider/functions";
import type { FunctionDefinition } from "../../provider/functions/definition";
import { factsOf } from "../../provider/lifecycle/fields/fields";
import { fieldsOf, typeOf } from "./model";
import { capitalised } from "./specs";
import { comment, Declarations, HEADER, importOf } from "./typescript";

/** The functions that programs call, one file an area, and the types of their arguments and answers. */
export function functions(): Map<string, string> {
  const types: Types = { argument: new Declarations("call"), result: new Declarations("answer") };
  const texts = functionAreas.map(({ area, names }): [string, string] => [
    area,
    names.map((name) => functionText(name, types)).join("\n"),
  ]);
  const all = [...types.argument.all(), ...types.result.all()].sort((one, other) => (one.name < other.name ? -1 : 1));
  const names = all.map(({ name }) => name);
  const areas = texts.map(([area, text]): [string, string] => [
    `sdk/generated/functions/${area}.ts`,
    areaFile(text, names),
  ]);
  const declarations = all.map(({ text }) => text);
  return new Map([
    ...areas,
    ["sdk/generated/functions/types.ts", `${HEADER}${declarations.join("\n")}`],
    [
      "sdk/generated/functions/index.ts",
      `${HEADER}${functionAreas.map(({ area }) => `export * from "./${area}";\n`).join("")}export type * from "./types";\n`,
    ],
  ]);
}

export function functionNamed(name: string): FunctionDefinition {
  const definition = findFunction(name);
  if (definition === undefined) throw new TypeError(`${name} is not a function`);
  return definition;
}

interface Types {
  readonly argument: Declarations;
  readonly result: Declarations;
}

function functionText(name: string, types: Types): string {
  const definition = functionNamed(name);
  const result = resultType(name, definition, types.result);
  const { args, given, initial } = argumentType(name, definition, types.argument);
  return `${comment(definition.description)}export function ${name}(args: ${args}${initial}, options?: InvokeOptions): Promise<${result}> {
  return invoke("${name}", args, options);
}

/** {@link ${name}} as an output. */
export function ${name}Output(args: ${given}${initial}, options?: InvokeOutputOptions): Output<${result}> {
  return invokeOutput("${name}", args, options);
}
`;
}

/** The output form of a function also takes outputs as arguments. */
function argumentType(name: string, { args }: FunctionDefinition, types: Declarations) {
  const fields = fieldsOf(args, "input");
  if (fields.length === 0) return { args: "NoArgs", given: "NoArgs", initial: " = {}" };
  const type = types.text({ is: "object", name: `${capitalised(name)}Args`, fields }, name);
  return { args: type, given: `OutputArgs<${type}>`, initial: fields.every(({ optional }) => optional) ? " = {}" : "" };
}

function resultType(name: string, { result }: FunctionDefinition, types: Declarations): string {
  const type = typeOf(result, "output");
  if (factsOf(result).typeName !== undefined || type.is !== "object") return types.text(type, "");
  return types.text({ ...type, name: `${capitalised(name)}Result` }, name);
}

function areaFile(text: string, types: readonly string[]): string {
  return [
    HEADER,
    importOf(text, ["InvokeOptions", "InvokeOutputOptions", "Output"], "@pulumi/pulumi", "type "),
    importOf(text, ["invoke", "invokeOutput", "type NoArgs", "type OutputArgs"], "../../internal/invoke"),
    importOf(text, types, "./types", "type "),
    `\n${text}`,
  ].join("");
}
