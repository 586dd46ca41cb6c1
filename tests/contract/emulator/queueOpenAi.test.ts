import { describe, expect, it } from "@jest/globals";
import type { Handler } from "../../../emulator";
import { type Account, accountForEach, openAccount } from "../../harness/account";
import { serve } from "../../harness/serve";
import { openEndpoint } from "./jobPlane";

const cloud = accountForEach();
const MODEL = { MODEL_NAME: "org/small" };
const ORG = { model: "org/small" };
const HELLO = { ...ORG, messages: [{ role: "user", content: "hello you" }] };

/** A queue endpoint and its OpenAI routes. */
async function openModel(account: Account, overrides: Record<string, unknown> = { env: MODEL }) {
  const endpoint = await openEndpoint(account, { image: "repo/llm:1", ...overrides });
  const ask = (route: string, body?: unknown) =>
    fetch(`${account.serverlessUrl}/v2/${endpoint.id}/openai/v1/${route}`, {
      headers: { authorization: `Bearer ${account.apiKey}`, "content-type": "application/json" },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
  return { ...endpoint, ask };
}

const content = (text: string) => Array.from(text.matchAll(/"content":"(.*?)"/g), ([, part]) => part).join("");

describe("the OpenAI routes of a queue", () => {
  it("are answered by a small model, which names itself and is the same in every run", async () => {
    const { ask, health } = await openModel(cloud);
    const said = async (...request: Parameters<typeof ask>) => (await ask(...request)).json();
    expect(await said("models")).toMatchObject({ object: "list", data: [{ id: "org/small" }] });
    expect(await said("models/org/small")).toMatchObject({ id: "org/small" });
    expect(await said("chat/completions", HELLO)).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { role: "assistant", content: "You said: hello you" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 },
    });
    const short = { choices: [{ message: { content: "You said:" }, finish_reason: "length" }] };
    expect(await said("chat/completions", { ...HELLO, max_tokens: 2 })).toMatchObject(short);
    expect(await said("completions", { ...ORG, prompt: "a b" })).toMatchObject({ choices: [{ text: " a b" }] });
    const vectors = async <Vector>(encoding_format: string, more = {}): Promise<Vector[]> => {
      const answer = await ask("embeddings", { ...ORG, input: ["a", "b"], encoding_format, ...more });
      return ((await answer.json()) as { data: { embedding: Vector }[] }).data.map(({ embedding }) => embedding);
    };
    const [a, b] = await vectors<number[]>("float");
    expect(a).not.toEqual(b);
    expect(Math.hypot(...(a ?? []))).toBeCloseTo(1);
    expect((await vectors<number[]>("float", { dimensions: 3 })).map(({ length }) => length)).toEqual([3, 3]);
    const [encoded] = await vectors<string>("base64");
    expect([...new Float32Array(new Uint8Array(Buffer.from(encoded ?? "", "base64")).buffer)]).toEqual(a);
    expect((await health()).jobs).toMatchObject({ completed: 8, failed: 0 });
  });

  const PARAMETERS = {
    type: "object",
    required: ["city", "days"],
    properties: { city: { type: "string", minLength: 3 }, days: { $ref: "#/$defs/days" }, unit: { enum: ["C", "F"] } },
    $defs: { days: { type: "array", minItems: 2, items: { type: "integer", exclusiveMinimum: 4 } } },
  };
  const TOOLS = [{ type: "function", function: { name: "weather", parameters: PARAMETERS } }];
  const CITY = '{"city":"hello you","days":[5,5],"unit":"C"}';
  const FORMAT = { type: "json_schema", json_schema: { name: "w", schema: PARAMETERS } };
  const anthropic = { ...HELLO, max_tokens: 9 };
  const says = (text: string) => ({ message: { content: text } });
  const row = (name: string, route: string, more: object, answer: object) =>
    [name, route, { ...ORG, ...more }, answer] as const;
  const chat = (name: string, more: object, ...choices: readonly object[]) =>
    row(name, "chat/completions", { ...HELLO, ...more }, { choices });
  const forced = { input: "hello you", tools: [{ type: "function", ...TOOLS[0]?.function }], tool_choice: "required" };
  const texts = (...all: readonly string[]) => ({ choices: all.map((text, index) => ({ index, text })) });
  const call = { content: null, tool_calls: [{ function: { arguments: CITY } }] };
  const tokens = [{ token: "You", logprob: 0 }, { token: " said:" }, { token: " hello" }];
  const choice = { index: 0, finish_reason: "stop", ...says("You said: hello"), logprobs: { content: tokens } };
  const usesTool = { tools: [{ name: "weather", input_schema: PARAMETERS }], tool_choice: { type: "any" } };
  const output = [{ type: "message", content: [{ type: "output_text", text: "You said: hello" }] }];
  const use = { type: "tool_use", name: "weather", input: JSON.parse(CITY) };
  const greeting = [{ type: "text", text: "You said: hello you" }];
  const weather = { type: "function_call", name: "weather", arguments: CITY };
  it.each([
    chat("a required tool", { tools: TOOLS, tool_choice: "required" }, { finish_reason: "tool_calls", message: call }),
    chat("a tool that it need not call", { tools: TOOLS }, { finish_reason: "stop" }),
    chat("JSON by a schema", { response_format: FORMAT }, says(CITY)),
    chat("any JSON", { response_format: { type: "json_object" } }, says('{"text":"hello you"}')),
    chat("choices up to a word", { n: 2, stop: [" you"], logprobs: true }, choice, { ...choice, index: 1 }),
    row("a list of prompts", "completions", { prompt: ["a", "b c"], echo: true }, texts("a a", "b c b c")),
    row("token ids", "completions", { prompt: [[1, 2], [3]] }, texts(" 1 2", " 3")),
    row("responses", "responses", { input: "hello you", max_output_tokens: 3 }, { status: "incomplete", output }),
    row("a tool in responses", "responses", forced, { output: [weather] }),
    row("messages", "messages", anthropic, { type: "message", stop_reason: "end_turn", content: greeting }),
    row("a tool in messages", "messages", { ...anthropic, ...usesTool }, { stop_reason: "tool_use", content: [use] }),
  ])("answer with %s", async (_case, route, body, expected) => {
    const answer = await (await openModel(cloud)).ask(route, body);
    expect(await answer.json()).toMatchObject(expected);
  });

  it.each([
    ["responses", { ...ORG, input: "hello you" }, "response.completed"],
    ["messages", anthropic, "message_stop"],
  ])("stream %s as named events", async (route, body, last) => {
    const text = await (await (await openModel(cloud)).ask(route, { ...body, stream: true })).text();
    const names = Array.from(text.matchAll(/^event: (.*)$/gm), ([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    expect(names.at(-1)).toBe(last);
    expect(text).not.toContain("[DONE]");
    const parts = Array.from(text.matchAll(/"(?:delta|text)":"([^"]*)"/g), ([, part]) => part);
    expect(parts.join("")).toContain("You said: hello you");
  });

  it("are inputs of a vLLM worker, beside its own", async () => {
    const { id } = await openEndpoint(cloud, { image: "runpod/worker-v1-vllm:2", env: MODEL });
    const run = async (input: unknown) => (await cloud.queue("POST", `${id}/runsync`, { input })).body;
    const batch = { choices: [{ tokens: ["You said: hi there"] }], usage: { input: 2, output: 1 } };
    expect(await run({ messages: [{ role: "user", content: "hi there" }] })).toMatchObject({ output: [batch] });
    expect(await run({ prompt: "hi there", sampling_params: { max_tokens: 1 }, stream: true })).toMatchObject({
      output: [{ choices: [{ tokens: ["You"] }] }],
    });
    const chat = { choices: [{ message: { content: "You said: hello you" } }] };
    expect(await run({ route: "/v1/chat/completions", body: HELLO })).toMatchObject({ output: chat });
    expect(await run({ openai_route: "/v1/chat/completions", openai_input: HELLO })).toMatchObject({ output: chat });
    const error = expect.stringContaining("must contain one of");
    expect(await run({ text: "hi" })).toMatchObject({ status: "FAILED", error });
  });

  it("stream token by token, by the emulator's clock, with the usage where it is asked for", async () => {
    const { ask } = await openModel(cloud, { env: { ...MODEL, EMULATOR_DELAY_MS: "1000" } });
    const pendingAnswer = ask("chat/completions", { ...HELLO, stream: true, stream_options: { include_usage: true } });
    let text = "";
    let isOver = false;
    const read = pendingAnswer.then(async ({ body, headers }) => {
      expect(headers.get("content-type")).toBe("text/event-stream");
      for await (const part of body ?? []) text += Buffer.from(part);
      isOver = true;
    });
    const seen = new Set<string>();
    while (!isOver) {
      await cloud.advance(1000);
      seen.add(content(text));
    }
    await read;
    expect(seen.size).toBeGreaterThan(2);
    expect(content(text)).toBe("You said: hello you");
    expect(text).toMatch(/"usage":\{"prompt_tokens":2[^\n]*\n\ndata: \[DONE\]\n\n$/);
  });

  const misfit = { type: "json_schema", json_schema: { schema: { type: "string", pattern: "^x$" } } };
  const stranger = { tools: TOOLS, tool_choice: { type: "function", function: { name: "x" } } };
  it.each([
    ["another model", "chat/completions", { model: "other" }, 404, /^The model `other` does not exist.$/],
    ["a broken body", "chat/completions", { messages: [] }, 400, /messages/],
    ["a schema that it can't fill", "chat/completions", { response_format: misfit }, 400, /can't make the answer/],
    ["a tool that there isn't", "chat/completions", stranger, 400, /^tool_choice: there is no tool 'x'$/],
    ["a suffix", "completions", { prompt: "a", suffix: "b" }, 400, /suffix/],
    ["an unknown route", "images", {}, 404, /^Not Found$/],
  ])("refuse %s in OpenAI's form", async (_case, route, body, status, message) => {
    const answer = await (await openModel(cloud)).ask(route, { ...HELLO, ...body });
    const error = { message: expect.stringMatching(message) };
    expect([answer.status, await answer.json()]).toMatchObject([status, { error }]);
  });

  it("are jobs for a handler, which may replace the model", async () => {
    const handler: Handler = async function* (input) {
      if (input.openai_input.stream !== true) return { own: input.openai_route };
      yield { n: 1 };
      if (input.openai_input.fails) throw new Error("out of memory");
      return undefined;
    };
    await using account = await openAccount({ handlers: { "repo/llm:1": handler } });
    const { ask } = await openModel(account);
    expect(await (await ask("chat/completions", {})).json()).toEqual({ own: "/v1/chat/completions" });
    expect(await (await ask("completions", { stream: true })).text()).toBe('data: {"n":1}\n\ndata: [DONE]\n\n');
    await expect(ask("completions", { stream: true, fails: true }).then((answer) => answer.text())).rejects.toThrow();
    const failing = await openModel(account, { image: "emulator/fail" });
    const failed = await failing.ask("chat/completions", HELLO);
    const error = { message: "Error: the handler failed" };
    expect([failed.status, await failed.json()]).toMatchObject([500, { error }]);
  });

  it("are forwarded to a server of the user's", async () => {
    await using server = await serve((request, response) => {
      if (request.url === "/v1/models") return response.writeHead(404).end('{"error":{"message":"none"}}');
      response.setHeader("content-type", "text/event-stream");
      return request.pipe(response);
    });
    const { ask, id } = await openModel(cloud);
    await cloud.service.settings({ forward: { "repo/llm:1": server.address } });
    const models = await ask("models");
    expect([models.status, await models.json()]).toEqual([404, { error: { message: "none", code: 404 } }]);
    const echoed = await ask("completions", { stream: true });
    expect(await echoed.text()).toBe('{"stream":true}data: [DONE]\n\n');
    // Another server, by the name of the host or the port that a text after the address would complete.
    for (const openai_route of [":1/latest", ".example.com/", "0/", "@example.com/"]) {
      const { body } = await cloud.queue("POST", `${id}/runsync`, { input: { openai_route } });
      expect(body).toMatchObject({ status: "FAILED", error: expect.stringContaining("begins with no slash") });
    }
  });

  const balancer = { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } };
  it.each([
    ["answered by the emulator for an image that is called as a member of every object", { image: "constructor" }, 200],
    ["not a part of a load balancer", balancer, 400],
  ])("are %s", async (_case, overrides, status) => {
    expect((await (await openModel(cloud, overrides)).ask("models")).status).toBe(status);
  });
});
