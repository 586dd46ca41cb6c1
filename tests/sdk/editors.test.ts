// @slow: TypeScript's language service.
/* What an editor shows of the types that are shipped: texts on hover, names between quotes, and mistakes. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { findFunction, functionNames } from "../../provider/functions";
import { checkout } from "../../tools/run/environment";
import { type AnyDefinition, definitions } from "../../tools/schema/definitions";
import { fieldsOf, type Type, typeOf } from "../../tools/schema/model";
import { argumentText } from "../../tools/schema/texts";

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  module: ts.ModuleKind.Node20,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  target: ts.ScriptTarget.ES2023,
  types: ["node"],
  skipLibCheck: true,
};

/** A program in an editor, with places in it that the test asks about: by TypeScript's own service, as VS Code asks it. */
class Editor {
  readonly #places = new Map<string, number>();
  #text = 'import * as computecloud from "pulumi-computecloud";\n';
  readonly #file = join(checkout, "tests/sdk/inAnEditor.ts");
  readonly #service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => OPTIONS,
    getCurrentDirectory: () => checkout,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    // All that is asked about is written before the first question.
    getProjectVersion: () => "1",
    getScriptFileNames: () => [this.#file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const text = name === this.#file ? this.#text : ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
  });

  /** @param line holds the place as `|`, which the program does not; by default it is the line itself */
  write(place: string, line: string): void {
    this.#places.set(place, this.#text.length + Math.max(0, line.indexOf("|")));
    this.#text += `${line.replace("|", "")}\n`;
  }

  close(): void {
    this.#service.dispose();
  }

  /** The text on hover. */
  hover(place: string): string {
    const info = this.#service.getQuickInfoAtPosition(this.#file, this.#at(place));
    return ts.displayPartsToString(info?.documentation).replaceAll(/\s+/g, " ");
  }

  /** What is offered. */
  offers(place: string): string[] {
    const completions = this.#service.getCompletionsAtPosition(this.#file, this.#at(place), {});
    return (completions?.entries ?? []).map(({ name }) => name);
  }

  /** The errors underlined in the place's line. */
  errors(place: string): string[] {
    const lineAt = (position: number) => this.#text.slice(0, position).split("\n").length;
    const line = lineAt(this.#at(place));
    return this.#service
      .getSemanticDiagnostics(this.#file)
      .filter(({ start = 0 }) => lineAt(start) === line)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  }

  #at(place: string): number {
    const position = this.#places.get(place);
    if (position === undefined) throw new Error(`nothing was written about ${place}`);
    return position;
  }
}

interface Within {
  readonly path: string;
  readonly inner: string;
  readonly values: readonly string[];
}

function within(name: string, type: Type): Within[] {
  return into(type).map(({ path, inner, values }) => ({
    path: path === "" ? name : `${name}.${path}`,
    inner: `{ ${name}: ${inner} }`,
    values,
  }));
}

function into(type: Type): Within[] {
  switch (type.is) {
    case "choice":
      return [{ path: "", inner: '"|"', values: type.values }];
    case "list":
      return into(type.of).map((each) => ({ ...each, inner: `[${each.inner}]` }));
    case "map":
      return into(type.of).map((each) => ({ ...each, inner: `{ any: ${each.inner} }` }));
    case "object":
      return type.fields.flatMap((field) => within(field.name, field.type));
    case "union":
      return type.of.flatMap(into);
    default:
      return [];
  }
}

const kinds = Object.values(definitions);

/** A kind's arguments and outputs, as `PodArgs.image` and `Pod.image`. */
function membersOf({ kind, inputs, shows, outputs, takes: [taken] = [] }: AnyDefinition): string[] {
  // An endpoint or a pod that is passed as a whole brings what is left out here.
  const brought = taken?.argument === "endpoint" ? /^(__|endpoint(Revision|Type)$|podImage$)/ : /^__/;
  const argumentFields = fieldsOf(inputs, "input").filter(({ name }) => !brought.test(name));
  const outputFields = fieldsOf(outputs, "output").filter(({ facts }) => facts.internal !== true);
  return [
    ...argumentFields.map(({ name }) => `${kind}Args.${name}`),
    ...[...shows, ...outputFields.map(({ name }) => name)].map((name) => `${kind}.${name}`),
  ];
}

/** What stands in an object at any depth, as `pod.ssh?.proxy`. Which member of a union it is, a program asks first. */
function properties(type: Type, path: string): string[] {
  switch (type.is) {
    case "list":
      return properties(type.of, `${path}?.[0]`);
    case "map":
      return properties(type.of, `${path}?.any`);
    case "object":
      return type.fields.flatMap((field) => {
        const place = `${path}?.${field.name}`;
        return [place, ...properties(field.type, place)];
      });
    default:
      return [];
  }
}

const functions = functionNames.map((name) => {
  const { args, result } = findFunction(name) ?? {};
  return {
    name,
    places: [
      ...(args === undefined ? [] : properties(typeOf(args, "input"), `${name}Args`)),
      ...(result === undefined ? [] : properties(typeOf(result, "output"), name)),
    ],
  };
});
/** Arguments with known values, such as `Pod gpu.id`, each in a program with the cursor between the quotes. */
const knownArguments = kinds.flatMap(({ kind, inputs }) =>
  fieldsOf(inputs, "input")
    .filter(({ name }) => !name.startsWith("__"))
    .flatMap(({ name, type }) => within(name, type))
    .map(({ path, inner, values }) => {
      return { place: `${kind} ${path}`, line: `new computecloud.${kind}("x", ${inner});`, values };
    }),
);

/** What beginners write, and what the editor says about it. What types can't tell, the preview does. */
const mistakes = [
  [
    "a misspelled argument",
    'new computecloud.ServerlessEndpoint("x", { template, gpuIds: "ADA_24", workerMax: 3 });',
    "Object literal may only specify known properties, but 'workerMax' does not exist in type 'OwnServerlessEndpointArgs & " +
      "{ template: RevisedTemplate; templateId?: undefined; }'. Did you mean to write 'workersMax'?",
  ],
  [
    "a number as text",
    'new computecloud.ServerlessEndpoint("x", { template, gpuIds: "ADA_24", workersMax: "3" });',
    "Type 'string' is not assignable to type 'Input<number> | undefined'.",
  ],
  [
    "both of two exclusive arguments",
    'new computecloud.SmokeJob("x", { endpoint, endpointId: "4kqwe7f0", input: {} });',
    "Type 'string' is not assignable to type 'undefined'.",
  ],
  [
    "a request to two places",
    'new computecloud.SmokeRequest("x", { endpoint, url: "https://example.com" });',
    "Type 'string' is not assignable to type 'undefined'.",
  ],
  [
    "an argument too few",
    'new computecloud.NetworkVolume("x", { size: 10 });',
    "Property 'dataCenter' is missing in type '{ size: number; }' but required in type 'NetworkVolumeArgs'.",
  ],
  [
    "an output for a plain name",
    "fleet.endpoint(endpoint.id);",
    "Argument of type 'Output<string>' is not assignable to parameter of type 'string'.",
  ],
  [
    "a template for its id",
    'new computecloud.ServerlessEndpoint("x", { templateId: template, gpuIds: "ADA_24" });',
    "Type 'Template' is not assignable to type 'Input<string> | undefined'.",
  ],
  [
    "an id for the endpoint itself",
    'new computecloud.SmokeJob("x", { endpoint: endpoint.id, input: {} });',
    "Type 'Output<string>' is not assignable to type 'RevisedEndpoint | undefined'.",
  ],
  [
    "a template for an endpoint",
    'new computecloud.SmokeJob("x", { endpoint: template, input: {} });',
    "Property 'type' is missing in type 'Template' but required in type 'RevisedEndpoint'.",
  ],
  [
    "an endpoint for a template",
    'new computecloud.ServerlessEndpoint("x", { template: endpoint, gpuIds: "ADA_24" });',
    "Type 'ServerlessEndpoint' is not assignable to type 'RevisedTemplate'.",
  ],
  [
    "neither a template nor its id",
    'new computecloud.ServerlessEndpoint("x", { gpuIds: "ADA_24" });',
    `Property 'template' is missing in type '{ gpuIds: "ADA_24"; }' but required in type ` +
      "'{ template: RevisedTemplate; templateId?: undefined; }'.",
  ],
  [
    "a part of a job beside a gate's request",
    'new computecloud.GatedEndpoint("x", { ...worker, image: "a:1", gate: { request: { path: "/" }, expect: {} } });',
    "Type '{ request: { path: string; }; expect: {}; }' is not assignable to type 'MeasuringGateArgs | RequestGateArgs'.",
  ],
  [
    "a GPU's id for the object around it",
    'new computecloud.Pod("x", { image: "a:1", gpu: "NVIDIA L4" });',
    "Type 'string' is not assignable to type 'Input<PodGpuArgs> | undefined'.",
  ],
  [
    "a part of scaling outside of it",
    'new computecloud.ServerlessContainer("x", { ...worker, queueDelay: 4 });',
    "Object literal may only specify known properties, and 'queueDelay' does not exist in type 'ServerlessContainerArgs'.",
  ],
  [
    "a part of the other kind of scaling",
    'new computecloud.ServerlessContainer("x", { ...worker, scaling: { type: "QUEUE_DELAY", requestCount: 4 } });',
    `Type '"QUEUE_DELAY"' is not assignable to type 'Input<"REQUEST_COUNT">'.`,
  ],
  [
    "an unknown choice",
    'new computecloud.NetworkVolume("x", { size: 10, dataCenter: "EU-RO-1", type: "FAST" });',
    `Type '"FAST"' is not assignable to type 'Input<VolumeType> | undefined'.`,
  ],
  [
    "a misspelled choice",
    'new computecloud.ServerlessEndpoint("x", { template, gpuIds: "ADA_24", scalerType: "QUEUE_DELAYS" });',
    `Type '"QUEUE_DELAYS"' is not assignable to type 'Input<ScalerType> | undefined'. Did you mean '"QUEUE_DELAY"'?`,
  ],
] as const;

describe("an editor", () => {
  const editor = new Editor();

  beforeAll(() => {
    for (const each of kinds) {
      const { kind } = each;
      editor.write(kind, `declare const ${kind}: computecloud.|${kind}, ${kind}Args: computecloud.${kind}Args;`);
      for (const place of membersOf(each)) editor.write(place, `${place.replace(".", ".|")};`);
    }
    for (const { name, places } of functions) {
      const answer = `Awaited<ReturnType<typeof computecloud.${name}>>`;
      const args = `Parameters<typeof computecloud.${name}>[0]`;
      editor.write(name, `declare const |${name}: ${answer}, ${name}Args: ${args};`);
      for (const place of places) editor.write(place, `${place.replace(/(?<=\.)(?=\w+$)/, "|")};`);
    }
    for (const { place, line } of knownArguments) editor.write(place, line);
    editor.write(
      "mistakes",
      "declare const template: computecloud.Template, endpoint: computecloud.ServerlessEndpoint, " +
        "fleet: computecloud.ServerlessFleet, worker: computecloud.ServerlessContainerArgs;",
    );
    for (const [place, line] of mistakes) editor.write(place, line);
  });
  afterAll(() => editor.close());

  /** Places without a text on hover. */
  const silent = (places: readonly string[]) => places.filter((place) => !/\w/.test(editor.hover(place)));

  test.each(mistakes)("says what is wrong with %s", (place, _, line) => {
    // Where an argument lacks or excludes another, TypeScript's first line repeats all of them: the last one says which.
    const messages = editor.errors(place).map((text) =>
      text
        .split("\n")
        .at(/^Argument of type '{/.test(text) ? -1 : 0)
        ?.trim(),
    );
    expect(messages).toEqual([line]);
  });

  test.each(kinds.map((each) => [each.kind, each] as const))(
    "shows a text for each argument and output of %s",
    (_, each) => expect(silent(membersOf(each))).toEqual([]),
  );

  test.each(functions)("shows a text for each argument of $name, and for all that it answers", ({ places }) =>
    expect(silent(places)).toEqual([]),
  );

  test("says of each argument what is taken when it is left out, and what a change of it does", () => {
    const silent = kinds.flatMap(({ kind, inputs }) =>
      fieldsOf(inputs, "input")
        .filter(({ name }) => !name.startsWith("__"))
        .flatMap((field) => {
          const text = argumentText(field, { nested: false });
          const tellsDefault = !field.optional || /\b(default|required|exactly one)\b/i.test(text);
          const tellsEffect =
            /in place|replaces|refused|updates nothing|changes nothing|change|runs (it|the job) again/i;
          return tellsDefault && tellsEffect.test(text) ? [] : [`${kind}.${field.name}: ${text}`];
        }),
    );
    expect(silent).toEqual([]);
  });

  test("offers GPU types, pools, data centers and every other known value between the quotes", () => {
    const some = {
      Pod: ["gpu.id", "gpuAlternatives", "cloud", "dataCenterIds", "cpu.id"],
      Cluster: ["compute.gpuTypeId"],
      NetworkVolume: ["dataCenter", "type"],
      ServerlessContainer: ["gpu.pools", "gpu.excludedTypes", "scaling.type"],
      ServerlessEndpoint: ["gpuIds", "locations", "flashBootType"],
    };
    const places = Object.entries(some).flatMap(([kind, paths]) => paths.map((path) => `${kind} ${path}`));
    expect(knownArguments.map(({ place }) => place)).toEqual(expect.arrayContaining(places));
    for (const { place, values } of knownArguments) {
      const offered = editor.offers(place);
      expect([place, values.filter((value) => !offered.includes(value))]).toEqual([place, []]);
    }
  });
});
