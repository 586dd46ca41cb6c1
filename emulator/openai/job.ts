import { z } from "zod";
import { isObject, jsonOrText } from "../json";
import { askModel, servedModel, streamTexts } from "./model";
import { cut, messageText, most, stop, stream } from "./turn";

/** The input of a job that a request to `/openai/...` has become, as the vendor's own workers get it. */
export interface OpenAiInput {
  /** Such as `/v1/chat/completions`. */
  readonly openai_route: string;
  readonly openai_input: unknown;
}

export const isOpenAiInput = (input: unknown): input is OpenAiInput =>
  isObject(input) && typeof input.openai_route === "string";

/** Whether an image runs a language model. */
export const isVllm = (image: string): boolean => image.includes("vllm");

/**
 * Runs such a job on the built-in model. Yields the texts of a stream, or returns the body of the answer.
 *
 * @param pause resolves when the next token may be sent
 */
export async function* runOnModel(
  { openai_route, openai_input }: OpenAiInput,
  env: Readonly<Record<string, string>>,
  pause: () => Promise<void>,
): AsyncGenerator<string, unknown> {
  const answer = askModel(openai_route, openai_input, servedModel(env));
  if ("body" in answer) {
    await pause();
    return answer.body;
  }
  for (const text of streamTexts(answer.events)) {
    await pause();
    yield text;
  }
  return undefined;
}

/** Sends such a job to a server of the user's. Yields the text of its stream, or returns the body of its answer. */
export async function* runOnServer(
  { openai_route, openai_input }: OpenAiInput,
  address: string,
  signal: AbortSignal,
): AsyncGenerator<string, unknown> {
  // What does not begin a path would continue the name of the host or its port.
  if (!openai_route.startsWith("/"))
    return { error: `openai_route ${JSON.stringify(openai_route)} begins with no slash` };
  const response = await fetch(address.replace(/\/$/, "") + openai_route, {
    signal,
    ...(openai_input !== undefined && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(openai_input),
    }),
  });
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok) return { error: { ...refusalIn(await response.text()), code: response.status } };
  if (!type.startsWith("text/event-stream")) return response.json();
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) yield decoder.decode(bytes, { stream: true });
  return undefined;
}

/** The `error` of a server's answer, or an error with its text. */
function refusalIn(text: string): object {
  const { error }: { error?: unknown } = Object(jsonOrText(text));
  return typeof error === "object" && error !== null ? error : { message: text };
}

const nativeInput = z.object({
  messages: z.array(z.object({ role: z.string(), content: messageText })).optional(),
  prompt: z.union([z.string(), z.array(z.string())]).optional(),
  sampling_params: z.object({ max_tokens: most, stop }).nullish(),
  stream,
});

/** A vLLM worker's job: a request to one of its routes, or an input of its own. */
export function runVllm(
  input: unknown,
  env: Readonly<Record<string, string>>,
  pause: () => Promise<void>,
): AsyncGenerator<unknown, unknown> {
  if (isOpenAiInput(input)) return runOnModel(input, env, pause);
  if (isObject(input) && typeof input.route === "string")
    return runOnModel({ openai_route: input.route, openai_input: input.body }, env, pause);
  return runNative(input, pause);
}

/** It answers in batches of tokens, of a stream one by one. */
async function* runNative(input: unknown, pause: () => Promise<void>): AsyncGenerator<unknown, unknown> {
  const { data } = nativeInput.safeParse(input);
  const said = data?.messages?.at(-1)?.content ?? [data?.prompt ?? []].flat().join(" ");
  if (data?.messages === undefined && data?.prompt === undefined)
    return { error: "the input must contain one of: messages, prompt, openai_route, route" };
  const { tokens } = cut(`You said: ${said}`, data.sampling_params?.max_tokens, data.sampling_params?.stop);
  const batches = data.stream === true ? tokens.map((token) => [token]) : [[tokens.join("")]];
  const words = said.split(/\s+/).length;
  const answers = batches.map((batch) => ({
    choices: [{ tokens: batch }],
    usage: { input: words, output: batch.length },
  }));
  for (const answer of answers) {
    await pause();
    yield answer;
  }
  return answers;
}
