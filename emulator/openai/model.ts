/*
 * A small language model that answers as a vLLM server does: OpenAI's routes, and Anthropic's messages. It says the last message
 * again, so that answers are the same in every run; a word is a token. What it is asked for and can't do is refused.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { messageAnswer, responseAnswer } from "./otherForms";
import {
  CREATED,
  cut,
  idOf,
  type ModelAnswer,
  messageText,
  most,
  Refusal,
  stop,
  stream,
  type Turn,
  turnOf,
  wordsOf,
} from "./turn";

/** What the vendor's worker serves where nothing names a model. */
const DEFAULT_MODEL = "facebook/opt-125m";

/** The name of a container's model, from its environment or its arguments. */
export function servedModel(env: Readonly<Record<string, string>>, args = ""): string {
  const argument = (name: string) => new RegExp(`--${name}[ =]+(\\S+)`).exec(args)?.[1];
  return (
    env.OPENAI_SERVED_MODEL_NAME_OVERRIDE ??
    argument("served-model-name") ??
    env.MODEL_NAME ??
    argument("model") ??
    /^(?:vllm )?serve (\S+)/.exec(args)?.[1] ??
    DEFAULT_MODEL
  );
}

const generation = z.object({
  model: z.string(),
  n: z.int().min(1).max(16).nullish(),
  stop,
  stream,
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: most,
});
const chat = generation.extend({
  messages: z.array(z.object({ role: z.string(), content: messageText })).min(1),
  max_completion_tokens: most,
  logprobs: z.boolean().nullish(),
  tools: z
    .array(z.object({ type: z.literal("function"), function: z.object({ name: z.string(), parameters: z.unknown() }) }))
    .nullish(),
  tool_choice: z
    .union([
      z.enum(["none", "auto", "required"]),
      z.object({ type: z.literal("function"), function: z.object({ name: z.string() }) }),
    ])
    .nullish(),
  response_format: z
    .discriminatedUnion("type", [
      z.object({ type: z.literal("text") }),
      z.object({ type: z.literal("json_object") }),
      z.object({ type: z.literal("json_schema"), json_schema: z.object({ schema: z.unknown() }) }),
    ])
    .nullish(),
});
const tokens = z.array(z.int());
const completion = generation.extend({
  prompt: z.union([z.string(), z.array(z.string()).min(1), tokens.min(1), z.array(tokens).min(1)]),
  echo: z.boolean().nullish(),
  logprobs: z.int().min(0).nullish(),
  suffix: z.null().optional(),
});
const embedding = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string()), tokens, z.array(tokens)]),
  encoding_format: z.enum(["float", "base64"]).default("float"),
  dimensions: z.int().min(1).max(4096).nullish(),
});

const ROUTES: ReadonlyMap<string, (body: unknown, served: string) => ModelAnswer> = new Map([
  ["/v1/models", (_body, id) => ({ status: 200, body: { object: "list", data: [modelShown(id)] } })],
  ["/v1/chat/completions", (body, served) => chatAnswer(read(chat, body, served))],
  ["/v1/completions", (body, served) => completionAnswer(read(completion, body, served))],
  ["/v1/embeddings", (body, served) => embeddings(read(embedding, body, served))],
  ["/v1/responses", (body, served) => responseAnswer((schema) => read(schema, body, served))],
  ["/v1/messages", (body, served) => messageAnswer((schema) => read(schema, body, served))],
]);

/** Answers a request. @param route such as `/v1/chat/completions` @param served the name of the model that serves */
export function askModel(route: string, body: unknown, served: string): ModelAnswer {
  try {
    if (route === `/v1/models/${served}`) return { status: 200, body: modelShown(served) };
    const answer = ROUTES.get(route)?.(body, served);
    if (answer === undefined) throw new Refusal(404, "NotFoundError", "Not Found");
    return answer;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, type, message, param } = error;
    return { status, body: { error: { message, type, param, code: status } } };
  }
}

/** The text of a stream's events, in the order in which a server sends them. */
export const streamTexts = (events: readonly object[]): string[] => [
  ...events.map((event) => `${"type" in event ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`),
  ...(events.some((event) => "type" in event) ? [] : ["data: [DONE]\n\n"]),
];

const modelShown = (id: string) => ({
  id,
  object: "model",
  created: CREATED,
  owned_by: "vllm",
  root: id,
  parent: null,
});

function read<S extends z.ZodType<{ model: string }>>(schema: S, body: unknown, served: string): z.output<S> {
  const { success, data, error } = schema.safeParse(body ?? {});
  if (!success) {
    const [issue] = error.issues;
    throw new Refusal(400, "BadRequestError", `${issue?.path.join(".")}: ${issue?.message}`);
  }
  if (data.model !== served)
    throw new Refusal(404, "NotFoundError", `The model \`${data.model}\` does not exist.`, "model");
  return data;
}

function chatAnswer(request: z.output<typeof chat>): ModelAnswer {
  const { messages, max_tokens, max_completion_tokens, response_format: format, tool_choice: choice } = request;
  const texts = messages.map(({ content }) => content);
  const turn = turnOf({
    said: texts.at(-1) ?? "",
    most: max_completion_tokens ?? max_tokens,
    stop: request.stop,
    tools: (request.tools ?? []).map(({ function: tool }) => tool),
    ...(format?.type === "json_object" && { schema: { type: "object", properties: { text: { type: "string" } } } }),
    ...(format?.type === "json_schema" && { schema: format.json_schema.schema }),
    call: choice === "required" ? true : typeof choice === "object" ? choice?.function.name : undefined,
  });
  const calls = turn.call && [{ id: idOf("call", turn.call.arguments), type: "function", function: turn.call }];
  const whole = {
    role: "assistant",
    content: calls ? null : turn.tokens.join(""),
    ...(calls && { tool_calls: calls }),
  };
  const logprobs = (of: readonly string[]) =>
    request.logprobs === true
      ? { content: of.map((token) => ({ token, logprob: 0, bytes: null, top_logprobs: [] })) }
      : null;
  return generated(request, [turn], {
    kind: "chat.completion",
    chunkKind: "chat.completion.chunk",
    prefix: "chatcmpl",
    prompt: texts.join(" "),
    choice: () => ({ message: whole, logprobs: logprobs(turn.tokens) }),
    first: { delta: { role: "assistant", content: "" } },
    pieces: calls
      ? [{ delta: { tool_calls: calls.map((call, index) => ({ index, ...call })) } }]
      : turn.tokens.map((token) => ({ delta: { content: token }, logprobs: logprobs([token]) })),
  });
}

function completionAnswer(request: z.output<typeof completion>): ModelAnswer {
  const { echo, logprobs } = request;
  const prompts = promptsOf(request.prompt);
  const turns = prompts.map((prompt) => {
    const turn = cut(` ${prompt}`, request.max_tokens ?? 16, request.stop);
    return echo === true ? { ...turn, tokens: [...wordsOf(prompt), ...turn.tokens] } : turn;
  });
  const probabilities = (of: readonly string[]) =>
    logprobs == null
      ? null
      : {
          tokens: of,
          token_logprobs: of.map(() => 0),
          top_logprobs: of.map((token) => ({ [token]: 0 })),
          text_offset: [],
        };
  const [first] = turns;
  return generated(request, turns, {
    kind: "text_completion",
    chunkKind: "text_completion",
    prefix: "cmpl",
    prompt: prompts.join(" "),
    choice: (turn) => ({ text: turn.tokens.join(""), logprobs: probabilities(turn.tokens) }),
    pieces: (first?.tokens ?? []).map((token) => ({ text: token, logprobs: probabilities([token]) })),
  });
}

/** A list of numbers is one prompt, of a list of texts or of lists each is one. */
function promptsOf(prompt: z.output<typeof completion>["prompt"]): string[] {
  if (typeof prompt === "string") return [prompt];
  return typeof prompt[0] === "number" ? [prompt.join(" ")] : prompt.map((each) => [each].flat().join(" "));
}

interface Form {
  readonly kind: string;
  readonly chunkKind: string;
  readonly prefix: string;
  readonly prompt: string;
  choice(turn: Turn): object;
  readonly first?: object;
  /** Of the first turn, as a stream sends them. */
  readonly pieces: readonly object[];
}

/** @param turns one for each prompt; each is a choice, `n` times */
function generated(
  { model, stream, stream_options, n }: z.output<typeof generation>,
  turns: readonly Turn[],
  { kind, chunkKind, prefix, prompt, choice, first, pieces }: Form,
): ModelAnswer {
  const id = idOf(prefix, prompt);
  const all = turns.flatMap((turn) => Array.from({ length: n ?? 1 }, () => turn));
  const [prompt_tokens, completion_tokens] = [wordsOf(prompt).length, all.flatMap(({ tokens }) => tokens).length];
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  const choices = (part: object, finish_reason: string | null, index = 0) => ({
    index,
    logprobs: null,
    finish_reason,
    ...part,
  });
  if (stream !== true) {
    const answers = all.map((turn, index) => choices(choice(turn), finishOf(turn), index));
    return { status: 200, body: { id, object: kind, created: CREATED, model, choices: answers, usage } };
  }
  const [turn] = all;
  if (all.length > 1 || turn === undefined)
    throw new Refusal(400, "BadRequestError", "stream: the emulator's model streams one choice");
  const chunk = { id, object: chunkKind, created: CREATED, model };
  const finish = (index: number) => (index === pieces.length - 1 ? finishOf(turn) : null);
  return {
    status: 200,
    events: [
      ...(first ? [{ ...chunk, choices: [choices(first, null)] }] : []),
      ...pieces.map((part, index) => ({ ...chunk, choices: [choices(part, finish(index))] })),
      ...(stream_options?.include_usage === true ? [{ ...chunk, choices: [], usage }] : []),
    ],
  };
}

const finishOf = ({ finish }: Turn): string => (finish === "tool" ? "tool_calls" : finish);

function embeddings({ input, encoding_format, model, dimensions }: z.output<typeof embedding>): ModelAnswer {
  const isOne = typeof input === "string" || typeof input[0] === "number";
  const texts = (isOne ? [input] : input).map(String);
  const count = texts.reduce((sum, each) => sum + wordsOf(each).length, 0);
  const data = texts.map((each, index) => {
    const vector = vectorOf(each, dimensions ?? 8);
    const encoded = encoding_format === "float" ? [...vector] : Buffer.from(vector.buffer).toString("base64");
    return { object: "embedding", index, embedding: encoded };
  });
  return { status: 200, body: { object: "list", data, model, usage: { prompt_tokens: count, total_tokens: count } } };
}

/** A vector of length 1 that depends on nothing but the text. */
function vectorOf(of: string, dimensions: number): Float32Array {
  const bytes = createHash("shake256", { outputLength: dimensions }).update(of).digest();
  const values = Float32Array.from(bytes, (byte) => byte - 127.5);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}
