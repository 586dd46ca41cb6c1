import type { Socket } from "node:net";
import type { Agent, buildConnector, Dispatcher } from "undici";
import { UsageError } from "../errors";
import type { AnyDispatcher } from "../options";
import { ProxyRefusal } from "../outcomes/failures";

const loopback = ["localhost", "127.0.0.1", "::1"];

/** Sockets to one address, by use, so that no use blocks another. */
const connections = {
  /** Enough for a fleet in parallel, few enough for one laptop. */
  calls: 16,
  /** Calls that must not be sent twice, such as creates. */
  creates: 16,
  /** What the limits of a queue allow. */
  queue: 256,
  /** Queue requests that must not be sent twice, such as submissions. */
  once: 256,
  /** The queue delays its answers to runSync and stream on purpose, and each of them holds a socket meanwhile. */
  held: 512,
  /** A followed log holds its socket for as long as it is followed, so there is no limit. */
  streams: undefined,
  /** Requests to endpoints that must not be sent twice. */
  posts: undefined,
} as const;

/**
 * How long a socket for such calls stays idle, whatever keep-alive the service announces. A request that meets the other
 * side's close loses its answer. Known servers and proxies keep idle sockets for longer than this, but no standard says so.
 */
const ONCE_IDLE_MS = 1_000;
/** `held` too: runSync submits a job. */
const mayNotRepeat: ReadonlySet<Use> = new Set(["creates", "once", "held", "posts"]);

export type Use = keyof typeof connections;

/** All clients of a process share sockets. Keyed by use, connect time-out and proxy settings. */
const shared = new Map<string, { dispatcher: Dispatcher; users: number }>();

/** The dispatchers of one client: the process's shared ones, or the one that it was given. */
export class Pools {
  readonly #customDispatcher: Dispatcher | undefined;
  readonly #connectMs: number;
  readonly #taken = new Map<Use, string>();

  constructor(customDispatcher: AnyDispatcher | undefined, connectMs: number) {
    this.#customDispatcher = customDispatcher as Dispatcher | undefined;
    this.#connectMs = connectMs;
  }

  for(use: Use): Dispatcher {
    if (this.#customDispatcher !== undefined) return this.#customDispatcher;
    const key = this.#taken.get(use);
    return (key === undefined ? undefined : shared.get(key)?.dispatcher) ?? this.#take(use);
  }

  /** Stops using the shared sockets; the last client that used them closes them. */
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
    const proxies = readProxies();
    const key = JSON.stringify([use, this.#connectMs, proxies]);
    const pool = shared.get(key) ?? { dispatcher: createDispatcher(use, this.#connectMs, proxies), users: 0 };
    pool.users += 1;
    shared.set(key, pool);
    this.#taken.set(use, key);
    return pool.dispatcher;
  }
}

/**
 * Keep-alive pools, through the proxy of the environment (HTTPS_PROXY, NO_PROXY) where there is one. A loopback address
 * never goes through a proxy. undici is loaded with the first call, because most previews make none.
 */
function createDispatcher(use: Use, connectMs: number, proxies: Proxies): Dispatcher {
  const limit = connections[use];
  const options = {
    ...(limit === undefined ? {} : { connections: limit }),
    pipelining: 1,
    allowH2: false,
    connectTimeout: connectMs,
    ...(mayNotRepeat.has(use) && { keepAliveTimeout: ONCE_IDLE_MS, keepAliveMaxTimeout: ONCE_IDLE_MS }),
  };
  if (proxies.httpsProxy + proxies.httpProxy === "")
    return new (agentClass(use))({ ...options, connect: connector(connectMs) });
  const { EnvHttpProxyAgent } = require("undici") as typeof import("undici");
  const clientFactory = (origin: URL, poolOptions: object) => tunnels(origin, poolOptions, connectMs);
  return new EnvHttpProxyAgent({ ...options, ...proxies, clientFactory });
}

type Proxies = ReturnType<typeof readProxies>;

/** Of a variable's two spellings, an empty one counts as not set, as with most programs. @throws UsageError */
const readProxies = () => ({
  httpsProxy: proxyOf("https_proxy", "HTTPS_PROXY"),
  httpProxy: proxyOf("http_proxy", "HTTP_PROXY"),
  noProxy: [process.env.no_proxy || process.env.NO_PROXY, ...loopback].filter(Boolean).join(","),
});

/** Makes connections skip an unrequested 100 (Continue), which undici treats as a broken connection. */
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
 * Calls load only undici's Agent: all of undici takes twice as long, which is a fifth of a provider's time to its first
 * answer. Streams need all of it. undici does not promise this internal path, so any failure falls back to the package.
 */
function agentClass(use: Use): typeof Agent {
  try {
    if (use !== "streams" && use !== "posts") return require("undici/lib/dispatcher/agent.js") as typeof Agent;
  } catch {
    // This version of undici has its files elsewhere.
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

/** The proxy of one of two spellings. The message does not show the value, which may contain a password. */
function proxyOf(...spellings: readonly string[]): string {
  const name = spellings.find((each) => process.env[each]) ?? "";
  const address = process.env[name] ?? "";
  if (address === "") return "";
  try {
    const { protocol, username, password } = new URL(address);
    decodeURIComponent(username + password);
    if (["http:", "https:", "socks5:", "socks:"].includes(protocol)) return address;
  } catch {
    // Not an address, or not encoded as one.
  }
  const wayOut =
    "Write it with its scheme, such as http://proxy.example:3128, and a password percent-encoded, such as %25 for %.";
  throw new UsageError(`${name} is not an address of a proxy. ${wayOut}`);
}

/**
 * Connections to the proxy itself, with a time-out and a typed refusal. undici waits minutes for the proxy's answer, and
 * reports a refusal only in the text of its error.
 */
function tunnels(origin: URL, options: object, connectMs: number): Dispatcher {
  const { Pool, errors } = require("undici") as typeof import("undici");
  const pool = new Pool(origin, options);
  const connect = pool.connect.bind(pool);
  return Object.assign(pool, {
    async connect(connectOptions: Parameters<typeof connect>[0]) {
      const connectTimeout = new AbortController();
      const timeoutError = new errors.ConnectTimeoutError(`the proxy did not answer within ${connectMs} ms`);
      const timer = setTimeout(() => connectTimeout.abort(timeoutError), connectMs);
      try {
        const tunnel = await connect({ ...connectOptions, signal: connectTimeout.signal });
        if (tunnel.statusCode === 200) return tunnel;
        tunnel.socket.on("error", () => {}).destroy();
        throw new ProxyRefusal(tunnel.statusCode);
      } finally {
        clearTimeout(timer);
      }
    },
  });
}

const CONTINUE = Buffer.from("HTTP/1.1 100");
const END = "\r\n\r\n";

/**
 * Skips an unrequested 100 (Continue), as HTTP demands. undici, 8.12 too, destroys the socket of a 100 ("bad response"), so a
 * submission would be lost whose answer is on its way (tests/client/edges). It skips any other interim answer. So each 100
 * between a request and its answer is rewritten to a 102, which has the same length.
 *
 * A 100 whose first line is split over two chunks is not recognized.
 */
function passOverContinue(socket: Socket): void {
  const { read, write } = socket;
  let isAnswering = false;
  Object.assign(socket, {
    write(...args: unknown[]): boolean {
      isAnswering = false;
      return Reflect.apply(write, socket, args);
    },
    read(size?: number): unknown {
      const chunk: unknown = Reflect.apply(read, socket, [size]);
      if (!isAnswering && Buffer.isBuffer(chunk)) isAnswering = !isInterim(chunk);
      return chunk;
    },
  });
}

/** Whether the chunk holds only 100 answers. Rewrites each of them to a 102, in place. */
function isInterim(chunk: Buffer): boolean {
  for (let from = 0; from < chunk.length; ) {
    if (!chunk.subarray(from, from + CONTINUE.length).equals(CONTINUE)) return false;
    chunk.write("2", from + CONTINUE.length - 1);
    const end = chunk.indexOf(END, from);
    if (end < 0) break;
    from = end + END.length;
  }
  return true;
}
