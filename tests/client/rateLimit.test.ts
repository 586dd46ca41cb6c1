import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { RateLimitError } from "../../client";
import { impatient, Place } from "../harness/place";
import { errorOf } from "../harness/until";

const quotas = (minute: number, hour = 100_000, day = 1_000_000) => ({
  rateLimitExempt: false,
  quotas: { minute, hour, day },
});

describe("a quota told by the service", () => {
  let place: Place;
  beforeEach(async () => {
    place = await Place.start({ settings: quotas(600) });
  });
  afterEach(() => place.close());
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
  let place: Place;
  beforeAll(async () => {
    place = await Place.start();
  });
  beforeEach(() => place.reset());
  afterAll(() => place.close());

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

  test("that never ends fails in the end, with attempts and time", async () => {
    await place.fault({ path: "/v2/pods", times: 1000 }, { status: 429, headers: { "retry-after": "30" } });
    const error = await errorOf(place.client().pods.list(), RateLimitError);
    expect(error).toMatchObject({ retryAfter: 30, attempts: expect.any(Number), elapsedMs: expect.any(Number) });
    expect(await place.calls()).toHaveLength(error.attempts ?? 0);
  });
});
