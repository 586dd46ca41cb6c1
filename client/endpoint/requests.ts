import { Readable } from "node:stream";
import { isRecord } from "../../common/json";
import { messageOf } from "../../common/messageOf";
import { balancerUrlsAt, isOfService } from "../../common/presets";
import { openAiUrlAt } from "../../common/queueUrls";
import { excerpt, hideDuring, secretsIn, secretsInHeaders } from "../../common/redact";
import type { Answer, WireCall } from "../calls/call";
import { checkTime, timeLeft, tooLate, withDeadline } from "../calls/cancellation";
import type { Headers as AnswerHeaders } from "../calls/headers";
import { addressOf } from "../calls/rawRequest";
import { readEvents, type ServerEvent } from "../calls/sse";
import { BALANCER, type OpenAnswer, type Transport } from "../calls/transport";
import { beginningOf } from "../calls/wire";
import { ComputeCloudError, ConnectionError, ContractError, PermissionError, UsageError } from "../errors";
import { type CallOptions, checkAddress } from "../options";
import { hasWorkersWords } from "../outcomes/failures";
import type { Endpoint } from "../schemas/serverless";
import { fillPath } from "../values/request";
import { type Content, contentOf } from "./content";

/** How long a load balancer may hold an answer back: 2 minutes without a worker, 5.5 minutes at work. */
const HELD_MS = 7.5 * 60_000;
/** Only what a worker has answered has this header. */
const FROM_WORKER = /^x-[\w-]+-worker-id$/;
/** Of an answer other than events, its error shows so much of what comes within so long. */
const SHOWN = { characters: 300, ms: 5_000 };
/** A Response can have a stream for these, but not with these statuses. */
const bodiless = new Set([204, 205, 304]);
const EVENTS = "text/event-stream";

export interface EndpointRequest extends CallOptions {
  /** Default: POST with a body, otherwise GET. */
  method?: WireCall["method"] | undefined;
  /** Absent values are left out, lists are joined with commas. */
  query?: object | undefined;
  /**
   * A text, bytes, a Blob, FormData, URLSearchParams or a stream is sent as it is, all else as JSON. The content type is that of
   * the headers, or else the body's own: JSON for a text.
   */
  body?: unknown;
  /** Sending it twice does no harm, so it is sent again after a lost answer. Default: all but POST and PATCH. */
  repeatable?: boolean | undefined;
}

/** Requests to what an endpoint's workers serve: any path of a load balancer, or of a queue such as `/openai/v1/models`. */
export interface EndpointRequests {
  readonly id: string;
  /**
   * The address before the paths. It is that which REST shows, read once, or a known cloud's where REST shows none.
   *
   * @throws UsageError where there is none
   * @example
   * const url = await client.endpoint("4kqwe7f0").url();
   */
  url(): Promise<string>;
  /**
   * Sends a request, and waits through a cold start. It is sent again while no worker takes it, and if repeatable also after
   * a lost answer. Every answer of a worker is returned, whatever its status. Read its body to the end, or cancel it: a body
   * that breaks off rejects with a ConnectionError, and only a whole one ends.
   *
   * @throws NoWorkerError; TooLargeError for a body above 30 MB, before it is sent; otherwise as any call does
   * @example
   * const answer = await client.endpoint("4kqwe7f0").fetch("/generate", { body: { prompt: "ping" } });
   * console.log(answer.status, await answer.text());
   */
  fetch(path: string, request?: EndpointRequest): Promise<Response>;
  /**
   * The server-sent events of an answer, each as soon as it is complete.
   *
   * @throws ConnectionError when the stream breaks off; ComputeCloudError for an answer other than 2xx; ContractError for one
   *   that is no stream of events; otherwise as `fetch` does
   * @example
   * const body = { model: "org/model", messages: [{ role: "user", content: "Hello" }], stream: true };
   * for await (const { data } of client.endpoint("4kqwe7f0").events("/v1/chat/completions", { body })) console.log(data);
   */
  events(path: string, request?: EndpointRequest): AsyncGenerator<ServerEvent, void, undefined>;
}

export interface EndpointOptions {
  /** The address before the paths, such as `requestUrls.base` of a resource. Default: asked for at the first request. */
  url?: string | undefined;
  /**
   * What answers at the `url`, for the provider's proofs: their paths, which may be secret, are not shown. A server is not the
   * account's: it gets no key, and all that it answers is its own.
   *
   * @internal
   */
  door?: Door | undefined;
}

type Door = "queue" | "balancer" | "server";

/** What `new OpenAI(…)` takes. It has the key: don't log it. */
export interface OpenAiOptions {
  baseURL: string;
  apiKey: string;
}

/** Where an endpoint's requests go. */
interface Place {
  readonly url: string;
  readonly door: Door;
}

type ReadEndpoint = (options?: CallOptions) => Promise<Pick<Endpoint, "requestUrls">>;

/** @param read the endpoint, as REST shows it */
export function endpointRequests(
  transport: Transport,
  id: string,
  options: EndpointOptions,
  read: ReadEndpoint,
): EndpointRequests {
  const subject = { kind: "Endpoint", id };
  let knownPlace: Place | undefined;
  const place = async (limits?: CallOptions) => {
    knownPlace ??= await placeOf(transport, id, options, () => read(limits));
    return knownPlace;
  };
  /** Within the call's limits: its body may be a stream, and its address is asked for. */
  const callFor = async (path: string, request: EndpointRequest): Promise<[WireCall, Place]> => {
    const { timeoutMs, signal } = request;
    const remaining = timeLeft(request, transport.clock, subject);
    if (timeoutMs !== undefined) checkTime(timeoutMs, subject);
    const lasting = transport.lasting(signal);
    try {
      lasting.throwIfEnded();
      const late = () => tooLate(timeoutMs ?? 0, subject);
      return await withDeadline(timeoutMs, lasting.signal, late, async (ending) => {
        const content = await contentOf(request.body, ending);
        const target = await place({ signal: ending });
        const call = callOf(target, id, path, content, remaining());
        return [
          options.door === undefined ? call : { ...call, label: `${call.method} ${id}`, hidesPath: true },
          target,
        ];
      });
    } finally {
      lasting.release();
    }
  };
  const fetch = async (path: string, request: EndpointRequest = {}): Promise<Response> => {
    const [call, { door }] = await callFor(path, request);
    const isWorkers = (status: number, headers: AnswerHeaders, refusal?: Answer) =>
      status < 300 ||
      door === "server" ||
      Object.keys(headers).some((name) => FROM_WORKER.test(name)) ||
      (door === "queue" && path.startsWith("/openai/") && refusal !== undefined && hasWorkersWords(refusal));
    const { status, body, ...answer } = await transport.openAnswer(call, isWorkers);
    const init = { headers: listOf(answer), status: status < 600 ? status : 200 };
    if (bodiless.has(status)) {
      // Reading it frees the socket.
      for await (const _ of body);
      return new Response(null, init);
    }
    const response = new Response(streamOf(body, call), init);
    // The constructor takes no more than 599; the network does.
    if (status >= 600) Object.defineProperties(response, { status: { value: status }, ok: { value: false } });
    return response;
  };
  return {
    id,
    url: async () => (await place()).url,
    fetch,
    async *events(path, request = {}) {
      const answer = await fetch(path, { ...request, headers: { ...request.headers, accept: EVENTS } });
      const { body, status, ok } = answer;
      const type = answer.headers.get("content-type") ?? EVENTS;
      if (ok && type.startsWith(EVENTS)) {
        for await (const events of readEvents(body ?? new Blob([]).stream(), transport.settings.limits.answerBytes))
          yield* events;
        return;
      }
      const begins = body === null ? "" : await beginningOf(Readable.fromWeb(body), SHOWN.characters * 4, SHOWN.ms);
      request.signal?.throwIfAborted();
      throw refusal({ ...subject, status }, request, String(begins), ok ? type : undefined, withoutQuery(path));
    },
  };
}

/** @see Client.openAiOptions */
export async function openAiOptions(
  transport: Transport,
  id: string,
  options: EndpointOptions,
  read: ReadEndpoint,
): Promise<OpenAiOptions> {
  const { url, door } = await placeOf(transport, id, options, read);
  return { baseURL: door === "balancer" ? `${url}/v1` : openAiUrlAt(url), apiKey: transport.settings.key.reveal() };
}

async function placeOf(transport: Transport, id: string, options: EndpointOptions, read: ReadEndpoint): Promise<Place> {
  if (options.url !== undefined && options.door === "server") return { url: options.url, door: options.door };
  const { serverlessUrl } = transport.settings;
  const queue = serverlessUrl + fillPath("/v2/{id}", { id });
  if (options.url !== undefined) {
    const url =
      options.door === undefined ? checkAddress("url", options.url) : serviceAddress(transport, id, options.url);
    return { url, door: options.door ?? (url === queue ? "queue" : "balancer") };
  }
  const { requestUrls = {} } = await read().catch((error: unknown) => {
    // A key for this endpoint alone may not read it.
    if (error instanceof PermissionError) return { requestUrls: undefined };
    throw error;
  });
  const urls: { readonly run?: string | undefined; readonly base?: string | undefined } = requestUrls;
  if (urls.run !== undefined) return { url: queue, door: "queue" };
  const base = urls.base ?? balancerUrlsAt(serverlessUrl, id)?.base;
  if (base !== undefined) return { url: serviceAddress(transport, id, base), door: "balancer" };
  throw new UsageError(`endpoint ${id}: its address is not shown. Pass it as url, such as requestUrls.base.`);
}

/** An address that an answer showed, and not the program: the key goes there, so it must be on a host of the service's. */
function serviceAddress({ settings }: Transport, id: string, address: string): string {
  const { serverlessUrl, baseUrl } = settings;
  const url = checkAddress("requestUrls.base", address);
  const { origin } = new URL(url);
  // mutant key-to-shown-host: true
  if ([serverlessUrl, baseUrl].some((each) => new URL(each).origin === origin) || isOfService(url, serverlessUrl))
    return url;
  throw new UsageError(
    `endpoint ${id}: its address is shown as ${origin}, which is no host of the service, so the key is not sent there. If it is ` +
      "right, pass it as url.",
  );
}

function callOf(
  { url, door }: Place,
  id: string,
  path: string,
  { body, type }: Content,
  {
    method = body === undefined ? "GET" : "POST",
    query,
    body: requestBody,
    headers = {},
    repeatable,
    ...options
  }: EndpointRequest,
): WireCall {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...options,
    class: (repeatable ?? !["POST", "PATCH"].includes(method)) ? "repeatable" : "job",
    quota: door === "server" ? `server ${id}` : `queue ${id} requests`,
    key: door === "server" ? "none" : "bearer",
    method,
    url: addressOf(url, path, query, "/v1/models"),
    label: `${method} ${withoutQuery(path)}`,
    kind: door === "balancer" ? BALANCER : door === "queue" ? "Endpoint" : "Server",
    id,
    body,
    headers: {
      accept: "*/*",
      "accept-encoding": "identity",
      ...(type !== undefined && { "content-type": type }),
      ...Object.fromEntries(named),
    },
    // A worker may need as long as the caller gives it.
    heldMs: Math.max(HELD_MS, options.timeoutMs ?? 0),
    secrets: () => secretsOfBody(requestBody),
  };
}

/**
 * The error of a worker's answer that holds no events, and may quote what it was sent.
 *
 * @param type of an answer of 2xx
 */
function refusal(
  facts: { readonly kind: string; readonly id: string; readonly status: number },
  { headers, body }: EndpointRequest,
  begins: string,
  type: string | undefined,
  to: string,
): ComputeCloudError {
  const over = hideDuring(() => [...secretsInHeaders(headers), ...secretsOfBody(body)]);
  try {
    const { id, status } = facts;
    const detail = excerpt(begins, SHOWN.characters);
    const all = { ...facts, detail, path: "" };
    if (type === undefined)
      return new ComputeCloudError(`Endpoint ${id}: its worker answered ${status} to ${to}: ${detail}`, all);
    const what = `${type}, and not a stream of events`;
    return new ContractError(`Endpoint ${id}: the answer to ${to} is ${what}: ${detail}`, all);
  } finally {
    over();
  }
}

const secretsOfBody = (body: unknown): string[] => (isRecord(body) ? secretsIn(body) : []);

/** Queries hold tokens, and labels stand in logs, events and errors. */
const withoutQuery = (path: string) => path.replace(/\?.*/, "");

/** The body of an answer, for a reader. Leaving it ends the answer, be it read or not. */
function streamOf(parts: AsyncIterator<Uint8Array>, { label, id, signal }: WireCall): ReadableStream<Uint8Array> {
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await parts.next();
          if (done === true) return controller.close();
          bytes += value.length;
          controller.enqueue(value);
        } catch (error) {
          if (error instanceof ComputeCloudError || signal?.aborted === true) throw error;
          const facts = { kind: "Endpoint", id, outcomeUnknown: true, ...codeOf(error), detail: messageOf(error) };
          throw new ConnectionError(`Endpoint ${id}: the answer to ${label} broke off after ${bytes} bytes.`, facts);
        }
      },
      async cancel() {
        await parts.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

const codeOf = (error: unknown) => (isRecord(error) && typeof error.code === "string" ? { code: error.code } : {});

/** The headers of the body as it is read. */
function listOf({ headers, isPlain }: Pick<OpenAnswer, "headers" | "isPlain">): [string, string][] {
  const { "content-encoding": encoding, "content-length": length, ...others } = headers;
  const isAsSent = encoding === undefined || !isPlain;
  return Object.entries(isAsSent ? headers : others).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
}
