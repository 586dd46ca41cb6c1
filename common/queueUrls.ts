import { isDeepStrictEqual } from "node:util";

/**
 * The addresses of a queue endpoint's operations, with `{job_id}` for the job's id.
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
  };
}

/** Shortens addresses to their base, if all of them follow from it. Anything else is returned unchanged. */
export function shortUrls(urls: unknown): unknown {
  const run: unknown = urls !== null && typeof urls === "object" ? Reflect.get(urls, "run") : undefined;
  const base = typeof run === "string" ? run.replace(/\/run$/, "") : undefined;
  return base !== undefined && isDeepStrictEqual(urls, queueUrlsAt(base)) ? base : urls;
}

/** Reverses `shortUrls`. */
export function fullUrls(urls: unknown): unknown {
  return typeof urls === "string" ? queueUrlsAt(urls) : urls;
}
