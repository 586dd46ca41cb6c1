import { z } from "zod";
import { variables } from "../client/settings";
import { findFunction, functionNames } from "../functions";
import type { FunctionDefinition } from "../functions/definition";
import { COMMON_INPUTS } from "../lifecycle/definition";
import { nameOf } from "../lifecycle/fields";
import { components } from "./components";
import { configuration, settingNames } from "./configuration";
import { type AnyDefinition, definitions } from "./definitions";
import { exampleCode } from "./examples";
import { type Field, fieldsOf, typeOf } from "./model";
import { capitalised, type ObjectSpec, type PropertySpec, TypeSpecs } from "./specs";
import { argumentText, outputText } from "./texts";

const PREFIX = "computecloud:index:";

/** Facts of the package.json. */
export interface PackageFacts {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly homepage: string;
  /** Its address at GitHub. */
  readonly repository: { readonly url: string };
}

/** The package's schema for Pulumi's tools, generated from the definitions of kinds and functions. */
export function packageSchema(
  { version, description, license, keywords, homepage, repository }: PackageFacts,
  all: Readonly<Record<string, AnyDefinition>> = definitions,
): object {
  const types = new TypeSpecs(PREFIX);
  const resources = Object.fromEntries(
    Object.values({ ...all, ...components }).map((definition) => [
      PREFIX + definition.kind,
      resource(definition, types),
    ]),
  );
  const functions = Object.fromEntries(functionNames.map((name) => [PREFIX + name, invoke(name, types)]));
  const slug = repository.url.replace(/^.*github\.com\/|\.git$/g, "");
  return {
    name: "computecloud",
    displayName: "Compute Cloud",
    version,
    description,
    keywords: [...new Set([...keywords, "category/cloud", "kind/native"])],
    homepage,
    repository: `https://github.com/${slug}`,
    publisher: slug.split("/")[0],
    logoUrl: `https://raw.githubusercontent.com/${slug}/main/docs/logo.svg`,
    license,
    // The engine downloads the plugin from the releases.
    pluginDownloadURL: `github://api.github.com/${slug}`,
    // `supportPack` adds a go.mod to the SDK of Go, as `pulumi package add` does.
    meta: { moduleFormat: "(.*)", supportPack: true },
    language: {
      // NuGet reserves names that begin with `Pulumi.` for Pulumi.
      csharp: { rootNamespace: "PulumiComputeCloud", respectSchemaVersion: true },
      go: {
        generateResourceContainerTypes: true,
        importBasePath: `github.com/${slug}/sdk/go/computecloud`,
        modulePath: `github.com/${slug}/sdk/go`,
        respectSchemaVersion: true,
      },
      nodejs: { packageName: "pulumi-computecloud", respectSchemaVersion: true },
      python: { packageName: "pulumi_computecloud", pyproject: { enabled: true }, respectSchemaVersion: true },
    },
    config: { variables: configurationSpecs() },
    provider: {
      description: "The service and the account. What is left out comes from the environment.",
      // Without defaults from the environment, because an SDK would put them into the state. The plugin reads the
      // environment itself.
      inputProperties: withoutDefaults(configurationSpecs()),
    },
    types: types.all(),
    resources,
    functions,
  };
}

function configurationSpecs(): Readonly<Record<string, PropertySpec>> {
  return Object.fromEntries(
    settingNames.map((name): [string, PropertySpec] => {
      const { type, description, secret } = configuration[name];
      // No SDK can read a list from a variable; the plugin can.
      if (type === "strings") return [name, { type: "array", items: { type: "string" }, description }];
      const defaultInfo = { environment: [variables[name]] };
      return [name, { type, description, ...(secret && { secret }), defaultInfo }];
    }),
  );
}

function withoutDefaults(specs: Readonly<Record<string, PropertySpec>>): Readonly<Record<string, PropertySpec>> {
  return Object.fromEntries(Object.entries(specs).map(([name, { defaultInfo: _, ...spec }]) => [name, spec]));
}

function resource(definition: AnyDefinition, types: TypeSpecs): object {
  const { kind, description, inputs, outputs, examples, keeps, isComponent } = definition;
  const adoption = keeps === undefined ? fieldsOf(z.object({ adoptId: COMMON_INPUTS.adoptId }), "input") : [];
  const args = [...fieldsOf(inputs, "input"), ...adoption];
  const given = isComponent ? [] : fieldsOf(inputs, "output").filter(({ facts }) => facts.control !== true);
  const made = fieldsOf(outputs, "output").filter(({ facts }) => facts.internal !== true);
  const properties = new Map<string, PropertySpec>();
  const required = new Set<string>();
  for (const field of given) {
    const argument = args.find(({ name }) => name === field.name) ?? field;
    properties.set(field.name, types.property(argument, kind, argumentText(argument, { nested: false })));
    if (!field.optional || field.facts.autoNamed) required.add(field.name);
  }
  for (const field of made) {
    properties.set(field.name, types.property(field, kind, outputText(field)));
    if (!field.optional) required.add(field.name);
  }
  const usage = examples.map(
    (example) => `### ${example.title}\n\n\`\`\`typescript\n${exampleCode(definition, example)}\`\`\``,
  );
  return {
    description: [description, "## Example Usage", ...usage].join("\n\n"),
    properties: Object.fromEntries(properties),
    required: [...required],
    inputProperties: Object.fromEntries(
      args.map((field) => [field.name, types.property(field, kind, argumentText(field, { nested: false }))]),
    ),
    requiredInputs: args.filter(({ optional }) => !optional).map(({ name }) => name),
    // `pulumi do` can list the resources of a kind whose schema has `listInputs`.
    ...(definition.list !== undefined && { listInputs: { type: "object", properties: {} } }),
    ...(isComponent
      ? { isComponent }
      : // A stack's dynamic resources become native ones without a replacement.
        { aliases: [{ type: `pulumi-nodejs:dynamic/computecloud:${kind}` }] }),
  };
}

function invoke(name: string, types: TypeSpecs): object {
  const definition = findFunction(name);
  if (definition === undefined) throw new TypeError(`${name} is not a function`);
  const { description, args, result } = definition;
  const title = capitalised(name.replace(/^get/, ""));
  const inputs = types.object(fieldsOf(args, "input"), title, (field) => argumentText(field, { nested: true }));
  return { description, inputs, outputs: outputsOf(definition, nameOf(result) ?? title, types) };
}

function outputsOf({ result, secrets = [] }: FunctionDefinition, name: string, types: TypeSpecs): ObjectSpec {
  const type = typeOf(result, "output");
  const fields: readonly Field[] = type.is === "object" ? type.fields : [];
  return types.object(fields, name, outputText, secrets);
}
