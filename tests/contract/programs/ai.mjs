// The AI SDK with the vendor's provider: a language model of a queue, and a load balancer's.
import assert from "node:assert/strict";
import { createRunpod } from "@runpod/ai-sdk-provider";
import { generateObject, generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { runCases } from "./cases.mjs";

const { MODEL, CHAT_URL, BALANCED_CHAT_URL } = process.env;
const model = createRunpod({ baseURL: CHAT_URL })(MODEL);
const balanced = createRunpod({ baseURL: BALANCED_CHAT_URL })(MODEL);
const properties = { name: { type: "string" }, age: { type: "integer" } };
const schema = jsonSchema({ type: "object", properties, required: ["name", "age"], additionalProperties: false });
const prompt = "Hello there";

const cases = {
  async text() {
    const { text, finishReason, usage } = await generateText({ model, prompt });
    assert.deepEqual([text, finishReason, usage.outputTokens], ["You said: Hello there", "stop", 4]);
  },
  async stream() {
    let text = "";
    for await (const part of streamText({ model, prompt }).textStream) text += part;
    assert.equal(text, "You said: Hello there");
  },
  async conversation() {
    const messages = ["one", "two"].map((content) => ({ role: "user", content }));
    assert.equal((await generateText({ model, messages })).text, "You said: two");
  },
  async toolCall() {
    const tools = { person: tool({ inputSchema: schema, execute: async ({ age }) => typeof age }) };
    const stopWhen = stepCountIs(1);
    const { toolCalls, toolResults } = await generateText({ model, prompt, tools, toolChoice: "required", stopWhen });
    assert.deepEqual([toolCalls[0].toolName, toolResults[0].output], ["person", "number"]);
  },
  async object() {
    // The provider keeps a schema to itself, so that any JSON is an answer.
    const { object } = await generateObject({ model, prompt, output: "no-schema" });
    assert.equal(typeof object, "object");
  },
  async unknownModel() {
    const other = createRunpod({ baseURL: CHAT_URL })("other");
    await assert.rejects(generateText({ model: other, prompt, maxRetries: 0 }), { statusCode: 404 });
  },
  async loadBalancer() {
    assert.equal((await generateText({ model: balanced, prompt })).text, "You said: Hello there");
  },
  async publicEndpoint() {
    const { runpod } = await import("@runpod/ai-sdk-provider");
    await generateText({ model: runpod("qwen/qwen3-32b-awq"), prompt, maxRetries: 0 });
  },
};

await runCases(cases, { publicEndpoint: "public endpoints" });
