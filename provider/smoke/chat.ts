import { parseJson } from "../../common/json";
import { z } from "../../common/zod";
import type { Received } from "./exchange";
import { type Mismatch, show } from "./expectation";

/** Enough for an answer to a smoke test, and for a rate. */
const MOST_TOKENS = 128;

/** The body of a streamed chat completion. `more` adds to its members, or replaces them. */
export function chatBody(prompt: string, model: string, more: object): string {
  const ownLimit = "max_tokens" in more || "max_completion_tokens" in more;
  return JSON.stringify({
    model,
    messages: [{ role: "user", content: prompt }],
    ...(!ownLimit && { max_tokens: MOST_TOKENS }),
    ...more,
    stream: true,
    stream_options: { include_usage: true },
  });
}

/** How many a second came after the first one; undefined for fewer than two. What comes at once counts as within 1 ms. */
export function perSecond(count: number, first?: { readonly atMs: number }, last = first): number | undefined {
  if (count < 2 || first === undefined || last === undefined) return undefined;
  return ((count - 1) * 1000) / Math.max(1, last.atMs - first.atMs);
}

const models = z.object({ data: z.array(z.object({ id: z.string() })) });

/** The models that an answer to `GET …/models` lists; undefined for any other answer. */
export function modelsIn({ status, text }: Received): string[] | undefined {
  const list = models.safeParse(parseJson(text));
  return status < 300 && list.success ? list.data.data.map(({ id }) => id) : undefined;
}

const delta = z.object({
  content: z.string().nullish(),
  // Models that think before they answer.
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  // A model that asks for a tool has answered.
  tool_calls: z.array(z.unknown()).nullish(),
});
const chunk = z.object({
  choices: z.array(z.object({ delta: delta.optional(), finish_reason: z.string().nullish() })).default([]),
  usage: z.object({ completion_tokens: z.number() }).nullish(),
  error: z.unknown().optional(),
});

export interface Chat {
  readonly text: string;
  readonly firstTokenMs: number | undefined;
  /** After the first one; undefined for fewer than two. */
  readonly tokensPerSecond: number | undefined;
  readonly mismatches: readonly Mismatch[];
}

/**
 * Reads the stream of a chat completion. Tokens are counted as the server's `usage` says; without it an event with text
 * counts as one.
 */
export function readChat({ events, contentType }: Received): Chat {
  const chunks = events.flatMap(({ data, atMs }) => {
    const parsed = chunk.safeParse(parseJson(data));
    return parsed.success ? [{ ...parsed.data, atMs }] : [];
  });
  const texts = chunks.flatMap(({ choices, atMs }) => {
    const { content, reasoning_content, reasoning, tool_calls } = choices[0]?.delta ?? {};
    const isToken = [content, reasoning_content, reasoning, tool_calls?.length].some(Boolean);
    return isToken ? [{ text: content ?? "", atMs }] : [];
  });
  const [first, last] = [texts[0], texts.at(-1)];
  const tokens = chunks.findLast(({ usage }) => usage)?.usage?.completion_tokens ?? texts.length;
  const error = chunks.find((each) => each.error != null)?.error;
  const isOver =
    events.some(({ data }) => data === "[DONE]") || chunks.some(({ choices }) => choices[0]?.finish_reason);
  const problem = (text: string, value: unknown) => [{ path: "Chat", problem: text, found: show(value) }];
  return {
    text: texts.map(({ text }) => text).join(""),
    firstTokenMs: first?.atMs,
    tokensPerSecond: perSecond(tokens, first, last),
    mismatches:
      error !== undefined
        ? problem("ended with an error", error)
        : events.length === 0
          ? problem("should be a stream of events", contentType ?? "no content type")
          : first === undefined
            ? problem("should have tokens", events.at(-1)?.data)
            : isOver
              ? []
              : problem("should end with [DONE]: the stream broke off", events.at(-1)?.data),
  };
}
