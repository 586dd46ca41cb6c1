import fc from "fast-check";
import type { Resources } from "../harness/scenario";

/** What happens to one call on its way between the provider and the service. */
export type Fate =
  | { readonly kind: "pass" }
  /** The connection breaks before the work, or after it. */
  | { readonly kind: "drop"; readonly work: "none" | "done" }
  /** An edge gives up with this status, or by hanging up, and the service finishes the work later. */
  | { readonly kind: "late"; readonly status: number | "drop"; readonly afterMs: number }
  /** A failure that did nothing. */
  | { readonly kind: "fails"; readonly status: number }
  /** A clean refusal: a problem document, or GraphQL's list of errors. */
  | { readonly kind: "refused"; readonly status: number }
  /** A 404 that is a proxy's and not the service's. */
  | { readonly kind: "foreign404" }
  /** The work is done; its answer is cut, no JSON, or empty. */
  | { readonly kind: "spoilt"; readonly how: "cut" | "garbage" | "empty" }
  /** This call and the next ones are told to come later. */
  | { readonly kind: "storm"; readonly calls: number };

/** Who is killed, and at which call of the run. */
export interface Kill {
  readonly victim: "engine" | "provider";
  readonly atCall: number;
}

/** Two programs after each other for resources of one prefix, and what their calls meet. */
export interface Schedule {
  readonly first: Resources;
  readonly second: Resources;
  readonly fates: readonly Fate[];
}

/** Schedules that share a stack, so that one start of the engine serves all of them. */
export interface Batch {
  readonly schedules: readonly Schedule[];
  /** The faulty runs of the first and of the second program. */
  readonly runs: readonly [readonly Run[], readonly Run[]];
}

export interface Run {
  readonly kill: Kill | undefined;
  readonly refresh: boolean;
  readonly continueOnError: boolean;
}

/** Stands in every secret that a program declares, so that one search finds any that leaked. */
export const SECRET = "chaos-secret-of-nobody";

const pass: Fate = { kind: "pass" };

const fate = fc.oneof(
  { weight: 24, arbitrary: fc.constant(pass) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("drop" as const), work: fc.constantFrom("none", "done") }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("late" as const),
      status: fc.constantFrom(504, 524, 502, 408, "drop" as const),
      afterMs: fc.constantFrom(50, 400, 1_500),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("fails" as const),
      status: fc.constantFrom(500, 502, 503, 504, 520, 522, 524, 530),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("refused" as const), status: fc.constantFrom(400, 403, 409, 422) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "foreign404" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("spoilt" as const),
      how: fc.constantFrom("cut", "garbage", "empty"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("storm" as const), calls: fc.integer({ min: 1, max: 4 }) }) },
) satisfies fc.Arbitrary<Fate>;

const DATA_CENTERS = ["EU-RO-1", "US-KS-2"] as const;

const image = fc.integer({ min: 1, max: 4 }).map((tag) => `example.com/chaos:${tag}`);
const env = fc.option(
  fc.integer({ min: 1, max: 3 }).map((number) => ({ TOKEN: `$secret:${SECRET}-${number}`, MODE: "chaos" })),
  { nil: {} },
);
const present = fc.integer({ min: 1, max: 10 }).map((chance) => chance <= 4);

const choices = fc.record({
  registry: present,
  password: fc.integer({ min: 1, max: 2 }),
  volume: present,
  dataCenter: fc.constantFrom(...DATA_CENTERS),
  grown: fc.integer({ min: 0, max: 5 }),
  template: present,
  image,
  env,
  endpoint: present,
  pools: fc.constantFrom("ADA_24", "AMPERE_24", "ADA_24,AMPERE_24"),
  workersMax: fc.integer({ min: 1, max: 5 }),
  endpointType: fc.constantFrom("QUEUE_DELAY", "REQUEST_COUNT"),
  container: present,
  flashboot: fc.constantFrom("OFF", "FLASHBOOT"),
  pod: present,
  gpu: fc.constantFrom("NVIDIA GeForce RTX 4090", "NVIDIA L4"),
  mounted: present,
  cluster: fc.integer({ min: 1, max: 10 }).map((chance) => chance <= 2),
  pods: fc.integer({ min: 2, max: 3 }),
  delegation: present,
  repository: fc.constantFrom("worker", "trainer"),
  keys: fc.integer({ min: 0, max: 3 }),
  // A member that comes, goes, or changes from one program to the next.
  members: fc.subarray(["chat", "code", "draw"]),
});

type Choices = typeof choices extends fc.Arbitrary<infer T> ? T : never;

/** @param phase a later program's volumes are never smaller: shrinking is refused on purpose */
function programOf(prefix: string, phase: number, chosen: Choices): Resources {
  const name = (kind: string) => `${prefix}-${kind}`;
  const table: Record<string, Resources[string]> = {};
  if (chosen.registry) {
    const credentials = { username: "robot", password: `$secret:${SECRET}-${chosen.password}` };
    table[name("images")] = { kind: "Registry", args: credentials };
  }
  if (chosen.volume) {
    const size = 10 + 10 * phase + (phase > 0 ? chosen.grown : 0);
    table[name("models")] = { kind: "NetworkVolume", args: { size, dataCenter: chosen.dataCenter } };
  }
  if (chosen.template) {
    const registry = chosen.registry ? { registry: `$${name("images")}.id` } : {};
    const args = { image: chosen.image, env: chosen.env, serverless: true, ...registry };
    table[name("worker")] = { kind: "Template", args };
  }
  if (chosen.template && chosen.endpoint) {
    table[name("chat")] = {
      kind: "ServerlessEndpoint",
      args: {
        templateId: `$${name("worker")}.id`,
        templateRevision: `$${name("worker")}.revision`,
        gpuIds: chosen.pools,
        workersMax: chosen.workersMax,
        scalerType: chosen.endpointType,
        ...(chosen.volume && chosen.mounted && { networkVolumeId: `$${name("models")}.id` }),
      },
    };
  }
  if (chosen.members.length > 0) {
    // Every other member brings its own template instead of using the shared one.
    const endpoints = chosen.members.map((member, index) => {
      const shared = chosen.template && index % 2 === 0;
      const own = shared ? { templateId: `$${name("worker")}.id` } : { image: chosen.image, env: chosen.env };
      return [member, { ...own, workersMax: chosen.workersMax }];
    });
    table[name("fleet")] = {
      kind: "ServerlessFleet",
      args: { defaults: { gpuIds: chosen.pools }, endpoints: Object.fromEntries(endpoints) },
    };
  }
  if (chosen.container) {
    table[name("web")] = {
      kind: "ServerlessContainer",
      args: {
        type: "QUEUE",
        image: chosen.image,
        env: chosen.env,
        cpu: [{ id: "cpu3c", vcpuCount: 2 }],
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
        workers: { max: chosen.workersMax },
        flashboot: chosen.flashboot,
      },
    };
  }
  if (chosen.pod) {
    table[name("box")] = {
      kind: "Pod",
      args: {
        image: chosen.image,
        env: chosen.env,
        gpu: { id: chosen.gpu },
        ...(chosen.volume &&
          chosen.mounted && { mounts: { network: [{ volumeId: `$${name("models")}.id`, path: "/models" }] } }),
      },
    };
  }
  if (chosen.cluster) {
    table[name("train")] = {
      kind: "Cluster",
      args: {
        type: "TRAINING",
        image: "example.com/chaos:1",
        env: chosen.env,
        compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 1, podCount: chosen.pods },
      },
    };
  }
  if (chosen.delegation) {
    const resource = `arn:aws:ecr:eu-west-1:123456789012:repository/${name(chosen.repository)}`;
    table[name("pull")] = { kind: "EcrDelegation", args: { resource } };
  }
  // There is one list of keys in an account.
  if (prefix === prefixOf(0) && chosen.keys > 0) {
    const keys = Array.from({ length: chosen.keys }, (_, index) => `ssh-ed25519 AAAAC3Nza${index} chaos@example.com`);
    table[name("keys")] = { kind: "SshKeys", args: { keys } };
  }
  return table;
}

/** @param size of the batch: a run makes so many times a handful of calls */
function runsOf(size: number): fc.Arbitrary<Run[]> {
  const kill = fc.option(
    fc.record({
      victim: fc.constantFrom("engine" as const, "provider" as const),
      atCall: fc.integer({ min: 1, max: 3 * size }),
    }),
    { nil: undefined, freq: 2 },
  );
  const run = fc.record({
    kill,
    refresh: fc.boolean(),
    // Without it the first failure ends the run, and most calls meet nothing.
    continueOnError: fc.integer({ min: 1, max: 5 }).map((chance) => chance > 1),
  });
  return fc.array(run, { minLength: 1, maxLength: 2 });
}

/** The batch of a seed: the same one each time. */
export function batchOf(seed: number, size: number): Batch {
  const schedule = fc.record({
    first: choices,
    second: choices,
    fates: fc.array(fate, { minLength: 10, maxLength: 40 }),
  });
  const batch = fc.record({
    schedules: fc.array(schedule, { minLength: size, maxLength: size }),
    runs: fc.tuple(runsOf(size), runsOf(size)),
  });
  const [drawn] = fc.sample(batch, { seed, numRuns: 1 });
  if (drawn === undefined) throw new Error("a sample of one is one");
  const schedules = drawn.schedules.map(({ first, second, fates }, index) => ({
    first: programOf(prefixOf(index), 0, first),
    second: programOf(prefixOf(index), 1, second),
    fates,
  }));
  return { schedules, runs: drawn.runs };
}

/** Begins the names of all that a schedule declares, and so tells whose call it is. */
export function prefixOf(index: number): string {
  return `s${index}x`;
}
