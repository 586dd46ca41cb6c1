import { expect, test } from "@jest/globals";
import { RateLimitError, type RetryEvent, systemClock } from "../../client";
import { impatient } from "../harness/place";
import { json, Script, type Step, serverForEach, silence } from "../harness/script";
import { errorOf, soon } from "../harness/until";

const keys = json({ keys: [] });

const script = serverForEach(new Script());

const sum = (waits: number[]) => waits.reduce((total, ms) => total + ms, 0);

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
  expect(sum(clock.waits)).toBeLessThanOrEqual(10 * 250);
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

test("a quota that lasts longer than the call may take is an error at once", async () => {
  script.play(json({}, 429, { "retry-after": "60" }));
  const clock = impatient();
  await expect(script.client({ clock }).sshKeys.get({ timeoutMs: 20_000 })).rejects.toThrow(RateLimitError);
  expect(clock.waits).toEqual([]);
  expect(script.received).toHaveLength(1);
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
