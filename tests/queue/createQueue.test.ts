import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createQueue, UsageError } from "../../client";
import { serve } from "../harness/serve";

const variables = ["COMPUTECLOUD_API_KEY", "COMPUTECLOUD_CLOUD", "COMPUTECLOUD_SERVERLESS_URL"] as const;
const before = variables.map((name) => [name, process.env[name]] as const);
beforeEach(() => {
  for (const name of variables) delete process.env[name];
});
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const endpointId = "abc";

test("a queue of its own takes key and address from its arguments or from the environment", () => {
  expect(createQueue({ endpointId, apiKey: "key", cloud: "runpod" }).endpointId).toBe(endpointId);
  process.env.COMPUTECLOUD_API_KEY = "key";
  process.env.COMPUTECLOUD_SERVERLESS_URL = "http://127.0.0.1:1";
  expect(createQueue({ endpointId }).endpointId).toBe(endpointId);
});

test("a queue of its own an address of the environment wins over that of a cloud that is passed", async () => {
  const paths: string[] = [];
  await using service = await serve((request, response) => {
    paths.push(request.url ?? "");
    response.end('{"jobs":{},"workers":{}}');
  });
  process.env.COMPUTECLOUD_SERVERLESS_URL = service.address;
  await createQueue({ endpointId, apiKey: "key", cloud: "runpod" })
    .health()
    .catch(() => {});
  expect(paths).toEqual(["/v2/abc/health"]);
});

test.each([
  { given: { cloud: "runpod" }, says: /no API key/ },
  { given: { apiKey: "key" }, says: /no address/ },
  { given: { apiKey: "key", cloud: "elsewhere" }, says: /is not a known cloud/ },
  { given: { apiKey: "key", serverlessUrl: "http://example.com" }, says: /not https/ },
])("a queue of its own says what is missing: $given", ({ given, says }) => {
  expect(() => createQueue({ endpointId, ...given })).toThrow(UsageError);
  expect(() => createQueue({ endpointId, ...given })).toThrow(says);
});
