import { decompressedStream, Pools, userAgent } from "../../client";
import type { Send } from "./exchange";

const CONNECT_MS = 10_000;

/** Sends requests without the account's key, through the proxy of the environment where there is one. */
export class Keyless {
  readonly #pools = new Pools(undefined, CONNECT_MS);

  readonly send: Send = async ({ url, method, headers, body: sent = null }, signal) => {
    const { origin, pathname, search } = new URL(url);
    const answer = await this.#pools.for("streams").request({
      origin,
      path: pathname + search,
      method,
      headers: { "user-agent": userAgent, "accept-encoding": "identity", ...headers },
      body: sent,
      signal,
      // The signal ends it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const header = (name: string) => {
      const value = answer.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    };
    const body = decompressedStream(answer.body, header("content-encoding")) ?? answer.body;
    return { status: answer.statusCode, header, body };
  };

  close(): Promise<void> {
    return this.#pools.release();
  }
}
