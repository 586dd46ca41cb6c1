import type { FastifyRequest } from "fastify";
import { Problem } from "../problem";

/** Names under which only this machine reaches itself; a name of the web that was pointed here is another one. */
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;
const LOOPBACK_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/**
 * Refuses what a page of the web sends through a browser on this machine: it has the developer's network, and the
 * emulator's keys are not secret. Programs send neither `Origin` nor `Sec-Fetch-Site`.
 */
export function checkSender({ headers }: FastifyRequest): void {
  if (!LOOPBACK_HOST.test(headers.host ?? ""))
    throw new Problem(403, "the emulator answers only under the hosts 127.0.0.1, localhost and [::1]");
  const isForeign = headers.origin !== undefined && !LOOPBACK_ORIGIN.test(headers.origin);
  if (isForeign || headers["sec-fetch-site"] === "cross-site")
    throw new Problem(403, "the emulator does not answer pages of other sites");
}
