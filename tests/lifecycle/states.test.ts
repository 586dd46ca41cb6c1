/* What a state holds, how it is compared and what a read makes of it, with a kind that has arguments of every sort. */
import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import {
  type AnyDefinition,
  defineResource,
  type ResourceDefinition,
  revision,
} from "../../provider/lifecycle/definition";
import { ambiguous, declaredLast, notes } from "../../provider/lifecycle/fields/declared";
import {
  afterCreate,
  autoName,
  computedWhenOmitted,
  control,
  controlsOf,
  declaredKeys,
  growsOnly,
  internal,
  replaces,
  secret,
  trigger,
  writeOnly,
} from "../../provider/lifecycle/fields/fields";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { noteUnread, PLACEHOLDER } from "../../provider/lifecycle/fields/unread";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { differenceText, planAdoption } from "../../provider/lifecycle/plan/adoption";
import {
  acceptsDrift,
  allDifferences,
  compare,
  isDrastic,
  isReplacing,
} from "../../provider/lifecycle/plan/comparison";
import { differences } from "../../provider/lifecycle/plan/diff";
import { planChange } from "../../provider/lifecycle/plan/plan";
import { importedReading, refreshedReading } from "../../provider/lifecycle/readings";
import { unfinished } from "../../provider/lifecycle/state/partlyMade";
import { creatableOf, desiredOf, outputsOf, stateOf } from "../../provider/lifecycle/state/states";
import { contextOf, NOWHERE, withMessages } from "../harness/context";

const texts = z.record(z.string(), z.string());
const disk = z.strictObject({ size: z.int(), path: z.string() });

const inputs = z.strictObject({
  name: autoName(),
  size: growsOnly("GB", z.int()),
  zone: replaces(z.string()),
  workers: z.int().default(1),
  disk: replaces(disk.optional()),
  disks: z.array(disk).optional(),
  tier: computedWhenOmitted(z.string().optional()),
  rack: computedWhenOmitted(replaces(z.string().optional())),
  env: declaredKeys(texts.default({})),
  labels: texts.default({}),
  token: secret(z.string().optional()),
  password: writeOnly(z.string().optional()),
  places: writeOnly(replaces(z.array(z.string()).optional())),
  stamp: trigger(writeOnly(z.string().optional())),
  wait: control(z.boolean().default(true)),
  locked: afterCreate(z.boolean().optional()),
});

const outputs = z.object({
  address: z.string(),
  note: z.string().optional(),
  mark: internal(z.string().optional()),
  revision: revision("thing"),
});

interface Live {
  readonly id: string;
  readonly [field: string]: unknown;
}

type Definition = ResourceDefinition<typeof inputs, Live, typeof outputs>;

const thing: Definition = defineResource({
  kind: "Thing",
  noun: "Request",
  uses: [],
  adoption: "none",
  orphans: "none",
  priced: false,
  source: { operation: "POST /things", page: "things" },
  description: "A thing.",
  inputs,
  shows: ["name"],
  outputs,
  examples: [{ title: "A thing", name: "thing", args: { size: 1, zone: "EU" } }],
  create: async (): Promise<Live> => LIVE,
  read: async () => LIVE,
  update: async () => LIVE,
  delete: async () => true,
  observe: ({ id: _, address: __, note: ___, ...fields }) => fields,
  computed: ({ address, note, mark }) => ({
    address: address === undefined ? undefined : String(address),
    note: note === undefined ? undefined : String(note),
    mark: mark === undefined ? undefined : String(mark),
  }),
});

const { update: _, ...fixed } = thing;
/** The kind without changes in place. */
const withoutUpdates: Definition = fixed;

test("a definition computes exactly the outputs that it declares, or does not compile", () => {
  const { computed: _, ...uncomputed } = thing;
  const computed = { address: "a", note: undefined, mark: undefined };
  const definitions = [
    defineResource({ ...uncomputed, computed: () => computed }),
    // @ts-expect-error one is missing
    defineResource({ ...uncomputed, computed: () => ({ address: "a", note: undefined }) }),
    // @ts-expect-error one is too many
    defineResource({ ...uncomputed, computed: () => ({ ...computed, adress: "a" }) }),
    // @ts-expect-error one has another type
    defineResource({ ...uncomputed, computed: () => ({ ...computed, note: 1 }) }),
  ];
  expect(definitions).toHaveLength(4);
});

test("a definition keeps from a create what it must not send, or does not compile", () => {
  const definition = defineResource({
    ...thing,
    create: async (_, sent, __, { wait }) => {
      // @ts-expect-error a control is not a part of the resource
      const { wait: ___ } = sent;
      // @ts-expect-error it is only taken by updates
      const { locked: ____ } = sent;
      return { ...LIVE, address: `${sent.name} ${wait}` };
    },
    update: async (_, id, { name, locked }) => ({ id, address: `${name} ${locked}` }),
  });
  expect(definition.kind).toBe("Thing");
});

const THING = { name: "a", size: 100, zone: "EU", workers: 3, env: {}, labels: {} };
const LIVE: Live = { id: "t", ...THING, tier: "fast", address: "10.0.0.1" };

const context = contextOf(NOWHERE);
const paths = (items: readonly { path: string }[]) => items.map(({ path }) => path);

describe("an adoption", () => {
  const plan = (args: Properties, live: Properties = {}, definition = thing) =>
    planAdoption({ ...definition, read: async () => ({ ...LIVE, ...live }) }, context, "t", { ...THING, ...args });

  test.each<[string, Properties, Properties, string[]]>([
    ["nothing", {}, {}, []],
    ["what differs", { workers: 1, labels: { a: "1" } }, {}, ["workers", "labels"]],
    ["a number that grows", { size: 200 }, {}, ["size"]],
    ["what is not known yet, even where it may replace", { zone: UNKNOWN, size: UNKNOWN }, {}, ["size", "zone"]],
    ["what the service never shows", { password: "p" }, {}, ["password"]],
    ["what the service never shows, but the kind knows to differ", { password: "p" }, { password: "q" }, ["password"]],
    ["not what the kind knows to be the same", { password: "p" }, { password: "p" }, []],
    ["not what would replace, or what is never sent", { places: ["EU"], stamp: "1" }, {}, []],
  ])("changes %s", async (_, args, live, changed) =>
    expect(paths((await plan(args, live)).differences)).toEqual(changed),
  );

  test("sends what the service never shows without a replacement", async () =>
    expect((await plan({ password: "p" })).differences).toStrictEqual([
      { path: "password", field: "password", old: undefined, next: "p", replaces: false, facts: { writeOnly: true } },
    ]));

  test.each<[string, Properties, Definition, string]>([
    ["what only a replacement changes", { zone: "US", workers: 1 }, thing, 'zone "EU" -> "US"'],
    ["a number that only grows", { size: 50, workers: 1 }, thing, "size 100 -> 50"],
    ["anything of a kind without updates", { workers: 1 }, withoutUpdates, "workers 3 -> 1"],
  ])("is refused for %s", (_, args, definition, difference) =>
    expect(plan(args, {}, definition)).rejects.toThrow(
      `Thing "t" can't be brought to these arguments in place: ${difference}. Declare these values as they are.`,
    ),
  );

  test("names the keys that stay, of maps where they do", async () => {
    const live = { env: { A: "1", HOST: "h" }, labels: { b: "1" } };
    expect((await plan({ env: { A: "2" } }, live)).undeclared).toEqual(["HOST"]);
    expect((await plan({ env: UNKNOWN }, live)).undeclared).toEqual(["A", "HOST"]);
    expect((await plan({}, { env: null })).undeclared).toEqual([]);
  });
});

test("differences are told in words, and secrets are not", () => {
  const textOf = (old: Properties, next: Properties, more: Properties = {}) =>
    differenceText(differences(inputs, { ...THING, ...old }, { ...THING, ...next }), { ...next, ...more });
  expect(textOf({}, { disk: { size: 1, path: "/" }, zone: UNKNOWN })).toBe(
    'zone "EU" -> (known after the update), disk (none) -> {"size":1,"path":"/"}',
  );
  expect(textOf({ token: "old" }, { token: "new" })).toBe("token (secret)");
  expect(textOf({ name: "old" }, { name: "new" }, { __secrets: ["name"] })).toBe("name (secret)");
  expect(textOf({ password: "old" }, { password: "new" })).toBe('password (not readable) -> "new"');
});

describe("a comparison", () => {
  const compared = (old: Properties, next: Properties, changes: Partial<Definition> = {}) =>
    compare({ ...thing, ...changes }, { ...THING, ...old }, { ...THING, ...next }, context);
  const split = (old: Properties, next: Properties) => {
    const { changes, drift } = compared(old, next);
    return { changes: paths(changes), drift: paths(drift) };
  };
  const one = { size: 5, path: "/a" };
  const moved = { ...one, path: "/b" };
  const zoneDrifted = { zone: "US", __declared: { zone: "EU" } };
  const diskDrifted = { disk: moved, __declared: { disk: one } };

  test.each<[string, Properties, Properties, string[], string[]]>([
    ["what the program changes", {}, { zone: "US" }, ["zone"], []],
    ["drift that only a replacement undoes", zoneDrifted, {}, [], ["zone"]],
    ["that drift, with a change of the same argument", zoneDrifted, { zone: "ASIA" }, ["zone"], []],
    ["that drift, with a change of another", zoneDrifted, { workers: 1 }, ["workers"], ["zone"]],
    ["what has grown", { size: 200, __declared: { size: 100 } }, {}, [], ["size"]],
    ["what has grown, and is to be smaller", { size: 200, __declared: { size: 100 } }, { size: 150 }, ["size"], []],
    ["drift that an update undoes", { tier: "fast", __declared: { tier: "slow" } }, { tier: "slow" }, ["tier"], []],
    ["drift inside", diskDrifted, { disk: one }, [], ["disk.path"]],
    ["drift beside a change", diskDrifted, { disk: { ...one, size: 6 } }, ["disk.size"], ["disk.path"]],
    ["drift of all around a change", { __declared: { disk: one } }, { disk: moved }, ["disk"], []],
    ["drift inside what the program removes", diskDrifted, {}, ["disk"], []],
    ["what an import could not read", { disk: one, ...noteUnread(["disk.path"]) }, { disk: moved }, [], []],
    ["more than it could not read", { ...noteUnread(["disk.path"]) }, { disk: one }, [], []],
    ["less than it could not read", { disk: one, ...noteUnread(["disk"]) }, { disk: moved }, [], []],
    ["what only begins alike", { ...noteUnread(["disk"]) }, { disks: [one] }, ["disks"], []],
    ["a placeholder of an import", { zone: PLACEHOLDER }, {}, [], []],
    ["a choice given back to the service", { tier: "slow", __declared: { tier: "slow" } }, {}, ["tier"], []],
    ["a choice given back that can't change", { rack: "r", __declared: { rack: "r" } }, {}, [], []],
    ["the service's own choice", { tier: "fast" }, {}, [], []],
  ])("tells apart %s", (_, old, next, changes, drift) => expect(split(old, next)).toStrictEqual({ changes, drift }));

  test("does not replace what gets its choice back", () => {
    const [difference] = compared({ tier: "slow", __declared: { tier: "slow" } }, {}).changes;
    expect(difference).toMatchObject({ field: "tier", old: "slow", next: undefined, replaces: false });
  });

  test("asks the kind: for defaults of an old state, for what is met, and for what no argument shows", () => {
    const withDefaults = (old: Properties) => ({ tier: "fast", ...old });
    expect(compared({}, { tier: "fast" }).changes).toHaveLength(1);
    expect(compared({}, { tier: "fast" }, { withDefaults }).changes).toEqual([]);
    const further = differences(inputs, { env: { A: "1" } }, { env: { A: "2" } });
    const ofKind: Partial<Definition> = {
      differences: (all, { size }) => all.filter(({ field }) => field !== "workers" || size !== 100).concat(further),
    };
    expect(paths(compared({}, { workers: 1, tier: "slow" }, ofKind).changes)).toEqual(["tier", "env"]);
    expect(paths(compared({}, { tier: "slow", __ignoreChanges: ["env", "tier"] }, ofKind).changes)).toEqual(["tier"]);
  });

  test("knows what replaces, and what can't be repaired in place", () => {
    const judged = (next: Properties, definition = thing) => {
      const [difference] = allDifferences(definition, THING, { ...THING, ...next }, context);
      if (difference === undefined) throw new Error("Nothing differs.");
      return [isReplacing(definition, difference, next), isDrastic(definition, difference)];
    };
    expect(judged({ workers: 1 })).toEqual([false, false]);
    expect(judged({ zone: "US" })).toEqual([true, true]);
    expect(judged({ size: 50 })).toEqual([false, true]);
    expect(judged({ workers: 1 }, withoutUpdates)).toEqual([true, true]);
    expect(judged({ workers: 1, __replaceOnChanges: ["workers"] })).toEqual([true, false]);
  });

  test.each<[string, Properties, Properties, boolean]>([
    ["once it is declared", zoneDrifted, { zone: "US" }, true],
    ["not while the program declares the old value", zoneDrifted, {}, false],
    ["one of two", { zone: "US", size: 200, __declared: { zone: "EU", size: 100 } }, { zone: "US" }, true],
    ["not where there is none", {}, {}, false],
    ["not a note of what the service may choose", { tier: "fast", __declared: { tier: "fast" } }, {}, false],
  ])("accepts drift: %s", (_, old, next, accepted) =>
    expect(acceptsDrift(thing, { ...THING, ...old }, { ...THING, ...next }, context)).toBe(accepted),
  );
});

describe("a read", () => {
  const refreshed = (old: Properties, live: Properties) =>
    refreshedReading(thing, context, { ...LIVE, ...live }, { ...THING, revision: 2, ...old });
  const computed = { address: "10.0.0.1", note: null, revision: 2 };
  const recorded = { ...THING, ...computed };

  test("follows what an update can undo, and keeps what was declared where only a replacement could", () => {
    const { inputs, state } = refreshed({}, { zone: "US", workers: 5 });
    expect(inputs).toStrictEqual({ ...THING, workers: 5 });
    expect(state).toStrictEqual({ ...THING, zone: "US", workers: 5, ...computed, __declared: { zone: "EU" } });
  });

  test("notes nothing where nothing drifted, and forgets what drifted back", () => {
    for (const old of [{}, { zone: "US", __declared: { zone: "EU" } }])
      expect(refreshed(old, {})).toStrictEqual({ inputs: THING, state: recorded });
  });

  test("keeps what the service may have chosen apart from what was declared", () => {
    expect(refreshed({ tier: "slow" }, {})).toStrictEqual({ inputs: THING, state: { tier: "slow", ...recorded } });
    const noted = refreshed({ tier: "slow", __declared: { tier: "slow" } }, {});
    expect(noted.inputs).toStrictEqual({ ...THING, tier: "fast" });
    expect(noted.state).toStrictEqual({ ...THING, tier: "fast", ...computed, __declared: { tier: "slow" } });
  });

  test("keeps the program's own arguments, and the marks of a state", () => {
    const marks = { ...noteUnread(["password"]) };
    const old = unfinished({ ...marks, adoptId: "t", __seed: "s" });
    const { inputs, state } = refreshed(old, {});
    expect(inputs).toStrictEqual({ ...THING, adoptId: "t", __seed: "s" });
    expect(state).toStrictEqual({ ...old, ...THING, ...computed });
  });

  test("of an id alone gives what a program has to declare", () => {
    const live = { ...LIVE, workers: 1, env: { HOST: "h" } };
    const unread = { __unread: ["env", "token", "password", "places", "stamp"] };
    const declared = { name: "a", size: 100, zone: "EU", tier: "fast" };
    expect(importedReading(thing, context, live)).toStrictEqual({
      inputs: { ...declared, ...unread, __imported: true },
      state: {
        __adopted: true,
        __imported: true,
        ...declared,
        ...{ workers: 1, env: {}, labels: {} },
        ...{ ...computed, revision: 1 },
        __declared: { tier: "fast" },
        ...unread,
      },
    });
    const withDefaults = (args: Properties) => ({ ...args, tier: args.tier ?? "fast" });
    expect(importedReading({ ...thing, withDefaults }, context, live)).toMatchObject({
      inputs: { name: "a", size: 100, zone: "EU", ...unread },
      state: { tier: "fast" },
    });
    expect(importedReading({ ...thing, withDefaults }, context, live).inputs).not.toHaveProperty("tier");
  });

  test("repairs what an edit by hand has damaged, which replaces nothing before", async () => {
    const next = { ...THING };
    for (const zone of [undefined, 7, { a: 1 }]) {
      const damaged = { ...THING, ...computed, zone };
      await expect(planChange(thing, context, "t", damaged, next)).rejects.toThrow(
        'Thing "t": the state is damaged: zone would replace it, and what is recorded there is no such value. Run `pulumi refresh`',
      );
      expect(refreshed(damaged, {}).inputs).toMatchObject({ zone: "EU" });
    }
  });

  test("imports a value that the schema refuses inside an argument, and says which", () => {
    const { context: telling, said } = withMessages(context);
    const idle = z.strictObject({ seconds: z.int().max(10) }).optional();
    const definition: AnyDefinition = {
      ...thing,
      inputs: inputs.extend({ idle }),
      observe: () => ({ name: "a", size: 100, zone: "EU", idle: { seconds: 99 } }),
    };
    const reading = importedReading(definition, telling, LIVE);
    expect(reading.inputs).toMatchObject({ name: "a", idle: { seconds: 99 } });
    expect(said).toEqual([expect.stringMatching(/imported with values .*: idle\.seconds /)]);
  });

  test("leaves a placeholder for what a rule requires and nobody can read", () => {
    const rules: Definition["rules"] = (args) =>
      (["password", "disk"] as const)
        .filter((property) => args[property] === undefined)
        .map((property) => ({ property, reason: "is required" }));
    const { inputs } = importedReading({ ...thing, rules }, context, LIVE);
    expect(inputs).toMatchObject({ password: PLACEHOLDER });
    expect(inputs).not.toHaveProperty("disk");
  });
});

describe("a state", () => {
  const stateFor = (live: Properties, old: Properties | undefined, changed = false) =>
    stateOf(thing, { ...LIVE, ...live }, context, THING, old, changed);

  test("has arguments, outputs and a revision; what is absent is null, and what is internal is left out", () => {
    expect(stateFor({}, undefined)).toStrictEqual({ ...THING, address: "10.0.0.1", note: null, revision: 1 });
    expect(stateFor({ note: "n", mark: "m" }, undefined)).toMatchObject({ note: "n", mark: "m" });
    const state = stateOf(thing, LIVE, context, { ...THING, tier: "fast" }, undefined, false);
    expect(state).toMatchObject({ __declared: { tier: "fast" } });
  });

  test("keeps outputs that programs rely on, unless another version wrote them in another form", () => {
    const old = { ...THING, address: "10.0.0.9", note: "n", revision: 4 };
    expect(stateFor({ address: undefined }, old)).toStrictEqual({
      ...THING,
      address: "10.0.0.9",
      note: null,
      revision: 4,
    });
    expect(stateFor({ address: undefined }, { ...old, address: 9 })).toMatchObject({ address: null });
    expect(stateFor({}, old)).toMatchObject({ address: "10.0.0.1" });
  });

  test("counts updates of ours", () => {
    const old = [{ revision: 4 }, {}, { revision: "4" }];
    const revised = old.flatMap((each) => [false, true].map((changed) => stateFor({}, each, changed).revision));
    expect(revised).toEqual([4, 5, 1, 1, 1, 1]);
    expect(outputsOf(thing, LIVE, context, { revision: 4 })).toHaveProperty("revision", 4);
    expect(outputsOf(thing, LIVE, context, {})).not.toHaveProperty("revision");
    const uncounted = { ...thing, outputs: z.object({ address: z.string() }) };
    expect(stateOf(uncounted, LIVE, context, THING, undefined, true)).not.toHaveProperty("revision");
  });

  test("gives the kind what it holds: arguments and readable outputs, without what the engine adds", () => {
    const seen: Properties[] = [];
    const computed: Definition["computed"] = (live, run, old) => {
      seen.push(old);
      return thing.computed(live, run, old);
    };
    const added = { id: "t", __seed: "s", __provider: "x" };
    const old = { ...THING, tier: null, address: "10.0.0.9", note: 9, mark: "m", ...added };
    outputsOf({ ...thing, computed }, LIVE, context, old);
    outputsOf({ ...thing, computed }, LIVE, context);
    expect(seen).toStrictEqual([{ ...THING, __seed: "s", address: "10.0.0.9", mark: "m" }, {}]);
  });

  test("is sent without what only the provider needs", () => {
    const args = { ...THING, password: "p", stamp: "1", wait: false, locked: true, adoptId: "t", __seed: "s" };
    const desired = { ...THING, password: "p", locked: true };
    expect(desiredOf(thing, args)).toStrictEqual(desired);
    const { locked: _, ...creatable } = desired;
    expect(creatableOf(thing, args)).toStrictEqual(creatable);
    expect([controlsOf(inputs, args), controlsOf(inputs, {})]).toStrictEqual([{ wait: false }, { wait: true }]);
  });
});

test("notes tell what was declared from what the service chose", () => {
  const state = { ...THING, zone: "US", tier: "fast", rack: "r", __declared: { zone: "EU", tier: "slow" } };
  expect(declaredLast(inputs, state)).toStrictEqual({ ...THING, tier: "slow" });
  expect(ambiguous(inputs, state)).toStrictEqual({ rack: "r" });
  expect(ambiguous(inputs, THING)).toStrictEqual({});
  for (const spoiled of [null, "zone", ["zone"], undefined]) expect(notes({ __declared: spoiled })).toStrictEqual({});
});
