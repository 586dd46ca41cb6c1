import { z } from "zod";
import { variables } from "../../client";
import { functionNames } from "../../provider/functions";
import type { FunctionDefinition } from "../../provider/functions/definition";
import { COMMON_INPUTS } from "../../provider/lifecycle/definition";
import { factsOf } from "../../provider/lifecycle/fields/fields";
import { components } from "./components";
import { configuration, settingNames } from "./configuration";
import { type AnyDefinition, type AnyExample, definitions } from "./definitions";
import { goProgram } from "./exampleGo";
import { declaredIn } from "./exampleProgram";
import { pythonProgram } from "./examplePython";
import { exampleCode } from "./examples";
import { members, type Resource } from "./exampleValues";
import { yamlProgram } from "./exampleYaml";
import { functionNamed } from "./functions";
import { type Field, fieldsOf, typeOf } from "./model";
import { capitalised, type ObjectSpec, type PropertySpec, TypeSpecs } from "./specs";
import { argumentText, outputText, sourceText } from "./texts";

const PREFIX = "computecloud:index:";

export interface PackageFacts {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly homepage: string;
  /** Its address at GitHub. */
  readonly repository: { readonly url: string };
}

export type PackageSchema = ReturnType<typeof packageSchema>;

/** The package's schema for Pulumi's tools, generated from the definitions of kinds and functions. */
export function packageSchema({ version, description, license, keywords, homepage, repository }: PackageFacts) {
  const types = new TypeSpecs(PREFIX);
  const slug = repository.url.replace(/^.*github\.com\/|\.git$/g, "");
  const goModule = `github.com/${slug}/sdk/go`;
  const resources = Object.fromEntries(
    Object.values({ ...definitions, ...components }).map((definition) => [
      PREFIX + definition.kind,
      resource(definition, types, `${goModule}/computecloud`),
    ]),
  );
  const functions = Object.fromEntries(functionNames.map((name) => [PREFIX + name, invoke(name, types)]));
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
        importBasePath: `${goModule}/computecloud`,
        modulePath: goModule,
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

function argumentsOf({ inputs, keeps }: AnyDefinition): Field[] {
  const adoption = keeps === undefined ? fieldsOf(z.object({ adoptId: COMMON_INPUTS.adoptId }), "input") : [];
  return [...fieldsOf(inputs, "input"), ...adoption];
}

function argumentSpecs(definition: AnyDefinition, types: TypeSpecs): Readonly<Record<string, PropertySpec>> {
  const specs = argumentsOf(definition).map((field): [string, PropertySpec] => [
    field.name,
    types.property(field, definition.kind, argumentText(field, { nested: false })),
  ]);
  return Object.fromEntries(specs);
}

/**
 * An example in the languages that have it. Pulumi's generators leave each SDK those of its own language, by the name after
 * the fence, and nothing of an example that has none.
 */
function usage(definition: AnyDefinition, example: AnyExample, types: TypeSpecs, goSdk: string): string {
  const resources = declaredIn(definition, example).map(
    ({ definition, args, ...rest }): Resource => ({
      ...rest,
      kind: definition.kind,
      args: members(args, argumentSpecs(definition, types), types),
    }),
  );
  const programs = {
    typescript: exampleCode(definition, example),
    python: pythonProgram(resources),
    go: goProgram(resources, goSdk),
    yaml: yamlProgram(resources),
  };
  const blocks = Object.entries(programs).map(([language, code]) => `\`\`\`${language}\n${code}\`\`\``);
  // The heading is gone with the examples where a language has none.
  const heading = example === definition.examples[0] ? ["## Example Usage"] : [];
  return ["{{% example %}}", ...heading, `### ${example.title}`, ...blocks, "{{% /example %}}"].join("\n\n");
}

function resource(definition: AnyDefinition, types: TypeSpecs, goSdk: string) {
  const { kind, source, description, inputs, outputs, examples, isComponent } = definition;
  const inputProperties = argumentSpecs(definition, types);
  const inputFields = isComponent ? [] : fieldsOf(inputs, "output").filter(({ facts }) => facts.control !== true);
  const outputFields = fieldsOf(outputs, "output").filter(({ facts }) => facts.internal !== true);
  const properties = [
    ...Object.entries(inputProperties).filter(([argument]) => inputFields.some(({ name }) => name === argument)),
    ...outputFields.map((field) => [field.name, types.property(field, kind, outputText(field))] as const),
  ];
  const required = [
    ...inputFields.filter(({ optional, facts }) => !optional || facts.autoNamed),
    ...outputFields.filter(({ optional }) => !optional),
  ];
  const usages = examples.map((example) => usage(definition, example, types, goSdk));
  return {
    description: [description, sourceText(source), "{{% examples %}}", ...usages, "{{% /examples %}}"].join("\n\n"),
    properties: Object.fromEntries(properties),
    required: [...new Set(required.map(({ name }) => name))],
    inputProperties,
    requiredInputs: argumentsOf(definition).flatMap(({ name, optional }) => (optional ? [] : [name])),
    // `pulumi do` can list the resources of a kind whose schema has `listInputs`.
    ...(definition.list !== undefined && { listInputs: { type: "object", properties: {} } }),
    ...(isComponent
      ? { isComponent }
      : // A stack's dynamic resources become native ones without a replacement.
        { aliases: [{ type: `pulumi-nodejs:dynamic/computecloud:${kind}` }] }),
  };
}

function invoke(name: string, types: TypeSpecs) {
  const definition = functionNamed(name);
  const { description, args, result } = definition;
  const title = capitalised(name.replace(/^get/, ""));
  const inputs = types.object(fieldsOf(args, "input"), title, (field) => argumentText(field, { nested: true }));
  return { description, inputs, outputs: outputsOf(definition, factsOf(result).typeName ?? title, types) };
}

function outputsOf({ result, secrets = [] }: FunctionDefinition, name: string, types: TypeSpecs): ObjectSpec {
  const type = typeOf(result, "output");
  const fields: readonly Field[] = type.is === "object" ? type.fields : [];
  return types.object(fields, name, outputText, secrets);
}
