import { grouped } from "./exampleProgram";
import { type Members, type Resource, secretsIn, type Value } from "./exampleValues";

export function pythonProgram(resources: readonly Resource[]): string {
  const lines = resources.map((resource) => {
    const call = print("()", [JSON.stringify(resource.name), ...keywords(resource.args)], 0);
    return `${snakeCase(resource.variable)} = cloud.${resource.kind}${call}`;
  });
  const code = lines.join("\n");
  const hasSecrets = secretsIn(resources).length > 0;
  return [
    ...(code.includes("json.dumps(") ? ["import json"] : []),
    ...(hasSecrets ? ["import pulumi"] : []),
    "import pulumi_computecloud as cloud\n",
    ...(hasSecrets ? ["config = pulumi.Config()"] : []),
    `${code}\n`,
  ].join("\n");
}

function keywords(args: Members): string[] {
  return Object.entries(args).map(([name, value]) => `${snakeCase(name)}=${text(value, 1)}`);
}

function text(value: Value, depth: number): string {
  switch (value.is) {
    case "output":
      return `${snakeCase(value.of)}.${snakeCase(value.name)}`;
    case "secret":
      return `config.require_secret(${JSON.stringify(value.key)})`;
    case "json":
      return `json.dumps(${literal(value.json, depth)})`;
    case "scalar":
      return literal(value.value, depth);
    case "list": {
      const items = value.items.map((item) => text(item, depth + 1));
      return print("[]", items, depth);
    }
    default: {
      const key = value.is === "object" ? snakeCase : (name: string) => name;
      const entries = Object.entries(value.members);
      const members = entries.map(([name, each]) => `${JSON.stringify(key(name))}: ${text(each, depth + 1)}`);
      return print("{}", members, depth);
    }
  }
}

/** JSON differs from Python in these words alone. */
function literal(value: unknown, depth: number): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => {
    const text = literal(each, depth + 1);
    return Array.isArray(value) ? text : `${JSON.stringify(key)}: ${text}`;
  });
  return print(Array.isArray(value) ? "[]" : "{}", members, depth);
}

function print([open = "", close = ""]: string, members: readonly string[], depth: number): string {
  return grouped({ open, close, members, indent: "    ", depth, width: 70 });
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
