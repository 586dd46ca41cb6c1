import { expect, test } from "@jest/globals";
import { checkInputs } from "../../provider/lifecycle/check/check";
import { controlsOf } from "../../provider/lifecycle/fields/fields";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { smokeJob } from "../../provider/resources/serverless/smokeJob";
import { smokeRequest } from "../../provider/resources/serverless/smokeRequest";
import { contextOf, NOWHERE } from "../harness/context";

const valid = { endpointId: "abc", input: '{"prompt":"hi"}' };
const jobFailures = (args: Record<string, unknown>) => checkInputs(smokeJob, args).failures;
const requestFailures = (args: Record<string, unknown>) => checkInputs(smokeRequest, args).failures;

test("the arguments of a smoke job are complete with their defaults", () => {
  const { inputs, failures } = checkInputs(smokeJob, valid);
  expect(failures).toEqual([]);
  expect(inputs).toEqual(valid);
  expect(controlsOf(smokeJob.inputs, inputs)).toEqual({ timeout: "5m", retries: 0, secretOutput: false });
});

test.each([
  { given: { input: "{}" }, property: "input", reason: /is empty/ },
  { given: { input: "null" }, property: "input", reason: /is empty/ },
  { given: { input: "not json" }, property: "input", reason: /is not JSON/ },
  { given: { expect: "{}" }, property: "expect", reason: /names neither output nor schema/ },
  { given: { expect: '{"text":"hi"}' }, property: "expect", reason: /text/ },
  { given: { expect: '{"schema":{"type":"wrong"}}' }, property: "expect", reason: /is not a JSON Schema/ },
  { given: { timeout: "5 minutes" }, property: "timeout", reason: /must be a duration/ },
  { given: { retries: -1 }, property: "retries", reason: /0/ },
  { given: { endpointType: "LB" }, property: "endpointId", reason: /load balancing endpoint.*Use a SmokeRequest/ },
])(
  "the arguments of a smoke job that can't work are refused before anything runs: $given",
  ({ given, property, reason }) => {
    expect(jobFailures({ ...valid, ...given })).toEqual([{ property, reason: expect.stringMatching(reason) }]);
  },
);

test("the arguments of a smoke job may be unknown in a preview", () => {
  const args = { endpointId: UNKNOWN, input: UNKNOWN, expect: UNKNOWN, triggers: [UNKNOWN], endpointRevision: UNKNOWN };
  expect(jobFailures(args)).toEqual([]);
});

test.each([
  { endpointId: "abc", endpointType: "LB" },
  { endpointId: "abc", endpointType: "QUEUE", chat: "Say hello", model: "tiny", body: '{"max_tokens":8}' },
  { endpointId: "abc", endpointType: "QB", path: "/openai/v1/embeddings", body: '{"input":"a"}' },
  { podId: "abc", port: 8000, path: "/x?y=1", method: "PUT", body: '"text"', expect: '{"status":[200,201]}' },
  { url: "https://example.com/x", requests: 5, total: { p95: "1s" }, rate: { min: 3 } },
  { podId: UNKNOWN, url: UNKNOWN, port: 8000 },
  { podId: UNKNOWN, url: "https://example.com" },
  { endpointId: "abc", endpointType: "QUEUE", chat: UNKNOWN, model: "tiny", firstToken: { p95: "1s" } },
  { endpointId: UNKNOWN, endpointType: UNKNOWN, chat: UNKNOWN, headers: UNKNOWN, body: UNKNOWN, expect: UNKNOWN },
])("the arguments of a smoke request are taken: %j", (args) => {
  expect(requestFailures(args)).toEqual([]);
});

test.each([
  [{}, "", /needs one of endpoint, pod and url/],
  [{ endpointId: "abc", url: "https://example.com" }, "url", /not taken together with endpointId/],
  [{ url: "https://example.com", port: 80 }, "port", /is a pod's/],
  [{ podId: "abc", workersMax: 1 }, "workersMax", /is an endpoint's/],
  [{ url: "https://me@example.com" }, "url", /has credentials: give them in headers/],
  [{ url: "https://:hunter2@example.com" }, "url", /has credentials: give them in headers/],
  [{ url: "ftp://example.com" }, "url", /URL/],
  [{ endpointId: "abc", endpointType: "QUEUE" }, "path", /must begin with \/openai\/.*Use a SmokeJob/],
  [{ podId: "abc", model: "tiny" }, "model", /is for `chat` alone/],
  [{ podId: "abc", firstToken: { p95: "1s" } }, "firstToken", /is for `chat` alone/],
  [{ podId: "abc", chat: "hi", body: "{a text" }, "body", /must be an object with `chat`/],
  [{ podId: "abc", chat: "hi", method: "GET" }, "method", /not taken with `chat`/],
  [{ podId: "abc", chat: "hi", body: '"text"' }, "body", /must be an object with `chat`/],
  [{ podId: "abc", chat: "hi", expect: '{"json":{}}' }, "expect", /use text/],
  [{ podId: "abc", method: "GET", body: "{}" }, "body", /is not sent with GET/],
  [{ podId: "abc", path: "x" }, "path", /begin with a slash/],
  [{ podId: "abc", expect: "{}" }, "expect", /names none of status, json, text and contentType/],
  [{ podId: "abc", expect: '{"status":99}' }, "expect", /status/],
  [{ podId: "abc", notSlowerThan: { live: 2 } }, "notSlowerThan.live", /needs liveEndpointId/],
])(
  "the arguments of a smoke request that can't work are refused before anything is sent: %j",
  (args, property, reason) => {
    expect(requestFailures(args)).toEqual([{ property, reason: expect.stringMatching(reason) }]);
  },
);

test("a proof whose output is not in the state, as of one too large for it, is refreshed as it is", async () => {
  const context = contextOf(NOWHERE);
  const [jobs, requests] = [smokeJob, smokeRequest].map((kind) => new Lifecycle(kind, async () => context));
  const job = { ...valid, jobId: "job", status: "COMPLETED" };
  const request = { url: "https://example.com", status: 200, totalTime: 1, measured: { requests: 1 } };
  expect((await jobs?.read("smoke-1", job))?.state).toMatchObject(job);
  expect((await requests?.read("smoke-2", request))?.state).toMatchObject(request);
});
