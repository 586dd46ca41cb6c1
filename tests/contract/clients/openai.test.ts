// @long: other programs, installed with npm and pip.
/* OpenAI's own clients, unchanged, against a queue and a load balancer, with the address that this package gives them. */
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { createClient } from "../../../client";
import { openAccount } from "../../harness/account";
import { casesOf, expectAllPassed } from "./cases";
import { openAiNode, openAiPython } from "./installed";

const MODEL = "org/small";
const IMAGE = { image: "repo/vllm:1", gpu: { pools: ["AMPERE_16"] }, env: { MODEL_NAME: MODEL } };

it.each([
  ["queue", { type: "QUEUE", scaling: { type: "QUEUE_DELAY", queueDelay: 1 } }],
  ["load balancer", { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 4 } }],
])("OpenAI's clients work with a %s as with OpenAI", async (name, type) => {
  const [node, python] = [await openAiNode(), await openAiPython()];
  await using cloud = await openAccount({}, "running");
  const { id } = await cloud.create("/v2/serverless", { name, ...IMAGE, ...type });
  await using client = createClient(cloud);
  const { baseURL, apiKey } = await client.openAiOptions(id);
  const env = { BASE_URL: baseURL, KEY: apiKey, MODEL };
  if (node !== undefined) {
    const SDK = join(node, "node_modules/openai/index.mjs");
    const script = join(__dirname, "openai.mjs");
    expectAllPassed(await casesOf(process.execPath, [script], { ...env, SDK }), 8);
  }
  if (python !== undefined) {
    const script = join(__dirname, "openai_examples.py");
    expectAllPassed(await casesOf(python, [script], { ...env, HOME: join(python, "../..") }), 7);
  }
  const { body } = await cloud.control("GET", "/requests");
  const hasChatCall = body.requests.some((call: { path: string }) => call.path.includes("/chat/completions"));
  expect(hasChatCall).toBe(node !== undefined || python !== undefined);
});
