import { grouped } from "./exampleProgram";
import { type Members, type Resource, secretsIn, type Value } from "./exampleValues";
import { capitalised } from "./specs";

const PULUMI = "github.com/pulumi/pulumi/sdk/v3/go/pulumi";
/** The names that Pulumi's package has for the schema's types. */
const SCALARS: Readonly<Record<string, string>> = {
  string: "String",
  integer: "Int",
  number: "Float64",
  boolean: "Bool",
};

/** An example as a Go program, as gofmt leaves it. */
export function goProgram(resources: readonly Resource[], sdk: string): string {
  const hasSecrets = secretsIn(resources).length > 0;
  const imports = [sdk, PULUMI, ...(hasSecrets ? [`${PULUMI}/config`] : [])];
  const last = resources.length - 1;
  const statements = resources.flatMap(({ kind, variable, name, args, isUsed }, at) => [
    `\t\t${isUsed ? variable : "_"}, err ${isUsed || at === 0 ? ":=" : "="} computecloud.New${kind}(ctx, ` +
      `${JSON.stringify(name)}, ${struct(`${kind}Args`, args, 2)})`,
    "\t\tif err != nil {\n\t\t\treturn err\n\t\t}",
    ...(at === last ? ["\t\treturn nil"] : []),
  ]);
  return [
    "package main\n",
    `import (\n${imports.map((path) => `\t"${path}"\n`).join("")})\n`,
    "func main() {",
    "\tpulumi.Run(func(ctx *pulumi.Context) error {",
    ...(hasSecrets ? ['\t\tcfg := config.New(ctx, "")'] : []),
    ...statements,
    "\t})",
    "}\n",
  ].join("\n");
}

function text(value: Value, depth: number): string {
  switch (value.is) {
    case "output":
      return `${value.of}.${value.name === "id" ? "ID()" : capitalised(value.name)}`;
    case "secret":
      return `cfg.RequireSecret(${JSON.stringify(value.key)})`;
    case "json":
      return `pulumi.String(\`${JSON.stringify(value.json)}\`)`;
    case "scalar":
      return `${typeName(value.type)}(${JSON.stringify(value.value)})`;
    case "list": {
      const items = value.items.map((item) => text(item, depth + 1));
      return print(`${typeName(value.type)}Array{`, items, depth);
    }
    case "map": {
      const entries = Object.entries(value.members);
      const keyed = entries.map(([key, each]): [string, string] => [JSON.stringify(key), text(each, depth + 1)]);
      return print(`${typeName(value.type)}Map{`, aligned(keyed), depth);
    }
    case "object":
      return struct(`${value.type}Args`, value.members, depth);
  }
}

function struct(type: string, members: Members, depth: number): string {
  const fields = Object.entries(members);
  const keyed = fields.map(([name, each]): [string, string] => [capitalised(name), text(each, depth + 1)]);
  return print(`&computecloud.${type}{`, aligned(keyed), depth);
}

function typeName(type: string): string {
  const scalar = SCALARS[type];
  return scalar === undefined ? `computecloud.${type}` : `pulumi.${scalar}`;
}

/** gofmt aligns the values of neighbouring lines; on one line it takes a single space. */
function aligned(members: readonly (readonly [key: string, text: string])[]): string[] {
  const isLong = members.map(([, text]) => text.includes("\n"));
  return members.map(([key, text], at) => {
    if (isLong[at]) return `${key}: ${text}`;
    const end = isLong.indexOf(true, at);
    const lines = members.slice(isLong.lastIndexOf(true, at) + 1, end < 0 ? undefined : end);
    return `${`${key}:`.padEnd(Math.max(...lines.map(([key]) => key.length)) + 1)} ${text}`;
  });
}

function print(open: string, members: readonly string[], depth: number): string {
  const one = members.map((member) => member.replace(/^([^\s:]+:) +/, "$1 "));
  const line = grouped({ open, close: "}", members: one, indent: "\t", depth, width: 90 });
  return line.includes("\n") ? grouped({ open, close: "}", members, indent: "\t", depth, width: 0 }) : line;
}
