import { isDeepStrictEqual } from "node:util";

/**
 * The addresses of a queue endpoint's operations, with `{job_id}` for the job's id, and the base URL of OpenAI's clients.
 *
 * @param base such as `https://host/v2/<endpoint id>`
 */
export function queueUrlsAt(base: string) {
  return {
    run: `${base}/run`,
    runSync: `${base}/runsync`,
    status: `${base}/status/{job_id}`,
    stream: `${base}/stream/{job_id}`,
    cancel: `${base}/cancel/{job_id}`,
    retry: `${base}/retry/{job_id}`,
    purgeQueue: `${base}/purge-queue`,
    health: `${base}/health`,
    openai: openAiUrlAt(base),
  };
}

/** @param base such as `https://host/v2/<endpoint id>` */
export const openAiUrlAt = (base: string): string => `${base}/openai/v1`;

/** Shortens addresses to their base, if all of them follow from it. Anything else is returned unchanged. */
export function shortUrls(urls: unknown): unknown {
  const base = baseOf(urls);
  return base !== undefined && isDeepStrictEqual({ openai: openAiUrlAt(base), ...Object(urls) }, queueUrlsAt(base))
    ? base
    : urls;
}

/** Reverses `shortUrls`, and completes a queue's addresses, which the service shows without `openai`. */
export function fullUrls(urls: unknown): unknown {
  if (typeof urls === "string") return queueUrlsAt(urls);
  return typeof urls === "object" && urls !== null ? withOpenAi(urls) : urls;
}

/** Adds the base URL of OpenAI's clients to a queue's addresses. */
export function withOpenAi<Urls extends object>(urls: Urls): Urls | (Urls & { openai: string }) {
  const base = baseOf(urls);
  return base === undefined ? urls : { ...urls, openai: openAiUrlAt(base) };
}

function baseOf(urls: unknown): string | undefined {
  const run: unknown = urls !== null && typeof urls === "object" ? Reflect.get(urls, "run") : undefined;
  return typeof run === "string" ? run.replace(/\/run$/, "") : undefined;
}
