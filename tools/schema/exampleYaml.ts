import { stringify } from "yaml";
import { type Resource, secretsIn, type Value } from "./exampleValues";

export function yamlProgram(resources: readonly Resource[]): string {
  const secrets = secretsIn(resources).map((key) => [key, { type: "string", secret: true }]);
  const declared = resources.map(({ kind, variable, name, isUsed, args }) => {
    const properties = mapped(args);
    // A resource and a secret can't bear the same name.
    return [
      isUsed ? variable : name,
      { type: `computecloud:${kind}`, ...(Object.keys(args).length > 0 && { properties }) },
    ];
  });
  const program = {
    ...(secrets.length > 0 && { config: Object.fromEntries(secrets) }),
    resources: Object.fromEntries(declared),
  };
  return stringify(program, { lineWidth: 0 });
}

function plain(value: Value): unknown {
  switch (value.is) {
    case "output":
      return `\${${value.of}.${value.name}}`;
    case "secret":
      return `\${${value.key}}`;
    case "json":
      return { "fn::toJSON": value.json };
    case "scalar":
      return value.value;
    case "list":
      return value.items.map(plain);
    default:
      return mapped(value.members);
  }
}

function mapped(members: Readonly<Record<string, Value>>): object {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, plain(value)]));
}
