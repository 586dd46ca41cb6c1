// @slow: starts TypeScript's language service.
/* What an editor shows of the types that are shipped: texts on hover, and names between quotes. */
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { findFunction, functionNames } from "../../provider/functions";
import { type AnyDefinition, definitions } from "../../provider/schema/definitions";
import { type Field, fieldsOf, type Type, typeOf } from "../../provider/schema/model";
import { checkout } from "../harness/checkout";

interface Schema {
  readonly resources: Readonly<
    Record<string, { readonly inputProperties: Readonly<Record<string, { readonly description?: string }>> }>
  >;
}

const { resources } = require("../../schema.json") as Schema;

/** A program in an editor, with places in it that the test asks about. */
class Editor {
  readonly #places = new Map<string, number>();
  #text = 'import * as computecloud from "pulumi-computecloud";\n';
  readonly #file = join(checkout, "tests/sdk/inAnEditor.ts");
  #service: ts.LanguageService | undefined;

  /** @param line holds the place as `|`, which the program does not */
  write(place: string, line: string): void {
    this.#places.set(place, this.#text.length + line.indexOf("|"));
    this.#text += `${line.replace("|", "")}\n`;
  }

  /** The text on hover. */
  hover(place: string): string {
    const info = this.#open().getQuickInfoAtPosition(this.#file, this.#at(place));
    return ts.displayPartsToString(info?.documentation).replaceAll(/\s+/g, " ");
  }

  /** What is offered. */
  offers(place: string): string[] {
    const list = this.#open().getCompletionsAtPosition(this.#file, this.#at(place), undefined);
    return (list?.entries ?? []).map(({ name }) => name);
  }

  #at(place: string): number {
    const position = this.#places.get(place);
    if (position === undefined) throw new Error(`nothing was written about ${place}`);
    return position;
  }

  #open(): ts.LanguageService {
    this.#service ??= ts.createLanguageService({
      getCompilationSettings: () => ({
        strict: true,
        module: ts.ModuleKind.Node20,
        moduleResolution: ts.ModuleResolutionKind.Node16,
        target: ts.ScriptTarget.ES2023,
        types: ["node"],
        skipLibCheck: true,
        noEmit: true,
      }),
      getScriptFileNames: () => [this.#file],
      getScriptVersion: () => "1",
      getScriptSnapshot: (name) => {
        const text = name === this.#file ? this.#text : ts.sys.readFile(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => checkout,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (name) => name === this.#file || ts.sys.fileExists(name),
      readFile: ts.sys.readFile,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
      realpath: (path) => ts.sys.realpath?.(path) ?? path,
    });
    return this.#service;
  }
}

interface Known {
  /** As it is read, such as `Pod gpu.id`. */
  readonly place: string;
  readonly line: string;
  readonly values: readonly string[];
}

/** Arguments with known values, each in a program with the cursor between the quotes. */
function knownValues(kind: string, fields: readonly Field[]): Known[] {
  return fields
    .filter(({ name }) => !name.startsWith("__"))
    .flatMap(({ name, type }) => within(name, type))
    .map(({ path, inner, values }) => ({
      place: `${kind} ${path}`,
      line: `new computecloud.${kind}("x", ${inner});`,
      values,
    }));
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
function membersOf({ kind, inputs, shows, outputs, takes }: AnyDefinition): string[] {
  // An endpoint that is passed as a whole brings what is left out here.
  const brought = takes?.argument === "endpoint" ? /^(__|endpoint(Revision|Type)$)/ : /^__/;
  const given = fieldsOf(inputs, "input").filter(({ name }) => !brought.test(name));
  const made = fieldsOf(outputs, "output").filter(({ facts }) => facts.internal !== true);
  return [
    ...given.map(({ name }) => `${kind}Args.${name}`),
    ...[...shows, ...made.map(({ name }) => name)].map((name) => `${kind}.${name}`),
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
const known = kinds.flatMap(({ kind, inputs }) => knownValues(kind, fieldsOf(inputs, "input")));

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
    for (const { place, line } of known) editor.write(place, line);
  });

  test.each(kinds.map((each) => [each.kind, each] as const))(
    "shows a text for each argument and output of %s",
    (_, each) => {
      expect(membersOf(each).filter((place) => !/\w/.test(editor.hover(place)))).toEqual([]);
    },
  );

  test.each(functions)("shows a text for each argument of $name, and for all that it answers", ({ places }) => {
    expect(places.filter((place) => !/\w/.test(editor.hover(place)))).toEqual([]);
  });

  test("says of each argument what is taken when it is left out, and what a change of it does", () => {
    const silent = kinds.flatMap(({ kind, inputs }) =>
      fieldsOf(inputs, "input")
        .filter(({ name }) => !name.startsWith("__"))
        .flatMap(({ name, optional }) => {
          const text = resources[`computecloud:index:${kind}`]?.inputProperties[name]?.description ?? "";
          const tellsDefault = !optional || /\b(default|required|exactly one)\b/i.test(text);
          const tellsEffect =
            /in place|replaces|refused|updates nothing|changes nothing|change|runs (it|the job) again/i;
          return tellsDefault && tellsEffect.test(text) ? [] : [`${kind}.${name}: ${text}`];
        }),
    );
    expect(silent).toEqual([]);
  });

  test("offers GPU types, pools, data centers and every other known value between the quotes", () => {
    expect(known.map(({ place }) => place)).toEqual(
      expect.arrayContaining([
        "Pod gpu.id",
        "Pod gpuAlternatives",
        "Pod cloud",
        "Pod dataCenterIds",
        "Pod cpu.id",
        "Cluster compute.gpuTypeId",
        "NetworkVolume dataCenter",
        "NetworkVolume type",
        "ServerlessContainer gpu.pools",
        "ServerlessContainer gpu.excludedTypes",
        "ServerlessContainer scaling.type",
        "ServerlessEndpoint gpuIds",
        "ServerlessEndpoint locations",
        "ServerlessEndpoint flashBootType",
      ]),
    );
    const lacking = known.filter(({ place, values }) => {
      const offered = editor.offers(place);
      return !values.every((value) => offered.includes(value));
    });
    expect(lacking.map(({ place }) => place)).toEqual([]);
  });
});
