import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { EmulatorState, StateRecord } from "../../tools/run/control";
import type { Resources } from "../harness/program";
import { seldom, weighted } from "./faults";

/** Stands in every secret that a program declares, so that one search finds any that leaked. */
export const SECRET = "chaos-secret-of-nobody";

/** A place in a program: each holds one resource, or none. What others refer to comes first. */
const SLOTS = [
  "registry",
  "volume",
  "vault",
  "template",
  "pod",
  "endpoint",
  "fleet",
  "container",
  "gated",
  "smoke",
  "cluster",
  "delegation",
  "shared",
  "keys",
] as const;
export type Slot = (typeof SLOTS)[number];

/** What a resource is told; each kind takes of it what it knows. */
export interface Settings {
  readonly image: number;
  readonly secret: number;
  /** A volume only grows. */
  readonly size: number;
  /** 0 or 1: the GPU type, pool or data center, whose change mostly replaces. */
  readonly place: number;
  readonly workers: number;
  readonly members: readonly string[];
  /** Uses what other slots hold: the template, the volume, the registry. */
  readonly shares: boolean;
}

export type Options = Partial<{
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  readonly deleteBeforeReplace: boolean;
  /** Under its second logical name, with an alias for the first, which SSH keys do without; and back. */
  readonly renamed: boolean;
  /** `ignoreChanges`, or `replaceOnChanges`, of what changes most often. */
  readonly onChange: "ignore" | "replace" | undefined;
  /** Has a name of the program's choice. */
  readonly named: boolean;
  /** Where the program is native: under a second `Provider`, for which the engine runs another process. */
  readonly second: boolean;
  /** Where the program is native: made by Pulumi's dynamic provider all the same. */
  readonly dynamic: boolean;
}>;

export interface Declared {
  readonly settings: Settings;
  readonly options: Options;
}

export interface Program {
  /** Stands in the names that it declares: some are known once in an account. */
  readonly stack: string;
  /** Made by the plugin instead of Pulumi's dynamic provider. */
  readonly native: boolean;
  readonly slots: { readonly [Key in Slot]?: Declared | undefined };
  /** What a slot takes over instead of making it: by the argument `adoptId`, or by the option `import`. */
  readonly takes: { readonly [Key in Slot]?: Taking };
}

export interface Taking {
  readonly id: string;
  /**
   * `stays`: by an `adoptId` that the program keeps. `move`: what the stack has under the slot's other name, which no alias
   * connects with this one.
   */
  readonly by: "adoptId" | "stays" | "import" | "move";
}

/** One change to a program: what a slot declares from now on; undefined: nothing. */
export interface Edit {
  readonly slot: Slot;
  readonly to: Declared | undefined;
}

const settings: fc.Arbitrary<Settings> = fc.record({
  image: fc.integer({ min: 1, max: 3 }),
  secret: fc.integer({ min: 1, max: 2 }),
  size: fc.integer({ min: 0, max: 2 }),
  place: fc.integer({ min: 0, max: 1 }),
  workers: fc.integer({ min: 1, max: 3 }),
  members: fc.subarray(["chat", "code", "draw"], { minLength: 1 }),
  shares: fc.boolean(),
});

const options: fc.Arbitrary<Options> = fc.record({
  protect: seldom(8),
  retainOnDelete: seldom(8),
  deleteBeforeReplace: seldom(8),
  renamed: seldom(8),
  onChange: weighted([4, fc.constant(undefined)], [1, fc.constantFrom("ignore", "replace")]),
  named: seldom(8),
  second: seldom(8),
  dynamic: seldom(8),
});

export const declared: fc.Arbitrary<Declared> = fc.record({ settings, options });

/** Kinds whose making or deleting takes more than one call come more often. */
export const slot = weighted<Slot>(
  [3, fc.constant("pod")],
  [2, fc.constantFrom("volume", "template", "container")],
  [3, fc.constant("fleet")],
  [3, fc.constant("endpoint")],
  [2, fc.constant("gated")],
  [2, fc.constantFrom("smoke", "cluster", "registry", "delegation", "vault", "shared", "keys")],
);

export const edit: fc.Arbitrary<Edit> = fc.record({ slot, to: fc.option(declared, { nil: undefined, freq: 4 }) });

export function edited(program: Program, { slot, to }: Edit): Program {
  const { slots } = program;
  const before = slots[slot]?.settings.size ?? 0;
  const grown = to && { ...to, settings: { ...to.settings, size: Math.max(before, to.settings.size) } };
  return { ...program, slots: { ...slots, [slot]: grown } };
}

const GPUS = ["NVIDIA GeForce RTX 4090", "NVIDIA L4"] as const;
const POOLS = ["ADA_24", "AMPERE_24"] as const;
const DATA_CENTERS = ["EU-RO-1", "US-KS-2"] as const;

/** What the service has to hold of a resource, or of a fleet's member: some of a record's fields. */
interface Expected {
  readonly member?: string;
  readonly collection: keyof EmulatorState;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Of the arguments, some fields that the service has to hold as they are; secrets in clear. */
function fieldsOf(args: object, paths: readonly string[]): Expected["fields"] {
  const plain = JSON.parse(JSON.stringify(args).replaceAll('"$secret:', '"'));
  return Object.fromEntries(paths.map((path) => [path, valueAt(plain, path)]));
}

const valueAt = (of: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => Reflect.get(Object(value), key), of);

interface SlotResource {
  readonly kind: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What changes most often. */
  readonly changing?: string;
  readonly expected?: readonly Expected[];
}

/** The resource of a slot; undefined where what it needs is not declared. */
function make(slot: Slot, { settings, options }: Declared, program: Program): SlotResource | undefined {
  const { stack, slots } = program;
  const { image: tag, secret, size, place, workers, members, shares } = settings;
  const ref = (other: Slot) => `$${logicalName(other, slots[other])}`;
  const image = `example.com/chaos:${tag}`;
  const value = `${SECRET}-${secret}`;
  const env = {
    // A variable is a secret whether or not the program says so.
    TOKEN: secret === 1 ? `$secret:${value}` : value,
    MODE: "chaos",
    ...(tag === 2 && { ADDED: `$secret:${SECRET}-added` }),
  };
  const name = options.named ? { name: `${slot}-of-${stack}` } : {};
  const gpu = { pools: [POOLS[place]] };
  const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };
  const container = ["image", "env", "workers.max"];
  /** @param answer what the service shows, where it has other words for the arguments */
  const resource = (
    kind: string,
    collection: keyof EmulatorState,
    paths: readonly string[],
    args: SlotResource["args"],
    changing?: string,
    answer: object = args,
  ): SlotResource => {
    const expected = [{ collection, fields: fieldsOf(answer, paths) }];
    return { kind, args, ...(changing && { changing }), expected };
  };
  switch (slot) {
    case "pod": {
      const mounts =
        shares && slots.volume ? { mounts: { network: [{ volumeId: `${ref("volume")}.id`, path: "/models" }] } } : {};
      const token = shares && slots.vault ? { HF_TOKEN: `${ref("vault")}.reference` } : {};
      const args = { ...name, image, env: { ...env, ...token }, gpu: { id: GPUS[place] }, ...mounts };
      return resource("Pod", "pods", ["image", "env.TOKEN", "gpu.id"], args, "image");
    }
    case "volume": {
      const args = { ...name, size: 10 + 10 * size, dataCenter: DATA_CENTERS[place] };
      return resource("NetworkVolume", "networkVolumes", ["size", "dataCenter"], args, "size");
    }
    case "template": {
      const registry = shares && slots.registry ? { registry: `${ref("registry")}.id` } : {};
      const args = { ...name, image, env, serverless: true, ...registry };
      return resource("Template", "templates", ["image", "env"], args, "image");
    }
    case "endpoint": {
      if (slots.template === undefined) return undefined;
      const args = { ...name, template: ref("template"), gpuIds: POOLS[place], workersMax: workers };
      const answer = { gpu, workers: { max: workers } };
      return resource("ServerlessEndpoint", "endpoints", ["gpu.pools", "workers.max"], args, "workersMax", answer);
    }
    case "fleet": {
      const source = shares && slots.template ? { templateId: `${ref("template")}.id` } : { image, env };
      const memberOf = (member: string) => ({
        ...source,
        ...(options.named && { name: `${member}-of-${stack}` }),
        ...(member === "code" && { type: place === 0 ? "QB" : "LB", scalerType: "REQUEST_COUNT" }),
        workersMax: workers,
      });
      const endpoints = Object.fromEntries(members.map((member) => [member, memberOf(member)]));
      const answer = { ...source, workers: { max: workers } };
      const fields = fieldsOf(answer, "image" in source ? container : ["workers.max"]);
      return {
        kind: "ServerlessFleet",
        args: { defaults: { gpuIds: POOLS[0] }, endpoints },
        changing: `endpoints["*"].workersMax`,
        expected: members.map((member) => ({ member, collection: "endpoints", fields })),
      };
    }
    case "container": {
      const args = { ...name, type: "QUEUE", image, env, gpu, scaling, workers: { max: workers } };
      return resource("ServerlessContainer", "endpoints", [...container, "gpu.pools"], args, "image");
    }
    case "gated": {
      const queue = {
        image: tag === 3 ? "emulator/fail:3" : `emulator/echo:${tag}`,
        scaling,
        gate: { input: { text: "ping" }, timeout: "60s" },
      };
      const balancer = {
        type: "LOAD_BALANCER",
        image: `chaos/api:${tag}`,
        scaling: { type: "REQUEST_COUNT", requestCount: 4 },
        gate: { request: { path: "/predict", expect: { json: { serves: true } }, timeout: "60s" } },
      };
      const args = { env, gpu: { pools: [POOLS[0]] }, workers: { max: workers }, ...(place === 0 ? queue : balancer) };
      return resource("GatedEndpoint", "endpoints", container, args);
    }
    case "smoke":
      if (slots.container === undefined) return undefined;
      return { kind: "SmokeJob", args: { endpoint: ref("container"), input: { text: "ping" }, timeout: "60s" } };
    case "cluster": {
      const compute = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 1, podCount: 2 + place };
      return resource("Cluster", "clusters", ["compute.podCount"], { ...name, type: "TRAINING", image, env, compute });
    }
    case "registry": {
      const args = { ...name, username: "robot", password: `$secret:${value}` };
      return resource("Registry", "registries", ["username", "password"], args);
    }
    case "vault": {
      const args = { ...name, value, description: `number ${tag}` };
      return resource("Secret", "secrets", ["description", "value"], args, "description");
    }
    case "shared":
      return resource("GlobalVolume", "globalVolumes", ["name"], { name: `shared-of-${stack}-${tag}` });
    case "delegation": {
      const args = { resource: `arn:aws:ecr:eu-west-1:123456789012:repository/chaos-${place}` };
      return resource("EcrDelegation", "delegations", [], args);
    }
    case "keys":
      return stack === "dev" ? resource("SshKeys", "sshKeys", [], { keys: keysOf(program) }) : undefined;
  }
}

/** A public key in OpenSSH form. */
export const sshKey = (owner: string): string => `ssh-ed25519 ${Buffer.from(owner).toString("base64")} ${owner}`;

/** The list that the program declares. An account has one, so only one stack declares it. */
export function keysOf({ stack, slots }: Program): string[] {
  const owners = stack === "dev" && slots.keys ? ["team", `member-${slots.keys.settings.image}`] : [];
  return owners.map(sshKey);
}

/** Failing on purpose: an image that its gate refuses. */
export const isRefused = ({ slots }: Program): boolean => slots.gated?.settings.image === 3;

/** The load balancers' images: the last one fails. */
export const SERVERS = Object.fromEntries(
  [1, 2, 3].map((tag) => [
    `chaos/api:${tag}`,
    ({ url }: Request) => (url.endsWith("/ping") ? new Response() : Response.json({ serves: tag !== 3 })),
  ]),
);

/**
 * The program as a table, for `programOf`.
 *
 * @param existing what its own providers are told of what exists already
 */
export function resourcesOf(program: Program, existing = "refuse"): Resources {
  const table: Record<string, Resources[string]> = {};
  const provider = { kind: "Provider", args: existing === "refuse" ? {} : { existing } };
  const usesSecondProvider = (slot: Slot) => isNative(program, slot) && program.slots[slot]?.options.second === true;
  if (program.native) table.cloud = provider;
  if (SLOTS.some(usesSecondProvider)) table.cloud2 = provider;
  for (const slot of SLOTS) {
    const declared = program.slots[slot];
    const resource = declared && make(slot, declared, program);
    if (declared === undefined || resource === undefined) continue;
    const taking = program.takes[slot];
    const { protect, retainOnDelete, deleteBeforeReplace, renamed, onChange } = declared.options;
    // A component hands its options on to children of which the program knows nothing.
    const simple = slot !== "gated";
    const changing = resource.changing === undefined || !simple ? [] : [resource.changing];
    const options = {
      ...(protect && { protect }),
      ...(retainOnDelete && simple && { retainOnDelete }),
      ...(deleteBeforeReplace && simple && { deleteBeforeReplace }),
      ...(onChange === "ignore" && { ignoreChanges: changing }),
      ...(onChange === "replace" && { replaceOnChanges: changing }),
      ...(taking?.by !== "move" && slot !== "keys" && { aliases: [{ name: renamed ? slot : `${slot}-b` }] }),
      ...(isNative(program, slot) && { provider: usesSecondProvider(slot) ? "$cloud2" : "$cloud" }),
      ...(taking?.by === "import" && isNative(program, slot) && { import: taking.id }),
    };
    const adopted = taking !== undefined && !("import" in options) ? { adoptId: taking.id } : {};
    table[logicalName(slot, declared)] = { kind: resource.kind, args: { ...resource.args, ...adopted }, options };
  }
  return table;
}

/** Whether the plugin makes it. */
export function isNative({ native, slots }: Program, slot: Slot): boolean {
  return native && slots[slot]?.options.dynamic !== true;
}

/** Logical names of what the state has to name, without a component's children. */
export function namesOf(program: Program): string[] {
  return Object.keys(resourcesOf(program)).filter((name) => !/^cloud2?$/.test(name));
}

export function logicalName(slot: Slot, declared: Declared | undefined): string {
  return declared?.options.renamed ? `${slot}-b` : slot;
}

export function slotOf(name: string): Slot | undefined {
  return SLOTS.find((slot) => name === slot || name === `${slot}-b` || name.startsWith(`${slot}-`));
}

/**
 * How what the service holds differs from what a slot declares.
 *
 * @param find the record of the slot's resource; of a fleet's member by its name
 */
export function differencesIn(
  program: Program,
  slot: Slot,
  find: (collection: keyof EmulatorState, member?: string) => StateRecord | undefined,
): string[] {
  const declared = program.slots[slot];
  const { expected = [] } = (declared && make(slot, declared, program)) ?? {};
  return expected.flatMap(({ member, collection, fields }) => {
    const what = member === undefined ? slot : `${slot}.${member}`;
    const live = find(collection, member);
    if (live === undefined) return [`${what} isn't there`];
    // What a resource was made with before the program began to ignore changes nobody remembers here.
    if (declared?.options.onChange === "ignore") return [];
    // What is adopted keeps variables that the program does not declare.
    const { ADDED: _, ...env } = Object(live.env);
    const isKept = program.takes[slot] !== undefined && !("ADDED" in Object(fields.env));
    const record = isKept ? { ...live, env } : live;
    return Object.entries(fields).flatMap(([path, wanted]) => {
      const there = valueAt(record, path);
      if (isDeepStrictEqual(there, wanted)) return [];
      return [`${what}: ${path} is ${JSON.stringify(there)} and not ${JSON.stringify(wanted)}`];
    });
  });
}
