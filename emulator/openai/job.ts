import { jsonOrText } from "../json";
import { askModel, servedModel, streamTexts } from "./model";

/** The input of a job that a request to `/openai/...` has become, as the vendor's own workers get it. */
export interface OpenAiInput {
  /** Such as `/v1/chat/completions`. */
  readonly openai_route: string;
  readonly openai_input: unknown;
}

export const isOpenAiInput = (input: unknown): input is OpenAiInput =>
  typeof input === "object" && input !== null && "openai_route" in input && typeof input.openai_route === "string";

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
