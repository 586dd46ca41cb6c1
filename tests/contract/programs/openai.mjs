// What programs do with OpenAI's JavaScript client, with a queue and with a load balancer.
import assert from "node:assert/strict";
import OpenAI from "openai";
import { runCases } from "./cases.mjs";

const { RUNPOD_API_KEY: apiKey, MODEL: model, CHAT_URL, BALANCED_CHAT_URL } = process.env;
const messages = [{ role: "user", content: "Hello there" }];

/** The same of a queue as of a load balancer. */
const callsOf = (place, baseURL) => {
  const openai = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
  const calls = {
    async models() {
      const ids = [];
      for await (const { id } of openai.models.list()) ids.push(id);
      assert.deepEqual(ids, [model]);
    },
    async chat() {
      const { choices, usage } = await openai.chat.completions.create({ model, messages });
      assert.equal(choices[0].message.content, "You said: Hello there");
      assert.equal(usage.total_tokens, 6);
    },
    async stream() {
      const chunks = [];
      for await (const chunk of await openai.chat.completions.create({ model, messages, stream: true }))
        chunks.push(chunk);
      assert.equal(chunks.map(({ choices }) => choices[0].delta.content).join(""), "You said: Hello there");
      assert.equal(chunks.at(-1).choices[0].finish_reason, "stop");
    },
    async helper() {
      const stream = openai.chat.completions.stream({ model, messages, stream_options: { include_usage: true } });
      assert.equal((await stream.finalMessage()).content, "You said: Hello there");
      assert.equal((await stream.totalUsage()).completion_tokens, 4);
    },
    async completion() {
      assert.equal((await openai.completions.create({ model, prompt: "a b" })).choices[0].text, " a b");
    },
    async embeddings() {
      const { data } = await openai.embeddings.create({ model, input: ["a", "b"] });
      assert.equal(data.length, 2);
      assert.ok(Math.abs(Math.hypot(...data[0].embedding) - 1) < 1e-6);
    },
    async unknownModel() {
      await assert.rejects(openai.chat.completions.create({ model: "other", messages }), OpenAI.NotFoundError);
    },
    async wrongKey() {
      await assert.rejects(openai.withOptions({ apiKey: "wrong" }).models.list(), OpenAI.AuthenticationError);
    },
  };
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [`${name} of a ${place}`, call]));
};

await runCases({ ...callsOf("queue", CHAT_URL), ...callsOf("load balancer", BALANCED_CHAT_URL) });
