/*
 * A small language model that answers as OpenAI's API does. It says the last message again, so that answers are the same in
 * every run; a word is a token.
 */
import { createHash } from "node:crypto";
import { z } from "zod";

/** An answer: a whole body, or the events of a stream before its `[DONE]`. */
export type ModelAnswer =
  | { readonly status: number; readonly body: object }
  | { readonly status: 200; readonly events: readonly object[] };

/** When every answer was created, in seconds since the epoch. */
const CREATED = 1_700_000_000;
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

const most = z.int().min(1).nullish();
const text = z.union([z.string(), z.array(z.object({ type: z.string(), text: z.string().optional() }))]).nullish();
const generation = {
  model: z.string(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: most,
};
const chat = z.object({
  ...generation,
  messages: z.array(z.object({ role: z.string(), content: text })).min(1),
  max_completion_tokens: most,
});
const completion = z.object({ ...generation, prompt: z.union([z.string(), z.array(z.string()).length(1)]) });
const tokens = z.array(z.int());
const embedding = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string()), tokens, z.array(tokens)]),
  encoding_format: z.enum(["float", "base64"]).default("float"),
});

type Route = (body: unknown, served: string) => ModelAnswer;

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  [
    "/v1/models",
    (_body, id) => ({
      status: 200,
      body: {
        object: "list",
        data: [{ id, object: "model", created: CREATED, owned_by: "vllm", root: id, parent: null }],
      },
    }),
  ],
  ["/v1/chat/completions", (body, served) => read(chat, body, served, chatAnswer)],
  ["/v1/completions", (body, served) => read(completion, body, served, completionAnswer)],
  ["/v1/embeddings", (body, served) => read(embedding, body, served, embeddings)],
]);

/** Answers a request. @param route such as `/v1/chat/completions` @param served the name of the model that serves */
export function askModel(route: string, body: unknown, served: string): ModelAnswer {
  return ROUTES.get(route)?.(body, served) ?? refusal(404, "NotFoundError", "Not Found");
}

/** The text of a stream's events, in the order in which a server sends them. */
export const streamTexts = (events: readonly object[]): string[] => [
  ...events.map((event) => `data: ${JSON.stringify(event)}\n\n`),
  "data: [DONE]\n\n",
];

function read<S extends z.ZodType<{ model: string }>>(
  schema: S,
  body: unknown,
  served: string,
  answer: (request: z.output<S>) => ModelAnswer,
): ModelAnswer {
  const { success, data, error } = schema.safeParse(body ?? {});
  if (!success) {
    const [issue] = error.issues;
    return refusal(400, "BadRequestError", `${issue?.path.join(".")}: ${issue?.message}`);
  }
  if (data.model !== served)
    return refusal(404, "NotFoundError", `The model \`${data.model}\` does not exist.`, "model");
  return answer(data);
}

const refusal = (code: number, type: string, message: string, param: string | null = null): ModelAnswer => ({
  status: code,
  body: { error: { message, type, param, code } },
});

function chatAnswer(request: z.output<typeof chat>): ModelAnswer {
  const { messages, max_tokens, max_completion_tokens } = request;
  const texts = messages.map(({ content }) => plain(content));
  const reply = wordsOf(`You said: ${texts.at(-1)}`);
  return generated(request, {
    kind: "chat.completion",
    chunkKind: "chat.completion.chunk",
    prefix: "chatcmpl",
    prompt: texts.join(" "),
    reply,
    most: max_completion_tokens ?? max_tokens ?? reply.length,
    choice: (content) => ({ message: { role: "assistant", content } }),
    first: { delta: { role: "assistant", content: "" } },
    next: (content) => ({ delta: { content } }),
  });
}

function completionAnswer(request: z.output<typeof completion>): ModelAnswer {
  const prompt = [request.prompt].flat().join();
  return generated(request, {
    kind: "text_completion",
    chunkKind: "text_completion",
    prefix: "cmpl",
    prompt,
    reply: wordsOf(` ${prompt}`),
    most: request.max_tokens ?? 16,
    choice: (generatedText) => ({ text: generatedText }),
    next: (generatedText) => ({ text: generatedText }),
  });
}

interface Generation {
  readonly kind: string;
  readonly chunkKind: string;
  readonly prefix: string;
  readonly prompt: string;
  readonly reply: readonly string[];
  /** The largest number of tokens. */
  readonly most: number;
  choice(content: string): object;
  readonly first?: object;
  next(content: string): object;
}

function generated(
  { model, stream, stream_options }: z.output<z.ZodObject<typeof generation>>,
  { kind, chunkKind, prefix, prompt, reply, most, choice, first, next }: Generation,
): ModelAnswer {
  const sent = reply.slice(0, most);
  const finish = sent.length < reply.length ? "length" : "stop";
  const id = `${prefix}-${createHash("sha256").update(prompt).digest("hex").slice(0, 32)}`;
  const usage = {
    prompt_tokens: wordsOf(prompt).length,
    completion_tokens: sent.length,
    total_tokens: wordsOf(prompt).length + sent.length,
  };
  const choices = (part: object, finish_reason: string | null) => [
    { index: 0, logprobs: null, finish_reason, ...part },
  ];
  if (stream !== true)
    return {
      status: 200,
      body: { id, object: kind, created: CREATED, model, choices: choices(choice(sent.join("")), finish), usage },
    };
  const chunk = { id, object: chunkKind, created: CREATED, model };
  const parts = sent.map((token, index) => choices(next(token), index === sent.length - 1 ? finish : null));
  return {
    status: 200,
    events: [
      ...(first ? [{ ...chunk, choices: choices(first, null) }] : []),
      ...parts.map((part) => ({ ...chunk, choices: part })),
      ...(stream_options?.include_usage === true ? [{ ...chunk, choices: [], usage }] : []),
    ],
  };
}

const DIMENSIONS = 8;

function embeddings({ input, encoding_format, model }: z.output<typeof embedding>): ModelAnswer {
  const isOne = typeof input === "string" || typeof input[0] === "number";
  const texts = (isOne ? [input] : input).map(String);
  const count = texts.reduce((sum, each) => sum + wordsOf(each).length, 0);
  const data = texts.map((each, index) => {
    const vector = vectorOf(each);
    const encoded = encoding_format === "float" ? [...vector] : Buffer.from(vector.buffer).toString("base64");
    return { object: "embedding", index, embedding: encoded };
  });
  return { status: 200, body: { object: "list", data, model, usage: { prompt_tokens: count, total_tokens: count } } };
}

/** A vector of length 1 that depends on nothing but the text. */
function vectorOf(of: string): Float32Array {
  const bytes = createHash("sha256").update(of).digest().subarray(0, DIMENSIONS);
  const values = Float32Array.from(bytes, (byte) => byte - 127.5);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

const plain = (content: z.output<typeof text>): string =>
  typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");

/** The words of a text, each with the space before it. */
const wordsOf = (of: string): string[] => of.match(/\s*\S+/g) ?? [];
