import { describe, expect, test } from "@jest/globals";
import { ComputeCloudError } from "../../provider/client";
import { TimeLimit } from "../../provider/client/calls/cancellation";
import { failureOfAnswer, failureOfTime } from "../../provider/client/outcomes/failures";
import { type CallClass, type Outcome, type RetryRun, withRetries } from "../../provider/client/outcomes/retry";
import { impatient } from "../harness/place";

// What a call tells when its time is over, by what its attempts met: without a server, whose answers might come late.

const call = { method: "POST", kind: "Pod", label: "POST /v2/pods", quota: "rest", redact: (text: string) => text };
const answered = (status: number): Outcome<never> => ({
  failure: failureOfAnswer({ status, header: () => undefined, text: "" }, call, undefined),
});
const cutShort = (sent: boolean): Outcome<never> => ({ failure: failureOfTime(60_000, sent, call) });

/** The name and status of the error, and whether the call may have acted. */
async function endOf(kind: CallClass, outcomes: Outcome<never>[], run: Partial<RetryRun<never>> = {}) {
  const left = [...outcomes];
  const error: unknown = await withRetries<never>(
    {
      label: call.label,
      class: kind,
      attempt: async () => left.shift() ?? cutShort(false),
      leftMs: () => Number.POSITIVE_INFINITY,
      heldBackMs: () => 0,
      signal: () => new AbortController().signal,
      ...run,
    },
    { clock: impatient(), budgetMs: 120_000 },
  ).catch((thrown: unknown) => thrown);
  if (!(error instanceof ComputeCloudError)) throw new TypeError("the call ended otherwise", { cause: error });
  return [error.name, error.status, error.outcomeUnknown === true];
}

describe("time that is over tells what the attempts before met", () => {
  test.each([true, false])("of a read, its last request sent or not (%s)", async (sent) => {
    expect(await endOf("repeatable", [answered(503), cutShort(sent)])).toEqual(["ServiceError", 503, false]);
  });

  test.each<CallClass>(["create", "job", "action"])("of a %s, unless the last one may have acted", async (kind) => {
    expect(await endOf(kind, [answered(429), cutShort(false)])).toEqual(["RateLimitError", 429, false]);
    expect(await endOf(kind, [answered(429), cutShort(true)])).toEqual(["TimeoutError", undefined, true]);
  });

  test("of an action that had no effect, and was not sent again", async () => {
    const reconcile = async () => undefined;
    const end = await endOf("action", [answered(503), cutShort(false)], { reconcile });
    expect(end).toEqual(["ServiceError", 503, false]);
  });

  test.each<CallClass>(["repeatable", "create"])("of a %s, in a pause", async (kind) => {
    const over = AbortSignal.abort(new TimeLimit());
    expect(await endOf(kind, [answered(429)], { signal: () => over })).toEqual(["RateLimitError", 429, false]);
  });

  test("and a signal of the caller's stays what it is", async () => {
    const enough = new RangeError("enough");
    const end = endOf("repeatable", [answered(503)], { signal: () => AbortSignal.abort(enough) });
    await expect(end).rejects.toMatchObject({ cause: enough });
  });
});
