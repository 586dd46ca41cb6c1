import type { Dispatcher } from "undici";
import type { Timeouts } from "./options";

const loopback = ["localhost", "127.0.0.1", "::1"];
const proxyVariables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/**
 * The keep-alive pool of one address, through the proxy of the environment (HTTPS_PROXY, NO_PROXY) where there is one.
 * A loopback address never goes through a proxy. undici is loaded with the first call: a program that makes none, as
 * in most previews, does not pay for it.
 */
export function createDispatcher(connections: number, timeouts: Timeouts): Dispatcher {
  const { Agent, EnvHttpProxyAgent } = require("undici") as typeof import("undici");
  const options = {
    connections,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: timeouts.connectMs },
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
  };
  if (!proxyVariables.some((name) => process.env[name])) return new Agent(options);
  const noProxy = [process.env.NO_PROXY ?? process.env.no_proxy, ...loopback].filter(Boolean).join(",");
  return new EnvHttpProxyAgent({ ...options, noProxy });
}
