import { type AnyDefinition, definitions } from "./definitions";
import { exampleCode } from "./examples";
import { type Field, fieldsOf, typeOf } from "./model";
import { argumentText, outputText, sourceAddress } from "./texts";
import { comment, type Declaration, Declarations, HEADER, importOf } from "./typescript";

/** The classes that programs use, one file a kind, and the types that several kinds share. */
export function classes(): Map<string, string> {
  const kinds = Object.entries(definitions).map(([provider, definition]) => describeKind(provider, definition));
  const all = kinds.flatMap(({ declarations }) => declarations);
  const byName = Map.groupBy(all, ({ name }) => name);
  const shared = new Map(all.flatMap((each) => (byName.get(each.name)?.[1] ? [[each.name, each]] : [])));
  // Types that a shared type refers to must be in the same file.
  for (const each of all) if ([...shared.values()].some(({ uses }) => uses.has(each.name))) shared.set(each.name, each);
  const types = [...shared.values()].map(({ text }) => text).join("\n");
  return new Map([
    ["sdk/generated/types.ts", `${HEADER}import type { Input } from "@pulumi/pulumi";\n\n${types}`],
    [
      "sdk/generated/kinds.ts",
      `${HEADER}${[...kinds.map(({ provider }) => provider), "types"].map((file) => `export * from "./${file}";\n`).join("")}`,
    ],
    ...kinds.map((kind): [string, string] => [`sdk/generated/${kind.provider}.ts`, kindFile(kind, shared)]),
  ]);
}

interface KindText {
  readonly provider: string;
  readonly declarations: readonly Declaration[];
  readonly body: string;
}

function describeKind(provider: string, definition: AnyDefinition): KindText {
  const argumentTypes = new Declarations("argument");
  const plainTypes = new Declarations("plain");
  const resultTypes = new Declarations("result");
  const body = `${argumentsText(definition, { argument: argumentTypes, plain: plainTypes })}\n${classText(provider, definition, resultTypes)}`;
  const declarations = new Map(
    [...argumentTypes.all(), ...plainTypes.all(), ...resultTypes.all()].map((each) => [each.name, each]),
  );
  return { provider, declarations: [...declarations.values()], body };
}

/** Types of arguments, written by hand, in whose place a class takes resources. They exclude ids, and pods and addresses. */
const TARGETS = ["EndpointOrId", "RequestTarget"] as const;

function targetOf({ takes = [] }: AnyDefinition): (typeof TARGETS)[number] | undefined {
  const taken = new Set(takes.map(({ argument }) => argument));
  return taken.has("pod") ? "RequestTarget" : taken.has("endpoint") ? "EndpointOrId" : undefined;
}

/** Arguments that are in that type, or that a resource in it brings. */
const OF_TARGETS = /^(endpoint(Id|Revision|Type)|pod(Id|Image)|port|url)$/;

function kindFile({ declarations, body }: KindText, shared: ReadonlyMap<string, Declaration>): string {
  const unshared = declarations.filter(({ name }) => !shared.has(name)).map(({ text }) => `${text}\n`);
  const text = unshared.join("") + body;
  const types = declarations.filter(({ name }) => shared.has(name)).map(({ name }) => name);
  return [
    HEADER,
    importOf(text, ["CustomResourceOptions", "Input", "Output"], "@pulumi/pulumi", "type "),
    importOf(text, TARGETS, "../internal/endpoint", "type "),
    importOf(text, ["ComputeCloudFleet"], "../internal/fleet"),
    importOf(text, ["type CommonArgs", "ComputeCloudResource", "type RevisedTemplate"], "../internal/resource"),
    importOf(text, types.sort(), "./types", "type "),
    `\n${text}`,
  ].join("");
}

interface ArgumentTypes {
  readonly argument: Declarations;
  readonly plain: Declarations;
}

function argumentsText(definition: AnyDefinition, declarations: ArgumentTypes): string {
  const { kind, inputs, takes: [template] = [], keeps } = definition;
  const fields = fieldsOf(inputs, "input");
  const target = targetOf(definition);
  if (target !== undefined) {
    const ownFields = fields.filter(({ name }) => !OF_TARGETS.test(name));
    const members = ownFields.map((field) => argument(field, kind, declarations)).join("");
    return `interface Own${kind}Args {\n${members}}\n\nexport type ${kind}Args = Own${kind}Args & ${target};\n`;
  }
  const id = template && `${template.argument}Id`;
  const members = fields.map((field) => ({ ...field, text: argument(field, kind, declarations) }));
  const resource = (mark: "" | "?") =>
    template ? `${comment(template.description, "  ")}  ${template.argument}${mark}: RevisedTemplate;\n` : "";
  // A kind that keeps other resources is not adopted itself: each of those is.
  const head = `${kind}Args${keeps === undefined ? " extends CommonArgs" : ""} {\n`;
  if (template?.isRequired === undefined) {
    const texts = members.map(({ name, text }) => (name === id ? resource("?") : "") + text);
    return `export interface ${head}${texts.join("")}}\n`;
  }
  const others = members.filter(({ name }) => name !== id).map(({ text }) => text);
  const byId = members.find(({ name }) => name === id)?.text.replace("?:", ":");
  return [
    `interface Own${head}${others.join("")}}\n`,
    `export type ${kind}Args = Own${kind}Args &`,
    `  ({\n${byId}  ${template.argument}?: undefined;\n} | {\n${resource("")}  ${id}?: undefined;\n});\n`,
  ].join("\n");
}

function argument(field: Field, kind: string, { argument: inputTypes, plain: plainTypes }: ArgumentTypes): string {
  const { json: plain } = field.facts;
  if (plain === undefined) return inputTypes.members([field], kind, false);
  // A plain value is passed on as a whole, so its parts can't be outputs of their own.
  const type = plainTypes.text(typeOf(plain, "input"), kind);
  const text = comment(argumentText(field, { nested: false }), "  ");
  return `${text}  ${field.name}${field.optional ? "?" : ""}: Input<${type}>;\n`;
}

function classText(provider: string, definition: AnyDefinition, declarations: Declarations): string {
  const { kind, source, description, inputs, outputs, shows, examples, takes: [taken] = [], keeps } = definition;
  const inputFields = fieldsOf(inputs, "output");
  const visibleFields = inputFields.filter(({ name }) => shows.includes(name));
  const outputFields = fieldsOf(outputs, "output").filter(({ facts }) => facts.internal !== true);
  const propertyFields = [...visibleFields, ...outputFields];
  const properties = propertyFields.map((field) => {
    const type = declarations.text(field.type, kind + field.name.charAt(0).toUpperCase() + field.name.slice(1));
    const isOptional = field.optional && !field.facts.autoNamed;
    return `${comment(outputText(field), "  ")}  declare readonly ${field.name}: Output<${type}${isOptional ? " | undefined" : ""}>;\n`;
  });
  const names = (fields: readonly Field[]) => JSON.stringify([...new Set(fields.map(({ name }) => name))]);
  const json = inputFields.filter(({ facts }) => facts.json);
  const secrets = [...inputFields, ...outputFields].filter(({ facts }) => facts.secret);
  const secretParts = json.flatMap(({ name, facts }) => (facts.secretParts ? [[name, facts.secretParts]] : []));
  const follows = outputFields.flatMap(({ name, facts }) =>
    facts.secretWith ? [{ output: name, inputs: facts.secretWith }] : [],
  );
  const facts = [
    `provider: "${provider}"`,
    `type: "${kind}"`,
    `outputs: ${names(propertyFields)}`,
    ...(secrets.length === 0 ? [] : [`secrets: ${names(secrets)}`]),
    ...(inputFields.some(({ facts }) => facts.autoNamed) || keeps !== undefined ? [] : ["named: false"]),
    ...(taken?.argument === "template"
      ? [`takesTemplate: "${taken.byId === "follows" ? "follows" : "onRequest"}"`]
      : []),
    ...(targetOf(definition) === undefined ? [] : ["takesEndpoint: true"]),
    ...(keeps === undefined ? [] : ["keeps: true"]),
    ...(definition.deletesFirst === undefined ? [] : [`deletesFirst: "${definition.deletesFirst}"`]),
    ...(definition.adoption === "none" && keeps === undefined ? ["leavesNothing: true"] : []),
    ...(json.length === 0 ? [] : [`json: ${names(json)}`]),
    ...(secretParts.length === 0 ? [] : [`secretParts: ${JSON.stringify(Object.fromEntries(secretParts))}`]),
    ...follows.map((each) => `secretWith: ${JSON.stringify(each)}`),
  ];
  const usage = examples.map(({ title, ...example }) => {
    const code = exampleCode(definition, { title, ...example }).trimEnd();
    return `\n\n@example ${title}\n\`\`\`ts\n${code}\n\`\`\``;
  });
  const see = `@see ${sourceAddress(source)} (${source.operation})`;
  return `${comment(`${description}${usage.join("")}\n\n${see}`)}export class ${kind} extends ${keeps === undefined ? "ComputeCloudResource" : "ComputeCloudFleet"} {
${properties.join("")}
  constructor(name: string, args: ${kind}Args, options?: CustomResourceOptions) {
    super({ ${facts.join(", ")} }, name, args, options);
  }
}
`;
}
