import { isDeepStrictEqual } from "node:util";

/**
 * Addresses of a queue endpoint's operations; `{job_id}` stands for the job's id.
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

/** The base alone, where all addresses follow from it. */
export function shortUrls(urls: unknown): unknown {
  const run: unknown = urls !== null && typeof urls === "object" ? Reflect.get(urls, "run") : undefined;
  const base = typeof run === "string" ? run.replace(/\/run$/, "") : undefined;
  return base !== undefined && isDeepStrictEqual(urls, queueUrlsAt(base)) ? base : urls;
}

/** What `shortUrls` made short. */
export function fullUrls(urls: unknown): unknown {
  return typeof urls === "string" ? queueUrlsAt(urls) : urls;
}
