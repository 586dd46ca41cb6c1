import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import type { Dispatcher } from "undici";
import { isRecord, parseJson } from "../../common/json";
import { UsageError } from "../errors";
import type { AppInfo } from "../options";
import { BodyLimit } from "../outcomes/failures";
import type { Answer, Permit, Settings, WireCall } from "./call";
import { LONGEST_TIMER_MS } from "./cancellation";
import { Pools, type Use } from "./dispatcher";
import { type Headers, headerIn } from "./headers";
import type { Sending } from "./sending";

export interface Opened {
  readonly stream: Readable;
  readonly status: number;
  readonly headers: Headers;
}

/** Bytes of a refusal that are read. */
const MOST_OF_REFUSAL = 1024 ** 2;

/** An answer before decompression and parsing. */
interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Makes the requests of attempts and reads their answers. */
export class Wire {
  readonly #pools: Pools;
  readonly #userAgent: string;

  constructor(private readonly settings: Settings) {
    this.#pools = new Pools(settings.dispatcher, settings.timeouts.connectMs);
    this.#userAgent = userAgentOf(settings.appInfo);
  }

  /** Releases the sockets. */
  close(): Promise<void> {
    return this.#pools.release();
  }

  /** Sends a request and reads its whole answer, whatever the status. */
  async exchange(attempt: Sending, permit: Permit, body = attempt.call.body): Promise<Answer> {
    const began = performance.now();
    const dispatcher = this.#pools.for(useOf(attempt.call));
    const request = this.#request(attempt, body);
    const raw = await new Promise<RawAnswer>((resolve, reject) => {
      const { answerBytes } = this.settings.limits;
      dispatcher.dispatch(request, new Collector(attempt, permit, answerBytes, resolve, reject));
    });
    const { status, headers } = raw;
    // Asked first, because a promise costs more than most answers' bodies.
    const plain = headers["content-encoding"] === undefined ? raw.body : await this.#decompressed(raw);
    // Without a byte order mark.
    const isMarked = plain[0] === 0xef && plain[1] === 0xbb && plain[2] === 0xbf;
    const text = plain.toString("utf8", isMarked ? 3 : 0);
    reportResponse(attempt, status, headers, began);
    return new ReceivedAnswer(status, headers, text, attempt);
  }

  /** Sends a request and waits until its answer begins. Nothing of its body is read yet. The caller tells the permit. */
  async open(attempt: Sending, permit: Permit): Promise<Opened> {
    const began = performance.now();
    const request = { ...this.#request(attempt, attempt.call.body), bodyTimeout: 0 };
    const dispatcher = this.#pools.for(attempt.call.class === "repeatable" ? "streams" : "posts");
    const opened = await new Promise<Opened>((resolve, reject) => {
      dispatcher.dispatch(request, new Opener(attempt, permit, resolve, reject));
    });
    reportResponse(attempt, opened.status, opened.headers, began);
    return opened;
  }

  /** The beginning of an opened answer, which may have no end: what is read of a refusal. The rest is not waited for. */
  async beginning(attempt: Sending, { stream, status, headers }: Opened): Promise<{ answer: Answer; body: Buffer }> {
    const raw = { status, headers, body: await beginningOf(stream, MOST_OF_REFUSAL, this.settings.timeouts.bodyMs) };
    attempt.cancellation.throwIfEnded();
    const body = await this.#decompressed(raw).catch(() => raw.body);
    return { answer: new ReceivedAnswer(status, headers, body.toString(), attempt), body };
  }

  /**
   * The decompressed body. One in another encoding, which was not asked for, is returned as it is.
   *
   * @throws BodyLimit
   */
  async #decompressed({ headers, body }: RawAnswer): Promise<Buffer> {
    // A 204 may carry a content-encoding header too.
    if (body.length === 0 || headers["content-encoding"]?.toLowerCase() !== ENCODING) return body;
    const { answerBytes } = this.settings.limits;
    // Loaded with the first compressed answer.
    const { gunzip } = require("node:zlib") as typeof import("node:zlib");
    try {
      return await promisify(gunzip)(body, { maxOutputLength: answerBytes });
    } catch (error) {
      throw isRecord(error) && error.code === "ERR_BUFFER_TOO_LARGE" ? new BodyLimit(answerBytes) : error;
    }
  }

  #request({ call, hooks, number }: Sending, body: WireCall["body"]): Dispatcher.DispatchOptions {
    const { timeouts } = this.settings;
    const key = this.settings.key.reveal();
    const inQuery = call.key === "query";
    const [origin, path] = splitUrl(call.url);
    const headers: Record<string, string> = {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(!inQuery && call.key !== "none" && { authorization: call.key === "raw" ? key : `Bearer ${key}` }),
      "user-agent": this.#userAgent,
      accept: "application/json",
      "accept-encoding": ENCODING,
      ...call.headers,
    };
    const [bare = path] = path.split("?", 1);
    const requestEvent = {
      call: call.label,
      method: call.method,
      url: call.hidesPath ? origin : origin + bare,
      attempt: number,
    };
    return {
      origin,
      path: inQuery ? `${path}?api_key=${encodeURIComponent(key)}` : path,
      method: call.method,
      headers: Object.assign(headers, hooks.request(requestEvent)),
      body: body ?? null,
      headersTimeout: Math.min(timeouts.headersMs + (call.heldMs ?? 0), LONGEST_TIMER_MS),
      bodyTimeout: timeouts.bodyMs,
    };
  }
}

/**
 * The beginning of a body: at most `mostBytes`, and what has come within `ms` or before it broke off. The rest is not read.
 */
export async function beginningOf(body: Readable, mostBytes: number, ms: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const late = setTimeout(() => body.destroy(), Math.min(ms, LONGEST_TIMER_MS));
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes >= mostBytes) break;
    }
  } catch {
    // What has come is what there is.
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(chunks).subarray(0, mostBytes);
}

function reportResponse({ call, number, hooks }: Sending, status: number, headers: Headers, began: number) {
  hooks.response(() => {
    const requestId = headerIn(headers, "x-request-id");
    return { call: call.label, attempt: number, status, requestId, headers, ms: performance.now() - began };
  });
}

class ReceivedAnswer implements Answer {
  readonly json: unknown;

  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly text: string,
    { call }: Sending,
  ) {
    this.json = parseJson(text, call.exactIntegers);
  }

  header(name: string): string | undefined {
    return headerIn(this.headers, name);
  }

  get requestId(): string | undefined {
    return this.header("x-request-id");
  }
}

/** Queue calls are many, and calls with held answers must not block the others. */
function useOf(call: WireCall): Use {
  if (call.heldMs !== undefined) return "held";
  const isRepeatable = call.class === "repeatable";
  if (!call.quota.startsWith("queue ")) return isRepeatable ? "calls" : "creates";
  return isRepeatable ? "queue" : "once";
}

/**
 * The scheme, host and port of an address, and the rest. Without URL parsing, which takes longer than the rest of a request:
 * addresses are normalized where they are checked.
 */
export function splitUrl(url: string): [origin: string, path: string] {
  const host = url.indexOf("//") + 2;
  const slash = url.indexOf("/", host);
  if (slash >= 0) return [url.slice(0, slash), url.slice(slash)];
  const query = url.indexOf("?", host);
  return query < 0 ? [url, "/"] : [url.slice(0, query), `/${url.slice(query)}`];
}

/**
 * Collects the answer of one request. It costs half as much as undici's own `request`, which creates a stream for every body.
 * Cancelling the call ends it at any point: in the pool's line, under way, or in the middle of a body.
 */
class Collector implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Headers = {};
  /** The caller knows the outcome, so nothing may be sent any more. The call itself goes on: it may search, or send again. */
  #isOver = false;

  constructor(
    protected readonly attempt: Sending,
    private readonly permit: Permit,
    private readonly mostBytes: number,
    private readonly resolve: (answer: RawAnswer) => void,
    private readonly reject: (reason: unknown) => void,
  ) {
    attempt.cancellation.onEnd = (reason) => {
      this.#isOver = true;
      reject(reason);
      this.#controller?.abort(errorOf(reason));
    };
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It was ended while it waited for a socket.
    // mutant sent-after-its-time: false
    if (this.#isOver || this.attempt.cancellation.ended) controller.abort(errorOf(undefined));
    else this.attempt.isSent = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.permit.answered(status, headers);
    this.attempt.onAnswer(headers);
    if (Number(headers["content-length"] ?? 0) > this.mostBytes) controller.abort(new BodyLimit(this.mostBytes));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.mostBytes) controller.abort(new BodyLimit(this.mostBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.attempt.cancellation.onEnd = undefined;
    const [only] = this.#chunks;
    const body = only !== undefined && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
    this.resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.attempt.cancellation.onEnd = undefined;
    this.reject(error);
  }
}

/** Opens an answer: its body is a stream, which reads on as it is read. */
class Opener extends Collector {
  #stream: Readable | undefined;
  #hasEnded = false;

  constructor(
    attempt: Sending,
    permit: Permit,
    private readonly open: (opened: Opened) => void,
    reject: (reason: unknown) => void,
  ) {
    super(attempt, permit, Number.POSITIVE_INFINITY, () => {}, reject);
  }

  override onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.attempt.onAnswer(headers);
    const stream = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        if (!this.#hasEnded) controller.abort(errorOf(error));
        done(error);
      },
    });
    // Nobody may read it when it breaks, or is ended.
    stream.on("error", () => {});
    this.attempt.cancellation.onEnd = (reason) => stream.destroy(errorOf(reason));
    this.#stream = stream;
    this.open({ stream, status, headers });
  }

  override onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#stream?.push(chunk) === false) controller.pause();
  }

  override onResponseEnd(): void {
    this.#hasEnded = true;
    this.#stream?.push(null);
  }

  override onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#hasEnded = true;
    if (this.#stream === undefined) super.onResponseError(controller, error);
    else this.#stream.destroy(error);
  }
}

const errorOf = (reason: unknown): Error => (reason instanceof Error ? reason : new Error("The call was ended."));

// Resolved by the package's name, so that it works from the sources and from dist, and is not copied into the build.
const facts = require("pulumi-computecloud/package.json") as { name: string; version: string };

/** A name of its own, because some edges block the user agents of common libraries. */
export const userAgent = `${facts.name}/${facts.version} node/${process.versions.node}`;

/**
 * The user agent, with the program's own name appended.
 *
 * @throws UsageError for a name that a header can't carry
 */
function userAgentOf(app: AppInfo | undefined): string {
  if (app === undefined) return userAgent;
  const { name, version, url } = app;
  const product = `${name}${version === undefined ? "" : `/${version}`}${url === undefined ? "" : ` (${url})`}`;
  if (name !== "" && /^[\x20-\x7e]+$/.test(product)) return `${userAgent} ${product}`;
  throw new UsageError("appInfo holds a character that no header can carry, or no name.");
}

/** The value of `accept-encoding`. */
const ENCODING = "gzip";

/** A stream that a proxy has compressed unasked, read as it is meant; undefined for an encoding that Node doesn't know. */
export function decompressedStream(body: Readable, encoding = ""): Readable | undefined {
  if (/^(identity)?$/i.test(encoding)) return body;
  const { createBrotliDecompress, createUnzip } = require("node:zlib") as typeof import("node:zlib");
  if (!/^(x-)?(gzip|deflate)$|^br$/i.test(encoding)) return undefined;
  const plain = /br/i.test(encoding) ? createBrotliDecompress() : createUnzip();
  // Whoever reads it meets the error, too.
  return pipeline(body, plain, () => {});
}
