/* What classes tell the engine beside the arguments: what is encrypted, and what waits for what. */
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { send } from "../../provider/engine/plugin/values";
import { hideUnmarked, secretsIn } from "../../provider/engine/secrecy";
import { factsOf } from "../../provider/lifecycle/fields/fields";
import * as computecloud from "../../sdk";
import { components } from "../../tools/schema/components";
import { type AnyDefinition, definitions } from "../../tools/schema/definitions";
import { fieldsOf, type Type, typeOf } from "../../tools/schema/model";
import { until } from "../harness/until";
import { type Registration, recordRegistrations } from "./recordRegistrations";

const registered: Registration[] = [];

beforeAll(() => {
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: { ...inputs, revision: 1 } }),
    call: ({ inputs }) => inputs,
  });
  recordRegistrations(registered);
});
beforeEach(() => {
  registered.length = 0;
});

/** Of the one resource of that kind and name. */
async function registration(kind: string, name: string): Promise<Registration> {
  await new Promise((resolve) => setImmediate(resolve));
  const match = registered.find((each) => each.getType().endsWith(`:${kind}`) && each.getName() === name);
  if (match === undefined) throw new Error(`${kind} ${name} was not registered`);
  return match;
}

const SECRET = "4dabf18193072939515e22adb298388d";
const isSecret = (value: unknown) => Object.hasOwn(Object(value), SECRET);

const image = "registry.example.com/chat:1";

// finds mutant secrets-in-clear
test("the engine encrypts credentials, and every value of an environment by itself", async () => {
  new computecloud.Registry("images", { username: "ci", password: "hunter2" });
  const registry = (await registration("Registry", "images")).getObject().toJavaScript();
  expect([registry.username, registry.password].map(isSecret)).toEqual([true, true]);
  new computecloud.Template("chat", { image, env: { TOKEN: "hunter2", MODE: "fast" } });
  const template = await registration("Template", "chat");
  const { TOKEN, MODE } = Object(template.getObject().toJavaScript().env);
  expect([TOKEN, MODE].map(isSecret)).toEqual([true, true]);
  expect(template.getAdditionalsecretoutputsList()).toContain("env");
});

/** Ways to put a text into every place of a value that the reference calls a secret. */
function secretPlaces(type: Type, isSecret = false): ((text: string) => unknown)[] {
  if (type.is === "list") return secretPlaces(type.of, isSecret).map((place) => (text) => [place(text)]);
  if (type.is === "map") return secretPlaces(type.of, isSecret).map((place) => (text) => ({ x: place(text) }));
  if (type.is === "union") return type.of.flatMap((each) => secretPlaces(each, isSecret));
  if (type.is === "object")
    return type.fields.flatMap(({ name, type, facts }) =>
      secretPlaces(type, isSecret || facts.secret).map((place) => (text: string) => ({ [name]: place(text) })),
    );
  return isSecret ? [(text) => text] : [];
}

/** The arguments as programs write them, each alone. */
function argumentTypes({ inputs }: AnyDefinition): Type[] {
  return fieldsOf(inputs, "input").map((field) => {
    const { json } = field.facts;
    return { is: "object", fields: [{ ...field, type: json === undefined ? field.type : typeOf(json, "input") }] };
  });
}

const withoutEncrypted = (value: unknown) =>
  JSON.stringify(value, (_, member) => (isSecret(member) ? "encrypted" : member));

// finds mutant nested-secrets-in-clear
test("what the reference calls a secret is one for the engine, from every class and on both hosts", async () => {
  const CANARY = "hunter2-canary";
  const classes = new Map<string, unknown>(Object.entries(computecloud));
  const places = Object.entries({ ...definitions, ...components }).flatMap(([, definition]) =>
    argumentTypes(definition)
      .flatMap((type) => secretPlaces(type))
      .map((place) => ({ definition, args: Object(place(CANARY)) })),
  );
  const names = places.map(({ definition, args }) => `${definition.kind} ${JSON.stringify(args)}`);
  expect(names).toContain(`ServerlessContainer {"verify":{"request":{"headers":{"x":"${CANARY}"}}}}`);
  expect(names).toContain(`GatedEndpoint {"verify":{"request":{"headers":{"x":"${CANARY}"}}}}`);
  for (const [index, { definition, args }] of places.entries()) {
    registered.length = 0;
    const {
      isComponent,
      examples: [example],
      keeps,
    } = definition;
    const base = isComponent ? example?.args : keeps && { [keeps]: {} };
    const create = classes.get(definition.kind);
    if (typeof create !== "function") throw new TypeError(`no class ${definition.kind}`);
    Reflect.construct(create, [`${definition.kind}${index}`, { ...base, ...args }]);
    const sent = () => JSON.stringify(registered.map((each) => each.getObject().toJavaScript()));
    await until(() => sent().includes(CANARY));
    expect([names[index], withoutEncrypted(JSON.parse(sent()))]).toEqual([
      names[index],
      expect.not.stringContaining(CANARY),
    ]);
    if (isComponent) continue;
    const { inputs } = definition;
    const values = Object.fromEntries(
      Object.entries(args).map(([key, value]) => [
        key,
        factsOf(inputs.shape[key] ?? inputs).json ? JSON.stringify(value) : value,
      ]),
    );
    expect(JSON.stringify(hideUnmarked(inputs, values, {}))).not.toContain(CANARY);
    expect(withoutEncrypted(send(values, secretsIn(inputs, values)).toJavaScript())).not.toContain(CANARY);
  }
});

// finds mutant secret-outputs-in-clear
test("the engine encrypts a job's output where its input or what is expected is a secret, or where that is asked for, and no other", async () => {
  new computecloud.SmokeJob("plain", { endpointId: "a", input: { text: "ping" } });
  new computecloud.SmokeJob("secret", { endpointId: "a", input: { token: pulumi.secret("hunter2") } });
  new computecloud.SmokeJob("expected", { endpointId: "a", input: { n: 1 }, expect: pulumi.secret({ output: {} }) });
  new computecloud.SmokeJob("asked", { endpointId: "a", input: { text: "ping" }, secretOutput: true });
  const hidden = async (name: string) => (await registration("SmokeJob", name)).getAdditionalsecretoutputsList();
  expect(await hidden("plain")).not.toContain("output");
  for (const name of ["secret", "expected", "asked"]) expect(await hidden(name)).toContain("output");
});

test("the engine encrypts a default of a fleet, a template's id included, in the members that take it", async () => {
  const defaults = { templateId: pulumi.secret("hunter2"), networkVolumeId: pulumi.secret("v"), gpuIds: "ADA_24" };
  const members = { takes: {}, has: { image, networkVolumeId: "w" } };
  new computecloud.ServerlessFleet("secrets", { defaults, endpoints: members });
  const { endpoints } = (await registration("ServerlessFleet", "secrets")).getObject().toJavaScript();
  const { takes, has } = Object(endpoints);
  expect([isSecret(takes.templateId), isSecret(takes.networkVolumeId)]).toEqual([true, true]);
  expect(takes.__secrets).toEqual(["templateId", "networkVolumeId"]);
  expect(has).not.toHaveProperty("templateId");
});

test("the engine encrypts an argument that the program made a secret, of which the provider is told", async () => {
  new computecloud.Template("chat", { image, args: pulumi.secret("--token hunter2") });
  const { args, __secrets } = (await registration("Template", "chat")).getObject().toJavaScript();
  expect([isSecret(args), __secrets]).toEqual([true, ["args"]]);
});

// finds mutant deleted-with-nothing
test.each<[option: string, value: () => pulumi.CustomResourceOptions, refusal: string, wayOut: string]>([
  [
    "import",
    () => ({ import: "abc" }),
    'works with a provider only: { import: …, provider: new Provider\\("cloud"\\) }',
    "adoptId",
  ],
  ["id", () => ({ id: "abc" }), "works with a provider only", "read it with a function"],
  ["customTimeouts", () => ({ customTimeouts: { create: "1h" } }), "does not work", "createTimeout"],
  [
    "deletedWith",
    () => ({ deletedWith: new computecloud.Template("other", { image }) }),
    "would leave it running",
    "Remove the option",
  ],
])("a program that gives the option %s is refused, with the way out", (option, value, refusal, wayOut) => {
  const message = new RegExp(`"chat": the option \`${option}\` ${refusal}[^]*${wayOut}`);
  expect(() => new computecloud.Template("chat", { image }, value())).toThrow(message);
  expect(() => new computecloud.ServerlessFleet("chat", { endpoints: {} }, value())).toThrow(message);
});

test("a program that leaves the arguments out is told how a resource is made", () => {
  const make = () => Reflect.construct(computecloud.Pod, ["q"]);
  expect(make).toThrow('Pod "q" needs its arguments: new Pod("q", { … })');
});

describe("a gated endpoint", () => {
  const tried = { gpu: { pools: ["ADA_24"] }, dataCenterIds: ["EU-RO-1"], globalVolumes: ["gsb_1"], timeout: 60_000 };
  beforeEach(async () => {
    const { id } = new computecloud.GatedEndpoint("chat", {
      image,
      entrypoint: ["serve"],
      cmd: ["--fast"],
      ...tried,
      workers: { max: 3 },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      gate: { input: { text: "ping" } },
    });
    await new Promise((resolve) => id.apply(resolve));
  });

  // finds mutant ungated
  test("has its job wait for the candidate, and template and endpoint for the job", async () => {
    const waitsFor = async (kind: string, name: string) =>
      (await registration(kind, name)).getDependenciesList().map((urn) => urn.split("::").at(-1));
    expect(await waitsFor("SmokeJob", "chat-gate")).toContain("chat-candidate");
    expect(await waitsFor("Template", "chat")).toContain("chat-gate");
    expect(await waitsFor("ServerlessContainer", "chat")).toContain("chat-gate");
    expect(await waitsFor("ServerlessContainer", "chat-candidate")).not.toContain("chat-gate");
  });

  test("has another template for every change, so that there is one to go back to", async () => {
    expect((await registration("Template", "chat")).getReplaceonchangesList()).toEqual(["*"]);
  });

  test("has the candidate run what the endpoint is going to run", async () => {
    const container = { image, entrypoint: ["serve"], cmd: ["--fast"] };
    for (const name of ["chat", "chat-candidate"]) {
      expect((await registration("Template", name)).getObject()?.toJavaScript()).toMatchObject(container);
      const endpoint = (await registration("ServerlessContainer", name)).getObject()?.toJavaScript();
      expect(endpoint).toMatchObject(tried);
      expect(endpoint).not.toHaveProperty("cmd");
    }
  });

  test("rests its candidate at no workers, and lets its job start one", async () => {
    const candidate = await registration("ServerlessContainer", "chat-candidate");
    expect(candidate.getObject().toJavaScript().workers).toEqual({ min: 0, max: 0 });
    expect((await registration("SmokeJob", "chat-gate")).getObject().toJavaScript().workersMax).toBe(1);
  });

  test("sends a request in place of a job, to the candidate and then to the endpoint", async () => {
    const api = new computecloud.GatedEndpoint("api", {
      type: "LOAD_BALANCER",
      image,
      cpu: [{ id: "cpu5c", vcpuCount: 4 }],
      scaling: { type: "REQUEST_COUNT", requestCount: 4 },
      gate: { request: { path: "/predict", body: { text: "ping" }, requests: 3 } },
      verify: true,
    });
    await new Promise((resolve) => api.id.apply(resolve));
    const { workersMax, ...request } = (await registration("SmokeRequest", "api-gate")).getObject().toJavaScript();
    expect(workersMax).toBe(1);
    expect(request).toMatchObject({ path: "/predict", body: '{"text":"ping"}', requests: 3 });
    for (const name of ["api", "api-candidate"]) {
      const { type, verify } = (await registration("ServerlessContainer", name)).getObject().toJavaScript();
      expect(type).toBe("LOAD_BALANCER");
      if (name === "api")
        expect(JSON.parse(String(verify))).toEqual({ request: { path: "/predict", body: { text: "ping" } } });
    }
  });

  const request = { path: "/" };
  test.each([
    ["no gate", {}, "needs gate: { input: … }"],
    ["no request", { gate: { request: undefined } }, "needs gate: { input: … }"],
    ["a job for a load balancer", { type: "LOAD_BALANCER", gate: { input: 1 } }, "a load balancer runs no jobs"],
    [
      "a job and a request",
      { gate: { request, input: 1 } },
      'GatedEndpoint "api": gate is a request, which does not read input beside it: a gate is a job or a request, so remove one',
    ],
    [
      "what a request has itself",
      { gate: { request, expect: {}, timeout: "no time", jobs: undefined } },
      "gate is a request, which does not read expect, timeout beside it: move that into request.",
    ],
    ["a verification with both", { gate: { input: 1 }, verify: { request, retries: 1 } }, "verify is a request, which"],
  ])("refuses %s", (_, more, message) => {
    const make = () =>
      Reflect.construct(computecloud.GatedEndpoint, ["api", { image, gpu: { pools: ["ADA_24"] }, ...more }]);
    expect(make).toThrow(message);
  });
});

test("a component of the package refuses the option deletedWith, which all its resources would inherit", () => {
  const deletedWith = new computecloud.NetworkVolume("other", { size: 10, dataCenter: "EU-RO-1" });
  const make = (name: string, options: pulumi.ComponentResourceOptions) =>
    new computecloud.Template(name, { image }, options);
  const gated = { image, gpu: { pools: ["ADA_24"] }, gate: { input: { text: "ping" } } };
  const scaling = { type: "QUEUE_DELAY", queueDelay: 4 } as const;
  expect(() => new computecloud.GatedEndpoint("kept", { ...gated, scaling }, { deletedWith })).toThrow(
    'GatedEndpoint "kept": the option `deletedWith` would leave it running',
  );
  expect(() => new computecloud.Waves("kept", { members: ["a"], make }, { deletedWith })).toThrow(
    'Waves "kept": the option `deletedWith` would leave it running',
  );
});
