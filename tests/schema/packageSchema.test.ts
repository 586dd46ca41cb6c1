import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import manifest from "../../package.json";
import { readSettings } from "../../provider/engine/config";
import { findFunction, functionNames } from "../../provider/functions";
import * as account from "../../provider/functions/account";
import * as billing from "../../provider/functions/billing";
import * as catalog from "../../provider/functions/catalog";
import * as estimateCost from "../../provider/functions/estimateCost";
import * as fleet from "../../provider/functions/fleet";
import * as pickGpu from "../../provider/functions/pickGpu";
import * as sdk from "../../sdk";
import { MAY_BE_EMPTY } from "../../sdk/internal/invoke";
import { checkout } from "../../tools/run/environment";
import { gatedEndpoint } from "../../tools/schema/components";
import { exampleCode } from "../../tools/schema/examples";
import { packageSchema } from "../../tools/schema/packageSchema";

const schema = packageSchema({ ...manifest, version: "1.2.3" });

test("a gated endpoint is a component in the package's schema", () =>
  expect(schema.resources["computecloud:index:GatedEndpoint"]).toMatchObject({
    isComponent: true,
    requiredInputs: ["image", "scaling", "gate"],
  }));

test("a gated endpoint says of itself in the schema and in its class what it is, with the same examples", () => {
  const { description, examples } = gatedEndpoint;
  const comment = readFileSync(join(checkout, "sdk/gatedEndpoint.ts"), "utf8").match(
    /\/\*\*\n \* An endpoint that[\s\S]*?\*\//,
  );
  const words = (text: string) => text.replaceAll(/\s|,(?=\s*})/g, "");
  const said = words(comment?.[0].replaceAll(/^ \* ?/gm, "") ?? "");
  for (const text of [description, ...examples.map((each) => exampleCode(gatedEndpoint, each))])
    expect(said).toContain(words(text));
});

const allInputs = Object.values(schema.resources).map(({ inputProperties }) => inputProperties);

test("the package's schema holds every function that is defined", () => {
  const defined = [catalog, billing, account, fleet, pickGpu, estimateCost].flatMap((area) => Object.entries(area));
  for (const [name, definition] of defined) expect(findFunction(name)).toBe(definition);
  expect(defined.map(([name]) => name).sort()).toEqual([...functionNames].sort());
  expect(Object.keys(schema.functions)).toEqual(functionNames.map((name) => `computecloud:index:${name}`));
});

test("the package's schema describes every function, what it takes and answers, and every output, at any depth", () => {
  const functions = Object.entries(schema.functions);
  const objects = [
    ...functions.flatMap(([token, { inputs, outputs }]) => [
      { place: `arguments of ${token}`, properties: inputs.properties },
      { place: `answer of ${token}`, properties: outputs.properties },
    ]),
    ...Object.entries({ ...schema.resources, ...schema.types }).map(([place, { properties = {} }]) => ({
      place,
      properties,
    })),
  ];
  const texts = [
    ...functions.map(([token, { description }]): [string, string] => [token, description]),
    ...objects.flatMap(({ place, properties }) =>
      Object.entries(properties).map(([name, { description = "" }]): [string, string] => [
        `${name} in ${place}`,
        description,
      ]),
    ),
  ];
  // One sentence or more in one line.
  expect(texts.filter(([, text]) => !/^\S.*\.$/.test(text))).toEqual([]);
});

test("the package's schema requires what a call needs, and nothing that has a default or may be null", () => {
  expect(schema.functions["computecloud:index:getPodLogs"]?.inputs.required).toEqual(["id"]);
  expect(schema.functions["computecloud:index:pickGpu"]?.inputs.required).toEqual([]);
  const { required } = schema.functions["computecloud:index:getGpuType"]?.outputs ?? { required: [] };
  expect(required).toEqual(expect.arrayContaining(["id", "price"]));
  expect(required).not.toContain("pool");
});

test("the package's schema has no default that an SDK would send as if it were declared", () =>
  expect(JSON.stringify(schema)).not.toContain('"default":'));

test("the package's schema has no choice between objects, in which SDKs translate no names", () => {
  const { queueDelay, requestCount, type } = schema.types["computecloud:index:Scaling"]?.properties ?? {};
  expect([queueDelay?.type, requestCount?.type, type?.type]).toEqual(["number", "integer", "string"]);
  expect(queueDelay?.description).toContain('With type "QUEUE_DELAY".');
  const { run, base, health } = schema.types["computecloud:index:ServerlessContainerRequestUrls"]?.properties ?? {};
  expect([run?.type, base?.type]).toEqual(["string", "string"]);
  expect(health?.description).toBe("Counts of jobs and workers. Answers when a worker is ready.");
  expect(JSON.stringify(schema)).not.toMatch(/"oneOf":\[\{"\$ref":"#/);
});

test("the package's schema has the members of its enums, which `pulumi import` prints, as values in TypeScript", () => {
  const printed = Object.entries(schema.types).flatMap(([token, { enum: values }]) => {
    return values !== undefined && JSON.stringify(allInputs).includes(`"#/types/${token}"`) ? [{ token, values }] : [];
  });
  expect(printed.length).toBeGreaterThan(5);
  for (const { token, values } of printed) {
    const members = values.map(({ name, value }) => [name, value]);
    expect(sdk).toHaveProperty(token.replace("computecloud:index:", ""), Object.fromEntries(members));
  }
});

test("the package's schema takes and answers texts besides the members of its enums, which the service adds to", () => {
  const text = JSON.stringify(schema);
  const isEnum = (token = "") => schema.types[token]?.enum !== undefined;
  const uses = [...text.matchAll(/(.{19})"\$ref":"#\/types\/([^"]+)"/g)].filter(([, , token]) => isEnum(token));
  expect(uses.length).toBeGreaterThan(20);
  for (const [, before] of uses) expect(before).toBe('{"type":"string"},{');
  // Python would make HIG_H_PERFORMANCE of the value.
  const [, fast] = schema.types["computecloud:index:VolumeType"]?.enum ?? [];
  expect(fast).toEqual({ name: "HighPerformance", value: "HIGH_PERFORMANCE" });
});

test("the package's schema takes what another resource brings as it is brought, which Go and .NET hold to", () => {
  const { SmokeJob, Template, ServerlessContainer, ServerlessEndpoint } = Object.fromEntries(
    Object.entries(schema.resources).map(([token, resource]) => [token.replace("computecloud:index:", ""), resource]),
  );
  for (const endpoint of [ServerlessContainer, ServerlessEndpoint]) {
    const { revision } = endpoint?.properties ?? {};
    expect(SmokeJob?.inputProperties.endpointRevision).toMatchObject({ type: revision?.type });
    const { revision: ofTemplate } = Template?.properties ?? {};
    expect(endpoint?.inputProperties.templateRevision).toMatchObject({ type: ofTemplate?.type });
  }
});

test("the package's schema refers to types that it holds", () => {
  const references = JSON.stringify(schema).matchAll(/"#\/types\/([^"]+)"/g);
  for (const [, token] of references) expect(Object.keys(schema.types)).toContain(token);
});

test("the package's schema names all configuration that the provider reads, and the key as a secret", () => {
  const read = new Set<string>();
  const anything: Record<string, string> = {
    catalogChecks: "true",
    retryTimeout: "2m",
    cloud: "runpod",
    graphqlKeyIn: "header",
    apiKey: "k",
  };
  readSettings((key) => {
    const name = key.replace("computecloud:", "");
    read.add(name);
    return anything[name];
  }, {});
  expect(Object.keys(schema.config.variables).sort()).toEqual([...read].sort());
  expect(schema.config.variables.apiKey?.secret).toBe(true);
});

test("the sdk has every function, as a promise and as an output", () => {
  for (const name of functionNames) {
    expect(sdk).toHaveProperty(name, expect.any(Function));
    expect(sdk).toHaveProperty(`${name}Output`, expect.any(Function));
    const { required = [] } = schema.functions[`computecloud:index:${name}`]?.outputs ?? {};
    expect(required.length === 0).toBe(MAY_BE_EMPTY.includes(name));
  }
});
