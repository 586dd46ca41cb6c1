import { beforeEach, expect, test } from "@jest/globals";
import { createQueue, UsageError } from "../../client";
import { environmentForEach } from "../harness/environment";
import { serve } from "../harness/serve";

const setEnvironment = environmentForEach();
const names = ["COMPUTECLOUD_API_KEY", "COMPUTECLOUD_CLOUD", "COMPUTECLOUD_SERVERLESS_URL"];
beforeEach(() => setEnvironment(Object.fromEntries(names.map((name) => [name, undefined]))));

const endpointId = "abc";

test("a queue of its own takes key and address from its arguments or from the environment", () => {
  expect(createQueue({ endpointId, apiKey: "key", cloud: "runpod" }).endpointId).toBe(endpointId);
  setEnvironment({ COMPUTECLOUD_API_KEY: "key", COMPUTECLOUD_SERVERLESS_URL: "http://127.0.0.1:1" });
  expect(createQueue({ endpointId }).endpointId).toBe(endpointId);
});

test("a queue of its own an address of the environment wins over that of a cloud that is passed", async () => {
  const paths: string[] = [];
  await using service = await serve((request, response) => {
    paths.push(request.url ?? "");
    response.end('{"jobs":{},"workers":{}}');
  });
  setEnvironment({ COMPUTECLOUD_SERVERLESS_URL: service.address });
  await createQueue({ endpointId, apiKey: "key", cloud: "runpod" })
    .health()
    .catch(() => {});
  expect(paths).toEqual(["/v2/abc/health"]);
});

test.each([
  { given: { cloud: "runpod" }, says: /no API key. Set COMPUTECLOUD_API_KEY/ },
  { given: { apiKey: "key" }, says: /no address. Set COMPUTECLOUD_CLOUD/ },
  { given: { apiKey: "key", cloud: "elsewhere" }, says: /is not a known cloud/ },
  { given: { apiKey: "key", serverlessUrl: "http://example.com" }, says: /not https/ },
])("a queue of its own says what is missing: $given", ({ given, says }) => {
  expect(() => createQueue({ endpointId, ...given })).toThrow(UsageError);
  expect(() => createQueue({ endpointId, ...given })).toThrow(says);
});
