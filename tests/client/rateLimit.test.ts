import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { RateLimitError, type RetryEvent, systemClock } from "../../client";
import { impatient, Place, placeForAll } from "../harness/place";
import { json, Script, type Step, serverForEach, silence } from "../harness/script";
import { errorOf, soon } from "../harness/until";

const quotas = (minute: number, hour = 100_000, day = 1_000_000) => ({
  rateLimitExempt: false,
  quotas: { minute, hour, day },
});

describe("a quota told by the service", () => {
  let place: Place;
  beforeEach(async () => {
    place = await Place.start({ settings: quotas(600) });
  });
  afterEach(() => place[Symbol.asyncDispose]());
  const refusals = async () => (await place.calls()).filter(({ status }) => status === 429).length;

  test("lets 1,000 reads at once pass 600 a minute with at most 3 answers of 429", async () => {
    const client = place.client({ clock: place.sharedClock() });
    await Promise.all(Array.from({ length: 1000 }, () => client.sshKeys.get()));
    const calls = await place.calls();
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(1000);
    expect(await refusals()).toBeLessThanOrEqual(3);
  });

  test("used up by others stops all calls once, and lets them go on together", async () => {
    await place.service.settings(quotas(10));
    const others = place.client({ clock: impatient() });
    await Promise.all(Array.from({ length: 10 }, () => others.sshKeys.get()));
    await place.forgetCalls();

    const client = place.client({ clock: place.sharedClock() });
    await Promise.all(Array.from({ length: 9 }, () => client.sshKeys.get()));
    expect(await refusals()).toBe(1);
    expect(await place.calls()).toHaveLength(10);
  });

  test("is not overdrawn by two clients that share it, but for a call or two a window", async () => {
    await place.service.settings(quotas(60));
    const clock = place.sharedClock();
    const clients = [place.client({ clock }), place.client({ clock })];
    await Promise.all(Array.from({ length: 160 }, (_, index) => clients[index % 2]?.sshKeys.get()));
    expect((await place.calls()).filter(({ status }) => status === 200)).toHaveLength(160);
    expect(await refusals()).toBeLessThanOrEqual(10);
  });

  test("of which little remains does not slow a small run", async () => {
    await place.service.settings(quotas(100, 100));
    const clock = impatient();
    const client = place.client({ clock });
    for (let call = 0; call < 100; call += 1) await client.sshKeys.get();
    expect(clock.waits).toEqual([]);
  });

  test("that is used up for longer than the budget fails at once and names the window", async () => {
    await place.service.settings(quotas(600, 2));
    const client = place.client({ clock: place.sharedClock() });
    await client.sshKeys.get();
    await client.sshKeys.get();
    const error = await errorOf(client.sshKeys.get(), RateLimitError);
    expect(error).toMatchObject({ window: "hour", retryAfter: expect.any(Number) });
    expect(error.message).toContain("GET /v2/account/ssh-keys was not sent");
    expect(error).not.toHaveProperty("status");
    expect(await place.calls()).toHaveLength(2);
  });
});

const total = (waits: number[]) => waits.reduce((sum, ms) => sum + ms, 0);

describe("an answer of 429", () => {
  const place = placeForAll();
  beforeEach(() => place.reset());

  test("waits for the longest exhausted window, not for the one that is named first", async () => {
    const clock = impatient();
    const client = place.client({ clock });
    const headers = {
      "retry-after": "3",
      ratelimit: '"minute";r=0;t=3, "hour";r=0;t=50, "day";r=9;t=70000',
      "ratelimit-policy": '"minute";q=60;w=60',
    };
    await place.fault({ path: "/v2/pods" }, { status: 429, headers });
    await client.pods.list();
    expect(total(clock.waits)).toBeGreaterThan(45_000);
  });

  test("on GraphQL keeps its Retry-After though the body is plain text, and leaves REST alone", async () => {
    const clock = impatient();
    const client = place.client({ clock });
    await place.fault({ interface: "graphql" }, { status: 429, headers: { "retry-after": "9" }, body: "slow down" });
    await client.endpoints.list();
    expect(total(clock.waits)).toBeGreaterThan(8_000);
    clock.waits.length = 0;
    await client.pods.list();
    expect(clock.waits).toEqual([]);
  });
});

const keys = json({ keys: [] });

const script = serverForEach(new Script());

/** Answers only once all `count` requests are here: the calls are under way together. */
function together(count: number, answer: Step): Step {
  const held: (() => void)[] = [];
  return (request, response) => {
    held.push(() => answer(request, response));
    if (held.length === count) for (const release of held) release();
  };
}

test("ten 429s to calls that were under way together count as one", async () => {
  const clock = impatient();
  const client = script.client({ clock });
  script.play(keys);
  await client.sshKeys.get();
  clock.waits.length = 0;
  const refuse = together(10, json({}, 429));
  script.play(...Array.from({ length: 10 }, () => refuse), keys);
  await Promise.all(Array.from({ length: 10 }, () => client.sshKeys.get()));
  // One refusal keeps everybody back for a first, short back-off: at most 250 ms, in which each call's own ends too.
  expect(Math.max(...clock.waits)).toBeLessThanOrEqual(250);
  expect(total(clock.waits)).toBeLessThanOrEqual(10 * 250);
});

test("a first answer that is slow keeps the other calls for two seconds, no longer", async () => {
  script.play(silence, keys);
  const abort = new AbortController();
  const client = script.client({ clock: undefined });
  const slow = client.sshKeys.get({ signal: abort.signal });
  await soon(Promise.all(Array.from({ length: 5 }, () => client.sshKeys.get())));
  abort.abort(new Error("enough of it"));
  await expect(slow).rejects.toThrow("enough of it");
});

test("Retry-After as a date is measured by the service's own clock", async () => {
  const clock = impatient();
  const date = new Date("2031-05-01T10:00:00Z");
  const headers = { date: date.toUTCString(), "retry-after": new Date(date.getTime() + 42_000).toUTCString() };
  script.play(json({}, 429, headers), keys);
  await script.client({ clock }).sshKeys.get();
  expect(clock.waits.some((ms) => ms > 41_000 && ms <= 42_000)).toBe(true);
});

test.each<[number, Record<string, string>]>([
  [429, { "retry-after": "99999999999999999999" }],
  [429, { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }],
  [429, { ratelimit: '"day";r=0;t=999999999999999' }],
  [200, { ratelimit: '"day";r=0;t=999999999999999' }],
  [503, { "retry-after": "99999999999999999999" }],
])("a wait of centuries, which nobody can mean, is ignored: %s with %j", async (status, headers) => {
  script.play(json({ keys: [] }, status, headers), keys);
  const client = script.client();
  await client.sshKeys.get();
  expect(await client.sshKeys.get()).toEqual([]);
});

test("a wait that is longer than a timer takes is not cut to nothing", async () => {
  const end = new AbortController();
  const long = systemClock.sleep(2 ** 33, end.signal).then(() => "the long one");
  expect(await Promise.race([long, systemClock.sleep(20).then(() => "the short one")])).toBe("the short one");
  end.abort(new Error("no longer"));
  await expect(long).rejects.toThrow("no longer");
});

test("a clock that is set back an hour keeps nobody waiting", async () => {
  const quotaHeaders = { ratelimit: '"minute";r=50;t=12', "ratelimit-policy": '"minute";q=60;w=60' };
  script.play(json({ keys: [] }, 200, quotaHeaders));
  const client = script.client({ clock: undefined, retryBudgetMs: 5_000 });
  await client.sshKeys.get();
  const systemNow = Date.now;
  Date.now = () => systemNow() - 3_600_000;
  try {
    script.play(json({}, 429, { "retry-after": "0.2" }), keys);
    await soon(client.sshKeys.get());
  } finally {
    Date.now = systemNow;
  }
});

test("a refusal is waited for once, and reported once, for as long as it asks", async () => {
  script.play(json({}, 429, { "retry-after": "2" }), keys);
  const clock = impatient();
  const events: RetryEvent[] = [];
  await script.client({ clock, onRetry: (event) => events.push(event) }).sshKeys.get();
  expect(clock.waits).toEqual([2_000]);
  expect(events).toEqual([{ call: "GET /v2/account/ssh-keys", attempt: 1, waitMs: 2_000, reason: "429" }]);
});

test.each([200, 429])(
  "a window that a %i says to be used up for a day is tried again after a minute",
  async (status) => {
    script.play(json({ keys: [] }, status, { ratelimit: '"day";r=0;t=86400' }), json({ keys: [] }));
    let ahead = 1;
    const clock = { now: () => ahead, sleep: async () => {} };
    const client = script.client({ clock });
    await client.sshKeys
      .get()
      .catch((error: unknown) => expect([error, status]).toMatchObject([{ window: "day" }, 429]));
    const refused = await errorOf(client.sshKeys.get(), RateLimitError);
    expect(refused).toMatchObject({ message: expect.stringContaining("was not sent"), window: "day" });
    ahead += 61_000;
    expect(await client.sshKeys.get()).toEqual([]);
    expect(script.received).toHaveLength(2);
  },
);
