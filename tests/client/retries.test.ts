import { expect, test } from "@jest/globals";
import { ComputeCloudError, ServiceError } from "../../client";
import type { CallLimiter, Permit, WireCall } from "../../client/calls/call";
import { Cancellation, TimeLimit } from "../../client/calls/cancellation";
import { CallHooks } from "../../client/calls/hooks";
import { pauseFirst } from "../../client/calls/rateLimit";
import { Sending } from "../../client/calls/sending";
import { CallsUnderWay, LateChanges, Reachability, ServiceClock } from "../../client/calls/shared";
import type { Clock, RetryEvent } from "../../client/options";
import { failureOfAnswer, failureOfTime } from "../../client/outcomes/failures";
import type { AttemptResult, CallClass, Failure, Reconcile } from "../../client/outcomes/retry";
import type { Fault } from "../../client/outcomes/statuses";

// How often a call is sent, and what it tells in the end, by what its attempts met: without a server, whose answers might come late.

const facts = { method: "POST", kind: "Pod", label: "POST /v2/pods", quota: "rest" };
const answered = (status: number): AttemptResult<never> => ({
  failure: failureOfAnswer({ status, header: () => undefined, text: "" }, facts, undefined),
});
const cutShort = (sent: boolean): AttemptResult<never> => ({
  failure: failureOfTime(60_000, sent ? "sent" : "unsent", facts),
});

interface Run<T> extends Pick<Partial<WireCall>, "attempts" | "timeoutMs"> {
  budgetMs?: number;
  attemptMs?: number;
  reconcile?: Reconcile<T>;
  /** Why the call is ended in its first pause. */
  ended?: Error;
}

/** Sends a call by a clock that stands still but for pauses. */
async function sent<T>(
  kind: CallClass,
  outcomes: readonly AttemptResult<T>[],
  { budgetMs = 120_000, attemptMs = 0, reconcile, ended, ...call }: Run<T> = {},
) {
  const left = [...outcomes];
  const waits: number[] = [];
  const events: RetryEvent[] = [];
  let now = 1_000_000;
  const clock: Clock = {
    now: () => now,
    sleep: async (ms, signal) => {
      if (ended !== undefined) cancellation.end(ended);
      signal?.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
  const cancellation = new Cancellation();
  const permit: Permit = { refusal: undefined, answered() {}, done() {} };
  const limiter: CallLimiter = {
    tryAdmit: () => permit,
    async admit(waiting) {
      await pauseFirst(waiting, clock);
      return permit;
    },
  };
  const { label, quota } = facts;
  const wire: WireCall = { method: "POST", kind: "Pod", label, quota, url: "http://h/v2/pods", class: kind, ...call };
  const sending = new Sending(wire, {
    settings: { clock, retryBudgetMs: budgetMs },
    limiter,
    cancellation,
    facts: () => facts,
    limitMs: call.timeoutMs ?? Number.POSITIVE_INFINITY,
    serviceClock: new ServiceClock(clock),
    address: new Reachability(3_000),
    lateChanges: new LateChanges(clock),
    hooks: new CallHooks([{ onRetry: (event) => events.push(event) }]),
    underWay: new CallsUnderWay(),
  });
  const end: unknown = await sending
    .run(async () => {
      now += attemptMs;
      return left.shift() ?? { value: "answered" as T };
    }, reconcile)
    .catch((error: unknown) => error);
  sending.release();
  return { end, attempts: sending.number, waits, events };
}

/** The name and status of the error, and whether the call may have acted. */
async function endOf(kind: CallClass, outcomes: AttemptResult<never>[], run: Run<never> = {}) {
  const { end } = await sent<never>(kind, [...outcomes, cutShort(false)], run);
  if (!(end instanceof ComputeCloudError)) throw new TypeError("the call ended otherwise", { cause: end });
  return [end.name, end.status, end.outcomeUnknown === true];
}

type Met = readonly [what: string, CallClass, AttemptResult<never>[], Run<never>, end: readonly unknown[]];
const busy = ["ServiceError", 503, false];
const limited = ["RateLimitError", 429, false];
const inPause: Run<never> = { ended: new TimeLimit() };
test.each<Met>([
  ["a read, its last request sent", "repeatable", [answered(503), cutShort(true)], {}, busy],
  ["a read, its last request not sent", "repeatable", [answered(503), cutShort(false)], {}, busy],
  ["a read, in a pause", "repeatable", [answered(429)], inPause, limited],
  ["a create, in a pause", "create", [answered(429)], inPause, limited],
  ["an action without an effect", "action", [answered(503)], { reconcile: async () => undefined }, busy],
  ...(["create", "job", "action"] as const).flatMap((kind): Met[] => [
    [`a ${kind}`, kind, [answered(429), cutShort(false)], {}, limited],
    [`a ${kind} that may have acted`, kind, [answered(429), cutShort(true)], {}, ["TimeoutError", undefined, true]],
  ]),
])("time that is over tells what the attempts before met, of %s", async (_, kind, outcomes, run, end) => {
  expect(await endOf(kind, outcomes, run)).toEqual(end);
});

/** A failure without an address: what the service said of waiting is told to the loop alone. */
const failed = (fault: Fault, more: Partial<Failure> = {}): AttemptResult<string> => ({
  failure: { fault, reason: "503", toError: (tally) => new ServiceError("failed", { status: 503, ...tally }), ...more },
});

test("how often a call is sent until it is answered, and each pause is told", async () => {
  const { end, attempts, waits, events } = await sent("repeatable", [failed("doubtful"), failed("untouched")]);
  expect([end, attempts]).toEqual(["answered", 3]);
  expect(events).toEqual(
    waits.map((waitMs, index) => ({ call: facts.label, attempt: index + 1, waitMs, reason: "503" })),
  );
});

test.each<[string, Partial<Failure>, Run<string>]>([
  ["the budget", { waitMs: 10_000 }, { budgetMs: 10_000 }],
  ["the budget, of which attempts take their part", { waitMs: 9_000 }, { budgetMs: 10_000, attemptMs: 1_000 }],
  ["the time of the call", { waitMs: 10_000 }, { timeoutMs: 10_000 }],
  ["the time of the call alone, for a limit", { waitMs: 10_000, isLimit: true }, { timeoutMs: 10_000, budgetMs: 0 }],
  ["the budget, for a limit of a call without a time", { waitMs: 10_000, isLimit: true }, { budgetMs: 10_000 }],
  ["the patience that the failure is worth", { waitMs: 10_000, patienceMs: 10_000 }, {}],
])("how often a call is sent as long as the pause fits into %s", async (_, failure, run) => {
  expect((await sent("repeatable", [failed("untouched", failure)], run)).end).toBe("answered");
  const longer = failed("untouched", { ...failure, waitMs: (failure.waitMs ?? 0) + 1 });
  const { end, attempts, waits } = await sent("repeatable", [longer], run);
  expect([end, attempts, waits]).toEqual([expect.any(ServiceError), 1, []]);
});

test("how often a call is sent for as long as its budget lasts, without the waits for a limit", async () => {
  const limited = failed("untouched", { waitMs: 9_000, isLimit: true });
  const { end, waits } = await sent("repeatable", [limited, limited, failed("doubtful", { waitMs: 10_000 })], {
    budgetMs: 10_000,
  });
  expect([end, waits]).toEqual(["answered", [9_000, 9_000, 10_000]]);
});

test("how often a call is sent no more often than it may be, and its error tells how often and how long", async () => {
  const waitMs = 1_000;
  const failures = [failed("doubtful", { waitMs }), failed("doubtful", { waitMs }), failed("doubtful", { waitMs })];
  const { end, attempts } = await sent("repeatable", failures, { attempts: 2, attemptMs: 10 });
  expect(attempts).toBe(2);
  expect(end).toMatchObject({ attempts: 2, elapsedMs: 1_020 });
});

test.each<[CallClass, Fault, number, boolean | undefined]>([
  ["repeatable", "untouched", 2, undefined],
  ["repeatable", "doubtful", 2, undefined],
  ["repeatable", "unreadable", 1, undefined],
  ["repeatable", "refused", 1, undefined],
  ...(["create", "job", "action"] as const).flatMap((kind): [CallClass, Fault, number, boolean | undefined][] => [
    [kind, "untouched", 2, undefined],
    [kind, "doubtful", 1, true],
    [kind, "unreadable", 1, true],
    [kind, "refused", 1, undefined],
  ]),
])("how often a call is sent of class %s after an answer that is %s: %i times", async (kind, fault, times, unknown) => {
  const { end, attempts } = await sent(kind, [failed(fault)]);
  expect(attempts).toBe(times);
  if (times === 1) expect(Object(end).outcomeUnknown).toBe(unknown);
});

test.each<CallClass>(["create", "action"])(
  "how often a call is sent of class %s as what became of it says",
  async (kind) => {
    const errors: unknown[] = [];
    const result = await sent(kind, [failed("doubtful")], {
      reconcile: async (error) => {
        errors.push(error);
        return { value: "found" };
      },
    });
    expect([result.end, result.attempts]).toEqual(["found", 1]);
    expect(errors).toEqual([expect.objectContaining({ outcomeUnknown: true })]);
    const again = await sent(kind, [failed("unreadable")], { reconcile: async () => undefined });
    expect([again.end, again.attempts]).toEqual(["answered", 2]);
    // It is known already that nothing came of it.
    const reconcile = () => Promise.reject(new Error("was asked"));
    expect((await sent(kind, [failed("untouched")], { reconcile })).end).toBe("answered");
  },
);
