import type { Agent, buildConnector, Dispatcher } from "undici";
import { UsageError } from "../errors";
import { ProxyRefusal } from "../outcomes/failures";
import { passOverContinue } from "./interim";

const loopback = ["localhost", "127.0.0.1", "::1"];
const proxyVariables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/** Sockets to one address, by what they are used for, so that no use stops another. */
const connections = {
  /** Enough for a fleet in parallel, few enough for one laptop. */
  calls: 16,
  /** What the limits of a queue allow. */
  queue: 256,
  /** What a queue may not be sent twice, such as submissions. */
  once: 256,
  /** The queue answers runSync and stream late on purpose; each holds a socket meanwhile. */
  held: 512,
  /** A log that is followed holds its socket for ever: every follower has one. */
  streams: undefined,
} as const;

/**
 * How long a socket for such calls stays idle, whatever the service promises. When the other side closes it at the moment
 * that it is used, the answer is lost: all servers and proxies that are known wait for longer.
 */
const ONCE_IDLE_MS = 1_000;
/** Submissions by runSync are held, too. */
const mayNotRepeat: ReadonlySet<Use> = new Set(["once", "held"]);

export type Use = keyof typeof connections;

interface Shared {
  dispatcher: Dispatcher;
  users: number;
}

/** By use and connect time-out: all clients of a process share their sockets. */
const shared = new Map<string, Shared>();

/** What one client sends through: its share of the process's sockets, or the dispatcher that it was given. */
export class Pools {
  readonly #own: Dispatcher | undefined;
  readonly #connectMs: number;
  readonly #taken = new Map<Use, string>();

  constructor(own: Dispatcher | undefined, connectMs: number) {
    this.#own = own;
    this.#connectMs = connectMs;
  }

  for(use: Use): Dispatcher {
    if (this.#own !== undefined) return this.#own;
    const key = this.#taken.get(use);
    return (key === undefined ? undefined : shared.get(key)?.dispatcher) ?? this.#take(use);
  }

  /** Gives up its share; the sockets end with the last client that had one. */
  async release(): Promise<void> {
    const keys = [...this.#taken.values()];
    this.#taken.clear();
    const unused = keys.flatMap((key) => {
      const pool = shared.get(key);
      if (pool === undefined) return [];
      pool.users -= 1;
      if (pool.users > 0) return [];
      shared.delete(key);
      return pool.dispatcher;
    });
    await Promise.all(unused.map((dispatcher) => dispatcher.destroy()));
  }

  #take(use: Use): Dispatcher {
    const proxies = proxyVariables.map((name) => process.env[name] ?? "");
    const key = JSON.stringify([use, this.#connectMs, ...proxies, process.env.NO_PROXY ?? process.env.no_proxy]);
    const pool = shared.get(key) ?? { dispatcher: createDispatcher(use, this.#connectMs), users: 0 };
    pool.users += 1;
    shared.set(key, pool);
    this.#taken.set(use, key);
    return pool.dispatcher;
  }
}

/**
 * Keep-alive pools, through the proxy of the environment (HTTPS_PROXY, NO_PROXY) where there is one. A loopback address
 * never goes through a proxy. undici is loaded with the first call: a program that makes none, as in most previews,
 * does not pay for it.
 */
function createDispatcher(use: Use, connectMs: number): Dispatcher {
  const limit = connections[use];
  const options = {
    ...(limit === undefined ? {} : { connections: limit }),
    pipelining: 1,
    allowH2: false,
    connectTimeout: connectMs,
    ...(mayNotRepeat.has(use) && { keepAliveTimeout: ONCE_IDLE_MS, keepAliveMaxTimeout: ONCE_IDLE_MS }),
  };
  const set = proxyVariables.filter((name) => process.env[name]);
  if (set.length === 0) return new (agentClass(use))({ ...options, connect: connector(connectMs) });
  const { EnvHttpProxyAgent } = require("undici") as typeof import("undici");
  for (const name of set) checkProxy(name, process.env[name] ?? "");
  const noProxy = [process.env.NO_PROXY ?? process.env.no_proxy, ...loopback].filter(Boolean).join(",");
  const clientFactory = (origin: URL, given: object) => tunnels(origin, given, connectMs);
  return new EnvHttpProxyAgent({ ...options, noProxy, clientFactory });
}

/** undici takes an answer of 100 that nobody asked for as a broken connection; any other interim answer it passes over. */
function connector(connectMs: number): buildConnector.connector {
  const connect = connectorClass()({ timeout: connectMs, allowH2: false });
  return (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result;
      if (socket) passOverContinue(socket); // undefined, not null, with an error
      callback(...result);
    });
}

/**
 * For calls the pools alone: the whole of undici, which streams need, takes twice as long to load, a fifth of a provider's
 * time to its first answer. Where this path leads is not for undici to promise, so that any failure leads to the whole.
 */
function agentClass(use: Use): typeof Agent {
  try {
    if (use !== "streams") return require("undici/lib/dispatcher/agent.js") as typeof Agent;
  } catch {
    // An undici that is laid out otherwise.
  }
  return (require("undici") as typeof import("undici")).Agent;
}

function connectorClass(): typeof buildConnector {
  try {
    return require("undici/lib/core/connect.js") as typeof buildConnector;
  } catch {
    return (require("undici") as typeof import("undici")).buildConnector;
  }
}

/** The value may hold a password: it is not shown. */
function checkProxy(name: string, address: string): void {
  const protocol = URL.canParse(address) ? new URL(address).protocol : "";
  if (["http:", "https:", "socks5:", "socks:"].includes(protocol)) return;
  throw new UsageError(
    `${name} is not an address of a proxy. Write it with its scheme, such as http://proxy.example:3128.`,
  );
}

/** Connections to the proxy itself. undici waits for its answer for minutes, and tells a refusal by words alone. */
function tunnels(origin: URL, options: object, connectMs: number): Dispatcher {
  const { Pool, errors } = require("undici") as typeof import("undici");
  const pool = new Pool(origin, options);
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, {
    async connect(asked: Parameters<typeof connect>[0]) {
      const late = new AbortController();
      const mute = new errors.ConnectTimeoutError(`the proxy did not answer within ${connectMs} ms`);
      const timer = setTimeout(() => late.abort(mute), connectMs);
      try {
        const tunnel = await connect({ ...asked, signal: late.signal });
        if (tunnel.statusCode === 200) return tunnel;
        tunnel.socket.on("error", () => {}).destroy();
        throw new ProxyRefusal(tunnel.statusCode);
      } finally {
        clearTimeout(timer);
      }
    },
  });
}
