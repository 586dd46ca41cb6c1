/* What a fleet is made of, part by part: its members' arguments and states, Pulumi's options on them, and what is said. */
import { describe, expect, test } from "@jest/globals";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import type { Properties } from "../../provider/lifecycle/fields/values";
import {
  ignoredChangesOf,
  logicalNameOf,
  type Member,
  membersIn,
  refuseLostValues,
  renamedMembers,
  replacedOnChangesOf,
  seedOf,
  stateOf,
  underNewNames,
  withFleetDefaults,
  withIgnored,
  within,
} from "../../provider/resources/fleet/members";
import { describePlan, type PlannedMember, refuseLosses } from "../../provider/resources/fleet/plan";
import { pool } from "../../provider/resources/fleet/pool";

const mapOf = (members: Readonly<Record<string, Member>>) => new Map(Object.entries(members));

describe("a fleet's state", () => {
  const state = {
    endpoints: { chat: { gpuIds: "ADA_24", image: "i:1", env: { A: "a" } }, rank: { gpuIds: "AMPERE_16" }, odd: 5 },
    ids: { chat: "e1", rank: "e2" },
    revisions: { chat: 3 },
    requestUrls: { chat: "urls" },
    templateIds: { chat: "t1" },
    templates: { chat: { name: "chat-t", disk: null } },
  };
  const chat = {
    endpoint: { id: "e1", state: { gpuIds: "ADA_24", revision: 3, requestUrls: "urls" } },
    template: { id: "t1", state: { name: "chat-t", image: "i:1", env: { A: "a" } } },
  };
  const rank = { endpoint: { id: "e2", state: { gpuIds: "AMPERE_16" } } };

  test("holds its members, each as its endpoint and its template", () =>
    expect(Object.fromEntries(membersIn(state))).toEqual({ chat, rank, odd: {} }));

  test("is made of them again, without what follows from the fleet", () => {
    const seeded = { __seed: "s", __replaceOnChanges: ["*"], __ignoreChanges: ["name"] };
    const whole = {
      endpoint: { id: "e1", state: { ...chat.endpoint.state, ...seeded, name: null } },
      template: { id: "t1", state: { ...chat.template.state, ...seeded } },
    };
    const left = { template: { id: "t9", state: { image: "i:9", name: "left-t" } } };
    expect(stateOf(mapOf({ chat: whole, rank, left }))).toStrictEqual({
      endpoints: { chat: state.endpoints.chat, rank: state.endpoints.rank, left: { image: "i:9" } },
      ids: state.ids,
      revisions: state.revisions,
      requestUrls: state.requestUrls,
      templateIds: { ...state.templateIds, left: "t9" },
      templates: { chat: { name: "chat-t" }, left: { name: "left-t" } },
    });
  });

  test("holds no member by the names that every object has", () => {
    const ids = Object.create({ chat: "inherited" });
    expect(membersIn({ endpoints: { chat: {} }, ids }).get("chat")).toEqual({});
    expect(membersIn({ ids: { chat: "e1" } }).get("chat")?.endpoint).toEqual({ id: "e1", state: {} });
  });
});

const one = { endpoint: { id: "e1", state: {} }, template: { id: "t1", state: {} } };
const two = { endpoint: { id: "e2", state: {} } };
const bare = { template: { id: "t3", state: {} } };
const old = mapOf({ one, two, bare });

test.each<[string, Properties, Properties]>([
  ["one that adopts what another had", { other: { adoptId: "e1" } }, { other: "one" }],
  ["two that swap", { one: { adoptId: "e2" }, two: { adoptId: "e1" } }, { one: "two", two: "one" }],
  ["one that has lost its endpoint", { bare: { adoptId: "e1" } }, { bare: "one" }],
  ["none that has an endpoint of its own", { two: { adoptId: "e1" } }, {}],
  ["none that names its own", { one: { adoptId: "e1" } }, {}],
  ["none that names a stranger's", { other: { adoptId: "e9" } }, {}],
  ["none that names nothing yet", { other: { adoptId: UNKNOWN }, more: {}, odd: 5 }, {}],
])("members under other names are %s", (_, wanted, renamed) =>
  expect(Object.fromEntries(renamedMembers(old, wanted))).toEqual(renamed),
);

test("members under other names keep endpoint and template; a template that a failed run has made goes on under the new name", () => {
  const moved = (names: Record<string, string>) =>
    Object.fromEntries(underNewNames(old, new Map(Object.entries(names))));
  expect(moved({ other: "one" })).toEqual({ two, bare, other: one });
  const taken = { endpoint: one.endpoint, template: bare.template };
  expect(moved({ bare: "one" })).toEqual({ two, bare: taken, one: { template: one.template } });
  expect(moved({ one: "two", two: "one" })).toEqual({ one: two, two: one, bare });
});

const shared = { templateId: "t", templateRevision: 1 };
const merged = (defaults: unknown, member: unknown) =>
  withFleetDefaults({ endpoints: { m: member }, defaults } as Properties)?.m;

test.each<[string, unknown, unknown, unknown]>([
  ["are theirs where they are null", { workersMax: 2 }, { workersMax: null }, { workersMax: 2 }],
  ["bring variables where defaults have none", { image: "i" }, { env: { B: "c" } }, { image: "i", env: { B: "c" } }],
  [
    "replace variables one by one",
    { env: { A: "a", B: "b" } },
    { env: { B: "c" }, disk: 5 },
    { env: { A: "a", B: "c" }, disk: 5 },
  ],
  ["keep what is not known of variables", { env: UNKNOWN }, { env: { B: "c" } }, { env: { B: "c" } }],
  ["with an image take the place of a template", { ...shared, disk: 5 }, { image: "i" }, { image: "i", disk: 5 }],
  [
    "that name a template take the place of a container",
    { image: "i", env: { A: "a" }, templateRevision: 1 },
    { templateId: "t" },
    { templateId: "t" },
  ],
  ["that are no object stay what they are", { gpuIds: "A" }, "odd", "odd"],
])("a member's arguments %s", (_, defaults, member, result) => expect(merged(defaults, member)).toEqual(result));

test.each<[Properties]>([[{ endpoints: UNKNOWN }], [{ endpoints: 5 }], [{}], [{ endpoints: {}, defaults: UNKNOWN }]])(
  "a member's arguments are not known of %j",
  (fleet) => expect(withFleetDefaults(fleet)).toBeUndefined(),
);

test("a member's arguments have a place, and a name that begins with the fleet's", () => {
  const [s, t] = [{ __seed: "s" }, { __seed: "t" }];
  const seeds = [seedOf(s, "a"), seedOf(s, "b"), seedOf(t, "a"), seedOf(s, "a", "template")];
  expect(new Set(seeds).size).toBe(4);
  for (const seed of seeds) expect(seed).toMatch(/^[0-9a-f]{16}$/);
  const names = [{ __logicalName: "models" }, {}].map((fleet) => logicalNameOf(fleet, "chat"));
  expect(names).toEqual(["models-chat", "chat"]);
  expect([within("chat", "type"), within("chat", "")]).toEqual(["endpoints.chat.type", "endpoints.chat"]);
});

describe("Pulumi's options on members", () => {
  const fleet = (option: object, more: object = {}) => ({
    endpoints: { chat: {}, new: {} },
    defaults: { env: { A: "a", B: "b" }, workersMax: 2 },
    ...option,
    ...more,
  });
  const chat = { workersMax: 1, env: { A: "old" } };
  const state = { endpoints: { chat }, defaults: { env: { A: "z", B: "b" }, workersMax: 2 } };

  test.each<[string, string[]]>([
    ["endpoints.chat.workersMax", ['["workersMax"]']],
    ["endpoints.*.workersMax", ['["workersMax"]']],
    ["endpoints.chat", [""]],
    ["endpoints.other.workersMax", []],
    ["defaults.workersMax", []],
    ["defaults.env.A", ['["env"]["A"]']],
    ["defaults.env.*", ['["env"]["*"]']],
    ["defaults.env.B", []],
    ["defaults", [""]],
    ["released", []],
  ])("replaceOnChanges of %s asks of a member for %j", (path, memberPaths) =>
    expect(replacedOnChangesOf("chat", fleet({ __replaceOnChanges: [path] }), state)).toEqual(memberPaths),
  );

  test("ignoreChanges concerns a member by its own paths and by those of the defaults", () => {
    const paths = ["endpoints.chat.a", "endpoints.*.b", "defaults.c", "endpoints.other.d", "released"];
    expect(ignoredChangesOf("chat", fleet({ __ignoreChanges: paths }))).toEqual(['["a"]', '["b"]', '["c"]']);
  });

  test("ignoreChanges of all members keeps what is recorded of each", () => {
    const next = fleet(
      { __ignoreChanges: ["endpoints.*.workersMax", "endpoints.*.env.*", "endpoints.*.odd.deep"] },
      { endpoints: { chat: { workersMax: 5, env: { A: "new", B: "b" }, odd: 1 }, new: { workersMax: 5 } } },
    );
    expect(withIgnored(next, state).endpoints).toStrictEqual({ chat: { ...chat, odd: 1 }, new: { workersMax: 5 } });
    for (const path of ["endpoints.*", "endpoints.chat.workersMax", "defaults.*.workersMax"]) {
      const other = { ...next, __ignoreChanges: [path] };
      expect(withIgnored(other, state)).toBe(other);
    }
    const deep = { __ignoreChanges: ["endpoints.*.odd.deep"], endpoints: { chat: { odd: { deep: 1 } } } };
    expect(withIgnored(deep, { endpoints: { chat: { odd: 5 } } })).toEqual(deep);
    const unknown = { ...next, endpoints: UNKNOWN };
    expect(withIgnored(unknown, state)).toBe(unknown);
  });

  test.each<[string, boolean]>([
    ["endpoints.new.env.A", true],
    ["endpoints.chat.workersMax", false],
    ["endpoints.gone.workersMax", false],
    ["endpoints.*.workersMax", false],
    ["endpoints.new", false],
    ["endpoints", false],
    ["defaults.new.workersMax", false],
  ])("ignoreChanges of %s loses a value of a new member: %s", (path, isLost) => {
    const check = () => refuseLostValues(fleet({ __ignoreChanges: [path] }), state);
    if (isLost)
      expect(check).toThrow(/names endpoints\.new\.env\.A, and endpoints\.new is new: .*endpoints\["\*"\]\.env\.A\.$/);
    else expect(check).not.toThrow();
  });
});

type Fate = PlannedMember["fate"];
const planned = (fate: Fate, name: string, id?: string) => ({ name, fate, id, what: `${name} ${fate}` });

test("of more than twenty members the plan shows names alone", () => {
  const many = Array.from({ length: 22 }, (_, index) => planned("update", `m${index}`));
  expect(describePlan([...many, planned("delete", "last", "e1")])).toMatch(
    /^members: 1 to delete, 22 to update; endpoints\.last: last delete; endpoints\.m0: .*endpoints\.m18: m18 update; 3 more to update: m19, m20, m21$/,
  );
});

test("what becomes of members of thousands names the first ones, and every member that is lost", () => {
  const many = (fate: Fate) => Array.from({ length: 1_000 }, (_, index) => planned(fate, `${fate}${index}`, "e"));
  const words = describePlan([...many("update"), ...many("delete")]);
  expect(words).toMatch(
    /980 more to delete: delete20, .*, delete999; 1000 more to update: update0, .*, update199 and 800 others$/,
  );
});

test("what becomes of members is counted also where none but a replacement loses an endpoint", () =>
  expect(describePlan([planned("replace", "b")])).toMatch(/^members: 1 to replace; /));

test("what becomes of members is not refused of a protected fleet where a member has no endpoint to lose", () =>
  expect(() => refuseLosses("ServerlessFleet models", [planned("delete", "bare")])).not.toThrow());

test("a pool works on so many at a time, on each once, and what fails fails alone", async () => {
  const begun: number[] = [];
  const failures: unknown[] = [];
  let under = 0;
  let most = 0;
  const work = async (item: number) => {
    begun.push(item);
    under += 1;
    most = Math.max(most, under);
    await new Promise((resolve) => setImmediate(resolve));
    under -= 1;
    if (item === 2) throw new Error("two");
  };
  await pool([1, 2, 3, 4, 5], 2, new AbortController().signal, work, (item, error) =>
    failures.push([item, String(error)]),
  );
  expect([begun, most, failures]).toEqual([[1, 2, 3, 4, 5], 2, [[2, "Error: two"]]]);
});
