import type { FastifyRequest } from "fastify";
import { Problem } from "../problem";

/** Host names that always mean this machine. A public name may point here too (DNS rebinding), so others are refused. */
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;
const LOOPBACK_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/**
 * Refuses requests of web pages in a browser on this machine. They could reach the emulator, and its keys are not secret.
 * Programs send neither `Origin` nor `Sec-Fetch-Site`.
 */
export function checkSender({ headers }: FastifyRequest): void {
  if (!LOOPBACK_HOST.test(headers.host ?? ""))
    throw new Problem(403, "the emulator answers only under the hosts 127.0.0.1, localhost and [::1]");
  // mutant web-pages-answered: false
  const isForeign = headers.origin !== undefined && !LOOPBACK_ORIGIN.test(headers.origin);
  if (isForeign || headers["sec-fetch-site"] === "cross-site")
    throw new Problem(403, "the emulator does not answer pages of other sites");
}
