import { inspect } from "node:util";
import { describe, expect, test } from "@jest/globals";
import * as errors from "../../client/errors";
import { errorMessage, errorOfStatus, faultOfStatus } from "../../client/outcomes/statuses";

describe("the error of a status", () => {
  test.each([
    [400, "BadRequestError", /Correct the arguments\.$/],
    [401, "AuthenticationError", /Set COMPUTECLOUD_API_KEY to a valid key\.$/],
    [402, "BalanceError", /Add funds: .*\.$/],
    [403, "PermissionError", /Give the key write access .*\.$/],
    [404, "NotFoundError", /Check the id: .*\.$/],
    [408, "TimeoutError", /Run the same command again\.$/],
    [409, "ConflictError", /Wait until its state allows this, .*\.$/],
    [413, "BadRequestError", /Send less: .*\.$/],
    [422, "ValidationError", /Correct the properties named above\.$/],
    [429, "RateLimitError", /Run it again in 12 s, .*\.$/],
    [500, "ServiceError", /support asks for request r-1\.$/],
    [503, "ServiceError", /support asks for request r-1\.$/],
    [418, "ComputeCloudError", /Check the address and the arguments\.$/],
  ])("%i is a %s whose message ends in the way out", (status, name, wayOut) => {
    const facts = { kind: "Template", status, title: "Title", requestId: "r-1", retryAfter: 12 };
    const error = errorOfStatus(status, facts, { method: "PATCH" });
    expect(error).toMatchObject({ name, status, kind: "Template", requestId: "r-1" });
    expect(error).toBeInstanceOf(errors.ComputeCloudError);
    expect(error.message).toMatch(wayOut);
  });

  test.each([
    ["Pod", 86_264, /Run it again in 24 h, at \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/],
    ["Pod", 3_500, /Run it again in 59 min, at .* UTC\.$/],
    ["Job", 12, /Run it again in 12 s\.$/],
    ["Pod", undefined, /Run it again later, with a lower --parallel if it was large\.$/],
  ])("429 of a %s tells when, as people count: %p", (kind, retryAfter, wayOut) => {
    const { message } = errorOfStatus(429, { kind, status: 429, retryAfter }, { method: "GET" });
    expect(message).toMatch(wayOut);
  });

  test.each([
    ["POST", "Pod", /Correct the arguments\. If nothing is free, ask for another GPU or CPU type or data center/],
    ["POST", "Pod p1", /If no GPU is free on its machine, start it again later: its disk is there/],
    ["POST", "Template", /Correct the arguments/],
    ["DELETE", "NetworkVolume", /If something still uses it, delete that first/],
  ])("400 on %s of a %s names the way out that fits", (method, subject, words) => {
    const [kind, id] = subject.split(" ");
    const { message } = errorOfStatus(400, { kind, id, status: 400 }, { method });
    expect(message).toMatch(words);
    if (id !== undefined) expect(message).not.toContain("data center");
  });

  test("404 of a job tells that it may have expired, and none speaks of stacks", () => {
    const [job, pod] = ["Job", "Pod"].map(
      (kind) => errorOfStatus(404, { kind, status: 404 }, { method: "GET" }).message,
    );
    expect(job).toMatch(/Its result may have expired, after 30 minutes or a minute of runSync, or its ttl is over/);
    expect(`${job}${pod}`).not.toMatch(/stack|pulumi/);
  });

  test.each([
    [429, "untouched"],
    ...[408, 425, 499, 500, 502, 503, 504].map((status) => [status, "doubtful"] as const),
    ...[520, 521, 522, 523, 524, 525, 526, 527, 530, 531, 599].map((status) => [status, "doubtful"] as const),
    ...[400, 401, 402, 403, 404, 405, 409, 413, 422, 501, 505, 511].map((status) => [status, "refused"] as const),
  ] as const)("%i leaves the work %s", (status, fault) => {
    expect(faultOfStatus(status)).toBe(fault);
  });
});

describe("an error", () => {
  test("tells what, which, why, how often and the way out, in one sentence each", () => {
    const facts = {
      kind: "Pod",
      id: "abc",
      status: 422,
      title: "Unprocessable Entity",
      detail: "Request validation failed.",
      errors: ["$.name: missing"],
      requestId: "r1",
      attempts: 3,
      elapsedMs: 2_100,
    };
    expect(errorMessage(facts, "correct the properties")).toBe(
      "Pod abc: 422 Unprocessable Entity: Request validation failed: $.name: missing " +
        "(request r1, 3 attempts in 2.1 s). Correct the properties.",
    );
  });

  test("shows the facts it has, no gaps, and nothing else of what brought them", () => {
    const call = { kind: "Pod", status: 404, id: undefined, body: "the whole request" };
    const text = inspect(new errors.NotFoundError("gone", call));
    expect(text).toMatch(/kind: 'Pod'/);
    expect(text).not.toMatch(/id:|undefined|whole request/);
  });
});
