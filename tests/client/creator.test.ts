/* What came of a create whose answer was lost, by what lists show one after another. By a clock that stands still but for pauses. */
import { beforeEach, expect, test } from "@jest/globals";
import fc from "fast-check";
import { AbortError, PermissionError, ServiceError } from "../../client";
import type { CallOptions, RetryEvent } from "../../client/options";
import { type Creation, Creator } from "../../client/outcomes/create";
import { APPEARS_WITHIN_MS } from "../../client/outcomes/retry";

interface Thing {
  id: string;
  name?: string | null;
  createdAt?: string | null;
}

const START = Date.UTC(2026, 0, 1);
const lost = new ServiceError("Bad Gateway", { status: 502, requestId: "r1", attempts: 1, elapsedMs: 5 });
const thing = (id: string, more: Partial<Thing> = {}): Thing => ({ id, name: "web", createdAt: at(0), ...more });
/** So many milliseconds after the create began. */
const at = (ms: number) => new Date(START + ms).toISOString();

let now: number;
/** How far the service's clock is ahead of ours. */
let aheadMs: number;
let waits: number[];
let events: RetryEvent[];
let creator: Creator;
const begin = () => {
  now = START;
  aheadMs = 0;
  waits = [];
  events = [];
  creator = new Creator({
    clock: {
      now: () => now,
      sleep: async (ms, signal) => {
        signal?.throwIfAborted();
        waits.push(ms);
        now += ms;
      },
    },
    serviceTime: (ms) => ms + aheadMs,
    settings: { observers: [{ onRetry: (event) => events.push(event) }] },
  });
};
beforeEach(begin);

/** Loses the answer; the looks then see one list after another, the last one for ever. */
async function created(lists: readonly (readonly Thing[] | Error)[], more: Partial<Creation<Thing, Thing>> = {}) {
  const remaining = [...lists];
  const listCalls: CallOptions[] = [];
  const deadlines: Date[] = [];
  const end = await creator
    .create<Thing, Thing>({
      kind: "Pod",
      name: "web",
      nameIdentifies: false,
      options: {},
      onLost: (until) => deadlines.push(until),
      list: async (options) => {
        listCalls.push(options);
        const next = (remaining.length > 1 ? remaining.shift() : remaining[0]) ?? [];
        if (next instanceof Error) throw next;
        return next;
      },
      adopt: async (candidate) => candidate,
      send: async (reconcile) => (await reconcile(lost))?.value ?? Promise.reject(lost),
      ...more,
    })
    .catch((error: unknown) => error);
  return { end, listCalls, deadlines };
}

test("a thing that a lost create has made is taken when two looks see it alone", async () => {
  const { end, listCalls, deadlines } = await created([[thing("a")]]);
  expect(end).toEqual(thing("a"));
  expect(waits).toEqual([3_000, 3_000]);
  expect(listCalls).toEqual([1, 2].map(() => ({ signal: undefined, timeoutMs: 30_000, attempts: 1 })));
  expect(deadlines).toEqual([new Date(START + APPEARS_WITHIN_MS)]);
  expect(events).toEqual(
    [3_000, 3_000].map((waitMs) => ({ call: "looking for Pod web", attempt: 1, waitMs, reason: "502" })),
  );
});

test("a thing that a lost create has made is taken when the second look fails", async () => {
  expect((await created([[thing("a")], lost])).end).toEqual(thing("a"));
});

test("a thing that a lost create has made is looked for less and less often, until it can't come up any more", async () => {
  const { end } = await created([[]]);
  expect(waits).toEqual([3_000, 4_500, 6_750, 10_125, 15_187.5, 20_000, 20_000, 10_437.5]);
  expect(end).toMatchObject({ name: "MayExistError", candidates: [], kind: "Pod", outcomeUnknown: true, status: 502 });
  expect(end).toMatchObject({ requestId: "r1", attempts: 1, elapsedMs: 5, mayComeUpUntil: new Date(START + 90_000) });
  expect(String(end)).toBe(
    "MayExistError: Pod web may exist: its create was sent, the answer was lost (Bad Gateway), and it has not appeared within " +
      `90 s. It may still appear until ${at(90_000)}. Look for it after that: adopt it by its id (adoptId: "<id>"), or delete it. ` +
      "If there is none, nothing came of the create: run again.",
  );
});

test("a thing that a lost create has made may come up late", async () => {
  expect((await created([[], [], [thing("a")]])).end).toEqual(thing("a"));
  expect(events.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 3]);
});

// finds mutant older-one-taken-over
test("a thing that a lost create has made is not taken for another's of its name, of before or of its own client", async () => {
  const others = [thing("old", { createdAt: at(-2_001) }), thing("b", { name: "other" }), thing("c", { name: null })];
  expect((await created([[...others, thing("a", { createdAt: at(-2_000) })]])).end).toMatchObject({ id: "a" });
  const again = await created([[thing("a", { createdAt: new Date(now).toISOString() })]]);
  expect(again.end).toMatchObject({ name: "MayExistError", candidates: [] });
});

test("a thing that a lost create has made of several of its name is none, and each is named", async () => {
  const { end } = await created([[thing("a"), thing("b")]]);
  expect(end).toMatchObject({ candidates: ["a", "b"] });
  expect(String(end)).toContain("the service lists a, b by that name, and any of them may be the one");
  expect(String(end)).toContain('Adopt the right one by its id (adoptId: "a")');
  expect(waits).toEqual([3_000]);
  // A twin may come up while the first is looked at, and the first may come back.
  for (const [name, ...ids] of [
    ["first", "a", "b"],
    ["second", "b"],
  ] as const) {
    const twin = (id: string) => thing(id, { name, createdAt: new Date(now).toISOString() });
    const later = await created([[twin("a")], ids.map(twin)], { name });
    expect(later.end).toMatchObject({ candidates: ["a", "b"] });
  }
});

test("a thing that a lost create has made of unknown age is none, unless its name tells", async () => {
  for (const createdAt of [undefined, null, "yesterday"]) {
    const ageless = [thing(`of ${createdAt}`, { createdAt: createdAt ?? null })];
    const { end } = await created([ageless], { name: "web" });
    expect(end).toMatchObject({ candidates: [`of ${createdAt}`] });
    expect(String(end)).toContain("by that name, and it may have come of an older create");
  }
  for (const createdAt of [null, at(-1e9)]) {
    const name = `own ${createdAt}`;
    const named = thing(name, { name, createdAt });
    expect((await created([[named]], { name, nameIdentifies: true })).end).toEqual(named);
  }
});

// finds mutant clocks-believed
test.each([
  [-3_600_000, "60 min"],
  [108_000_000, "30 h"],
  [119_999, undefined],
])("a thing that a lost create has made is none by its age where a clock is %d ms ahead", async (ms, apart) => {
  aheadMs = ms;
  const later = thing("a", { createdAt: at(Math.max(ms, 0)) });
  const { end } = await created([[later]]);
  if (apart === undefined) expect(end).toEqual(later);
  else expect(String(end)).toContain(`the service's clock and this machine's are ${apart} apart`);
  const unique = thing("b", { name: "unique" });
  expect((await created([[unique]], { name: "unique", nameIdentifies: true })).end).toEqual(unique);
});

test("a thing that a lost create has made without a name is looked for among those without one", async () => {
  const { end } = await created([[thing("named"), thing("a", { name: null })]], { name: "" });
  expect(end).toMatchObject({ id: "a" });
  expect(events[0]?.call).toBe("looking for Pod");
  expect(String((await created([[]], { name: "" })).end)).toContain("MayExistError: Pod may exist");
});

test("a thing that a lost create has made that can't be read is named", async () => {
  const { end } = await created([[thing("a")]], { adopt: () => Promise.reject(new ServiceError("no answer")) });
  expect(end).toMatchObject({ name: "MayExistError", candidates: ["a"] });
  expect(String(end)).toContain("a is the one, but could not be read (no answer)");
  const mistake = new TypeError("a mistake of ours");
  const other = [thing("b", { name: "other", createdAt: new Date(now).toISOString() })];
  const adopt = () => Promise.reject(mistake);
  expect((await created([other], { name: "other", adopt })).end).toBe(mistake);
});

const denied = new PermissionError("no access", { status: 403 });
const schedule = fc.record({
  /** When the service finishes what it was asked for; null: never. */
  doneAfterS: fc.option(fc.integer({ min: 0, max: 200 }), { freq: 4 }),
  /** Something by the same name that was there before, and how long. */
  olderS: fc.option(fc.integer({ min: 5, max: 500 })),
  failures: fc.array(fc.constantFrom(undefined, lost, lost, lost, denied), { maxLength: 4 }),
  nameIdentifies: fc.boolean(),
  lagMs: fc.constantFrom(0, 1_000, 2_500),
  aheadMs: fc.constantFrom(0, 3_600_000, -3_600_000),
});

test("a thing that a lost create has made is taken whenever it comes up, and nothing else ever is", async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(schedule, async ({ doneAfterS, olderS, failures, nameIdentifies, lagMs, ...ahead }) => {
      begin();
      ({ aheadMs } = ahead);
      const aged = (id: string, s: number) => ({
        ...thing(id, { createdAt: at(s * 1_000 + aheadMs) }),
        at: START + s * 1_000,
      });
      const things = [
        ...(olderS === null || nameIdentifies ? [] : [aged("older", -olderS)]),
        ...(doneAfterS === null ? [] : [aged("own", doneAfterS)]),
      ];
      const remaining = [...failures];
      const list = async () => {
        const failure = remaining.shift();
        if (failure) throw failure;
        return things.filter((each) => each.at + lagMs <= now);
      };
      const { end } = await created([], { nameIdentifies, list });
      const canTell = nameIdentifies || aheadMs === 0;
      const isOwn = doneAfterS !== null && canTell && !(end instanceof Error);
      expect(end).toMatchObject(isOwn ? { id: "own" } : { name: "MayExistError" });
      if (doneAfterS !== null && doneAfterS < 60 && canTell && failures.length === 0) expect(isOwn).toBe(true);
      taken += isOwn ? 1 : 0;
    }),
    { numRuns: 500 },
  );
  expect(taken).toBeGreaterThan(50);
});

test("a thing that a lost create has made may be of an earlier create by its name, of which nobody knows what came", async () => {
  await created([[]]);
  const late = () => new Date(now).toISOString();
  expect((await created([[thing("a", { createdAt: late() })]])).end).toMatchObject({ candidates: ["a"] });
  expect((await created([[thing("b", { name: "other", createdAt: late() })]], { name: "other" })).end).toMatchObject({
    id: "b",
  });
});

test("a thing that a lost create has made is of this create, where an earlier one by its name was refused", async () => {
  const refused = new PermissionError("no", { status: 403 });
  expect((await created([[]], { send: () => Promise.reject(refused) })).end).toBe(refused);
  expect((await created([[thing("a")]])).end).toEqual(thing("a"));
});

test.each<[string, Error]>([
  ["is down", new ServiceError("down", { status: 503 })],
  ["can't be reached", new ServiceError("no route", { code: "ECONNRESET" })],
  ["can't be understood", new ServiceError("odd", { status: 200 })],
  ["is over a quota", new ServiceError("slow down", { status: 429 })],
])("a list that fails as it %s is asked for again", async (_, error) => {
  expect((await created([error, [thing("a")]])).end).toEqual(thing("a"));
});

test.each([
  ["says so", [], "the list that would tell could not be read (no access)"],
  [
    "after it was read says what is known",
    [[]],
    "it has not appeared yet, and the list can no longer be read (no access)",
  ],
])("a list that fails for good %s", async (_, read, words) => {
  const { end } = await created([...read, denied]);
  expect(waits).toHaveLength(1 + read.length);
  expect(end).toMatchObject({ name: "MayExistError", candidates: [] });
  expect(String(end)).toContain(words);
});

test("a list that fails by a mistake of ours is that mistake", async () => {
  const mistake = new TypeError("a mistake of ours");
  expect((await created([mistake])).end).toBe(mistake);
});

// finds mutant creates-of-one-name-at-once
test("creates of one name go one after another, of others at once", async () => {
  const order: string[] = [];
  const open: (() => void)[] = [];
  const send = (id: string) => async () => {
    order.push(`${id} begins`);
    await new Promise<void>((resolve) => open.push(resolve));
    order.push(`${id} ends`);
    return thing(id);
  };
  const all = [
    created([], { send: send("first") }),
    created([], { send: send("second") }),
    created([], { send: send("other"), name: "other" }),
  ];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  expect(order).toEqual(["first begins", "other begins"]);
  for (const each of open.splice(0)) each();
  await turn();
  expect(order).toEqual(["first begins", "other begins", "first ends", "other ends", "second begins"]);
  for (const each of open.splice(0)) each();
  expect((await Promise.all(all)).map(({ end }) => end)).toEqual([thing("first"), thing("second"), thing("other")]);
});

test("creates go on after one that failed", async () => {
  const failed = created([], { send: () => Promise.reject(lost) });
  const next = created([], { send: async () => thing("a") });
  expect([(await failed).end, (await next).end]).toEqual([lost, thing("a")]);
});

test("creates that are aborted look once, quickly, and name what they see", async () => {
  const cause = new RangeError("enough");
  const aborted = new AbortError("aborted", {}, cause);
  const { end, listCalls } = await created([[thing("a")]], { send: () => Promise.reject(aborted) });
  expect(end).toMatchObject({ name: "AbortError", candidates: ["a"], cause, mayComeUpUntil: new Date(START + 90_000) });
  expect(String(end)).toContain(
    'Pod web may exist: its create was aborted after it was sent. Adopt the right one by its id (adoptId: "a")',
  );
  expect([listCalls, waits]).toEqual([[{ timeoutMs: 2_000, attempts: 1 }], []]);
  for (const failure of [lost, new TypeError("a mistake of ours")]) {
    const unseen = await created([failure], { send: () => Promise.reject(aborted) });
    expect(unseen.end).toMatchObject({ name: "AbortError", candidates: [] });
  }
});
