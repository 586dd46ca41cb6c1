/*
 * Pulumi's options, on both hosts: every case of the table is a resource of one program, which is made, edited, previewed
 * and brought up once.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { nameOfUrn } from "../../common/urn";
import type { EmulatorState } from "../../tools/run/control";
import { checkout } from "../../tools/run/environment";
import type { StateResource } from "../../tools/run/stack";
import type { Update } from "../../tools/run/update";
import type { Resources } from "../harness/program";
import { said, scenarioForAll } from "../harness/scenario";

type Declared = Resources[string];

interface Case {
  readonly option: string;
  readonly what: string;
  readonly before: Declared;
  /** Undefined: it is taken out of the program. */
  readonly after: Declared | undefined;
  /** What the preview shows. */
  readonly step: "same" | "update" | "replace" | "delete";
  /** The name after the edit, where it is another. */
  readonly renamed?: true;
  /** Members of a fleet whose endpoint is another one afterwards. */
  readonly replaced?: readonly string[];
  /** Made after the table's first fleet, by `dependsOn`. */
  readonly waits?: true;
  /** Outputs that are recorded as secrets. */
  readonly secret?: string;
  /** What the service has of the members afterwards. */
  readonly served?: Readonly<Record<string, object>>;
}

const template = (options: object): Declared => ({
  kind: "Template",
  args: { image: "example.com/a:1", env: { A: "1", B: "1" } },
  options,
});
const a2 = { image: "example.com/a:2" };
const envOf = (A: string, B: string) => ({ env: { A, B } });

const defaults = { image: "example.com/a:1", gpuIds: "ADA_24", workersMax: 1, env: { MODE: "hunter1" } };
const fleet = (options: object, endpoints: object = {}, of: object = {}): Declared => ({
  kind: "ServerlessFleet",
  args: { defaults: { ...defaults, ...of }, endpoints: { a: {}, b: {}, ...endpoints } },
  options,
});
/** A changed template with the option. */
const changes = (
  option: string,
  what: string,
  step: Case["step"],
  value: unknown,
  after: object,
  { options = {}, ...more }: Partial<Case> & { options?: object } = {},
): Case => {
  const before = template({ [option]: value, ...options });
  return { option, what, step, before, after: { ...before, args: { ...before.args, ...after } }, ...more };
};
/** A changed fleet with the option. */
const inFleet =
  (option: string) =>
  (what: string, value: unknown, after: { endpoints?: object; defaults?: object }, more: Partial<Case>): Case => {
    const options = { [option]: value };
    const [before, edited] = [fleet(options), fleet(options, after.endpoints, after.defaults)];
    return { option, what, step: "update", before, after: edited, replaced: [], ...more };
  };
const ignoring = inFleet("ignoreChanges");
const replacing = inFleet("replaceOnChanges");
/** The same for a template and a fleet. */
const both = (option: string, step: Case["step"], before: object, after: object, more: Partial<Case> = {}): Case[] => [
  { option, what: "", step, before: template(before), after: template(after), ...more },
  {
    option,
    what: "a fleet",
    step,
    before: fleet(before),
    after: fleet(after),
    ...(step === "same" && { replaced: [] }),
    ...more,
  },
];

const same = { step: "same" } as const;
const more = { idleTimeout: 60 };
const max2 = { workersMax: 2 };
const ampere = { gpuIds: "AMPERE_24" };
const ada = { pools: ["ADA_24"] };
const balancer = { type: "LB", scalerType: "REQUEST_COUNT" };
const hunter1 = { MODE: "hunter1" };
const hunter2 = { MODE: "hunter2" };
const cases: readonly Case[] = [
  changes("ignoreChanges", "an argument", "same", ["image"], a2),
  changes("ignoreChanges", "a nested path", "same", ["env.A"], envOf("2", "1")),
  changes("ignoreChanges", "beside a nested path", "update", ["env.A"], envOf("1", "2")),
  changes("ignoreChanges", "all", "same", ["*"], { ...a2, ...envOf("2", "2") }),
  ignoring("a member's argument", ["endpoints.a.workersMax"], { endpoints: { a: max2 } }, same),
  ignoring(
    "a member",
    ["endpoints.a"],
    { endpoints: { a: max2, b: more } },
    { served: { a: { workers: { max: 1 } }, b: { workers: { max: 1, idleTimeout: 60 } } } },
  ),
  ignoring("all members", ["endpoints"], { endpoints: { a: max2, c: {} } }, same),
  ignoring(
    "the same argument of all members, one of which goes",
    ["endpoints.*.workersMax"],
    { endpoints: { a: { ...max2, ...more }, b: undefined } },
    { served: { a: { workers: { max: 1, idleTimeout: 60 } } } },
  ),
  ignoring("all of a fleet", ["*"], { endpoints: { a: max2, c: {} }, defaults: ampere }, same),
  ignoring("the defaults", ["defaults"], { defaults: { ...a2, ...ampere, env: hunter2 } }, same),
  ignoring(
    "the defaults beside a member's argument",
    ["defaults"],
    { endpoints: { b: more }, defaults: { ...ampere, env: { OTHER: "2" } } },
    { served: { a: { gpu: ada, env: hunter1 }, b: { gpu: ada, env: hunter1, workers: { idleTimeout: 60 } } } },
  ),
  ignoring(
    "one default",
    ["defaults.gpuIds"],
    { defaults: { ...ampere, ...max2 } },
    { served: { a: { gpu: ada, workers: { max: 2 } } } },
  ),
  ignoring(
    "one variable of the defaults",
    ["defaults.env.MODE"],
    { defaults: { env: { ...hunter2, LOG: "1" } } },
    { served: { a: { env: { ...hunter1, LOG: "1" } } } },
  ),

  changes("replaceOnChanges", "an argument", "replace", ["image"], a2),
  changes("replaceOnChanges", "a nested path", "replace", ["env.A"], envOf("2", "1")),
  changes("replaceOnChanges", "beside a nested path", "update", ["env.A"], envOf("1", "2")),
  changes("replaceOnChanges", "all", "replace", ["*"], { startSsh: false }),
  replacing("a member's argument", ["endpoints.b.gpuIds"], { defaults: ampere }, { replaced: ["b"] }),
  replacing(
    "a variable of a member",
    ["endpoints.*.env.MODE"],
    { endpoints: { a: { env: hunter2 }, b: { env: { LOG: "1" } } } },
    { replaced: ["a"] },
  ),
  replacing(
    "a default",
    ["defaults.gpuIds"],
    { endpoints: { a: { gpuIds: "ADA_24" } }, defaults: ampere },
    { replaced: ["b"] },
  ),
  replacing("all of a fleet", ["*"], { endpoints: { a: more } }, { replaced: ["a"] }),

  ...both("replacementTrigger", "replace", { replacementTrigger: 1 }, { replacementTrigger: 2 }),
  ...both("retainOnDelete", "delete", { retainOnDelete: true }, {}, { after: undefined }),
  ...both("aliases", "same", {}, {}, { renamed: true }),
  {
    option: "aliases",
    what: "and a provider",
    ...same,
    before: template({}),
    after: template({ provider: "$cloud" }),
    renamed: true,
  },
  ...both("dependsOn", "same", {}, {}, { waits: true }),
  changes("deleteBeforeReplace", "", "replace", true, a2, { options: { replaceOnChanges: ["image"] } }),
  inFleet("deleteBeforeReplace")("a fleet", true, { endpoints: { a: balancer } }, { replaced: ["a"] }),
  changes("additionalSecretOutputs", "", "update", ["disk"], { disk: 30 }, { secret: "disk" }),
  inFleet("additionalSecretOutputs")("a fleet", ["ids"], { endpoints: { a: more } }, { secret: "ids" }),
];

const hosts = ["dynamic", "native"] as const;
const firstFleet = cases.findIndex(({ before }) => before.kind === "ServerlessFleet");
const nameOf = (host: string, index: number) => `${host}${index}`;
const newNameOf = (each: Case, host: string, index: number) => nameOf(host, index) + (each.renamed ? "new" : "");

function declared(which: "before" | "after"): Resources {
  const all = hosts.flatMap((host) =>
    cases.flatMap((each, index): [string, Declared][] => {
      const { [which]: resource } = each;
      if (resource === undefined) return [];
      const aliases = which === "after" && each.renamed && { aliases: [{ name: nameOf(host, index) }] };
      const dependsOn = each.waits && { dependsOn: [`$${nameOf(host, firstFleet)}`] };
      const options = {
        ...resource.options,
        ...(host === "native" && { provider: "$cloud" }),
        ...aliases,
        ...dependsOn,
      };
      return [[which === "after" ? newNameOf(each, host, index) : nameOf(host, index), { ...resource, options }]];
    }),
  );
  return { cloud: { kind: "Provider", args: {} }, ...Object.fromEntries(all) };
}

const { stack, service, declare } = scenarioForAll({
  resources: declared("before"),
  settings: { rateLimitExempt: true, workerQuota: 1_000 },
});

describe("the table", () => {
  let firstUp: Update;
  let before: readonly StateResource[];
  let after: readonly StateResource[];
  let preview: Update;
  let up: Update;
  let state: EmulatorState;
  beforeAll(async () => {
    firstUp = await stack.up();
    before = await stack.resources();
    await declare(declared("after"));
    preview = await stack.preview();
    up = await stack.up();
    after = await stack.resources();
    state = await service.state();
  });
  const find = (resources: readonly StateResource[], name: string) =>
    resources.find(({ urn }) => urn.endsWith(`::${name}`));

  describe.each(hosts)("on the %s host", (host) => {
    test.each(cases.map((each, index) => [each.option, each.what, each, index] as const))(
      "%s: %s",
      (_option, _what, each, index) => {
        const name = newNameOf(each, host, index);
        const steps = (update: Update) => update.steps.filter((step) => step.name === name).map(({ op }) => op);
        expect(steps(preview)).toContain(each.step);
        const old = find(before, nameOf(host, index));
        const now = find(after, name);
        if (each.step === "same") expect(steps(up)).toEqual(["same"]);
        if (each.step === "delete") {
          const ids = Object.values((old?.outputs?.ids ?? { id: old?.id }) as Record<string, string>);
          const left = [...state.templates, ...state.endpoints].map(({ id }) => id);
          expect(left).toEqual(expect.arrayContaining(ids));
          return;
        }
        const done = (of: string) => firstUp.steps.findIndex((step) => step.name === of);
        if (each.waits) expect(done(name)).toBeGreaterThan(done(nameOf(host, firstFleet)));
        if (each.secret) expect(now?.outputs).toHaveProperty(`${each.secret}.ciphertext`);
        if (each.step === "replace") expect(now?.id).not.toBe(old?.id);
        else expect(now?.id).toBe(old?.id);
        if (each.option === "deleteBeforeReplace" && each.step === "replace")
          expect(steps(up)[0]).toBe("delete-replaced");
        if (each.replaced === undefined || each.secret) return;
        const ids = (resource: StateResource | undefined) => resource?.outputs?.ids as Record<string, string>;
        const another = Object.keys(ids(now)).filter((member) => ids(now)[member] !== ids(old)[member]);
        expect(another).toEqual(each.replaced);
        for (const [member, expected] of Object.entries(each.served ?? {})) {
          const endpoint = state.endpoints.find(({ id }) => id === ids(now)[member]);
          const used = state.templates.find(({ id }) => id === endpoint?.templateId);
          expect({ ...endpoint, env: used?.env, image: used?.image }).toMatchObject(expected);
        }
        for (const member of each.replaced)
          expect(said(preview)).toMatch(
            new RegExp(`endpoints\\.${member}: .*endpoint ${ids(old)[member]} is deleted, and`),
          );
      },
    );
  });

  test("leaves no secret in clear, and nothing to do", async () => {
    expect([...(await stack.written()).values()].join("\n")).not.toContain("hunter");
    expect(Object.keys((await stack.preview()).changes)).toEqual(["same"]);
  });
});

const program = (b: string) => `
    const pulumi = require("@pulumi/pulumi");
    const { Provider, ServerlessFleet } = require("pulumi-computecloud");
    const cloud = new Provider("cloud");
    class Shop extends pulumi.ComponentResource {
      constructor(name, options) { super("shop:index:Shop", name, {}, options); }
    }
    const shop = new Shop("shop", { protect: true });
    const transformed = new Shop("transformed", {
      transformations: [({ props, opts }) => ({ props, opts: { ...opts, protect: true } })],
    });
    for (const [host, options] of Object.entries({ dynamic: {}, native: { provider: cloud } })) {
      const fleet = (name, more, args) => new ServerlessFleet(host + name, {
        defaults: { image: "example.com/a:1", gpuIds: "ADA_24", workersMax: 1 },
        endpoints: { a: {}, ${b} },
        ...args,
      }, { ...options, ...more });
      fleet("Option", { protect: true });
      fleet("Parent", { parent: shop });
      fleet("Transformation", { parent: transformed });
      fleet("Not", {});
      fleet("NotOfMembers", { protect: true }, { protectMembers: false });
    }`;

test("protect reaches the provider from the option, a parent and a transformation, and refuses a member's end", async () => {
  await stack.edit(program("b: {}"));
  await stack.up();
  const protects = Object.fromEntries(
    (await stack.resources())
      .filter(({ type }) => type.endsWith("ServerlessFleet"))
      .map(({ urn, inputs }) => [nameOfUrn(urn), inputs?.protectMembers]),
  );
  for (const host of hosts) {
    for (const name of ["Option", "Parent", "Transformation"]) expect(protects).toMatchObject({ [host + name]: true });
    expect(protects).toMatchObject({ [`${host}NotOfMembers`]: false });
    expect(protects[`${host}Not`]).toBeUndefined();
  }
  const { endpoints } = await service.state();
  await stack.edit(program(""));
  for (const step of [stack.preview({ fails: true }), stack.up({ fails: true })])
    expect(said(await step)).toMatch(
      /is protected, and so are its members.\n.*endpoints\.b \(endpoint \w+\) would be deleted/,
    );
  expect((await service.state()).endpoints.length).toBeGreaterThan(endpoints.length - 3);
});

test("every option in the table of docs/native.md has its cases", () => {
  const [, table = ""] = readFileSync(join(checkout, "docs/native.md"), "utf8").split("| option | a resource |");
  const [rows = ""] = table.split("\n\n");
  const listed = Array.from(rows.matchAll(/^\| `(\w+)`/gm), ([, option]) => option);
  const elsewhere = ["protect", "import", "id", "customTimeouts", "deletedWith"];
  expect(new Set(listed)).toEqual(new Set([...cases.map(({ option }) => option), ...elsewhere]));
});
