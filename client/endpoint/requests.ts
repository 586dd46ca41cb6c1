import { isRecord } from "../../common/json";
import { messageOf } from "../../common/messageOf";
import { balancerUrlsAt } from "../../common/presets";
import { openAiUrlAt } from "../../common/queueUrls";
import { secretsIn } from "../../common/redact";
import type { WireCall } from "../calls/call";
import type { Headers as AnswerHeaders } from "../calls/headers";
import { addressOf } from "../calls/rawRequest";
import { readEvents, type ServerEvent } from "../calls/sse";
import { BALANCER, type Transport } from "../calls/transport";
import { ComputeCloudError, ConnectionError, PermissionError, TooLargeError, UsageError } from "../errors";
import { type CallOptions, checkAddress } from "../options";
import type { Endpoint } from "../schemas/serverless";
import { fillPath } from "../values/request";

/** A load balancer takes no larger request. */
const MOST_BYTES = 30 * 1024 ** 2;
/** How long a load balancer may hold an answer back: 2 minutes without a worker, 5.5 minutes at work. */
const HELD_MS = 7.5 * 60_000;
/** Only what a worker has answered has this header. */
const FROM_WORKER = /^x-[\w-]+-worker-id$/;

export interface EndpointRequest extends CallOptions {
  /** Default: POST with a body, otherwise GET. */
  method?: WireCall["method"] | undefined;
  /** Absent values are left out, lists are joined with commas. */
  query?: object | undefined;
  /** A text or bytes are sent unchanged, with the content type that the headers name; all else is sent as JSON. */
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
   * @throws ConnectionError when the stream breaks off; ComputeCloudError for an answer other than 2xx; otherwise as `fetch` does
   * @example
   * const body = { model: "org/model", messages: [{ role: "user", content: "Hello" }], stream: true };
   * for await (const { data } of client.endpoint("4kqwe7f0").events("/v1/chat/completions", { body })) console.log(data);
   */
  events(path: string, request?: EndpointRequest): AsyncGenerator<ServerEvent, void, undefined>;
}

export interface EndpointOptions {
  /** The address before the paths, such as `requestUrls.base` of a resource. Default: asked for at the first request. */
  url?: string | undefined;
}

/** What `new OpenAI(…)` takes. It has the key: don't log it. */
export interface OpenAiOptions {
  baseURL: string;
  apiKey: string;
}

/** Where an endpoint's requests go. */
interface Place {
  readonly url: string;
  readonly isBalancer: boolean;
}

/** @param read the endpoint, as REST shows it */
export function endpointRequests(
  transport: Transport,
  id: string,
  { url }: EndpointOptions,
  read: () => Promise<Pick<Endpoint, "requestUrls">>,
): EndpointRequests {
  let cachedPlace: Promise<Place> | undefined;
  const place = async () => {
    cachedPlace ??= placeOf(transport, id, url, read);
    // A failure is not remembered.
    cachedPlace.catch(() => {
      cachedPlace = undefined;
    });
    return cachedPlace;
  };
  const fetch = async (path: string, request: EndpointRequest = {}): Promise<Response> => {
    const body = bodyOf(request.body);
    const target = await place();
    const call = callOf(target, id, path, body, request);
    const {
      status,
      headers,
      body: parts,
    } = await transport.openAnswer(
      call,
      (status, headers) =>
        status < 300 || (target.isBalancer && Object.keys(headers).some((name) => FROM_WORKER.test(name))),
    );
    const answer = { status, headers: listOf(headers) };
    if (![204, 205, 304].includes(status)) return new Response(ReadableStream.from(wholeOf(parts, call)), answer);
    // Reading it frees the socket.
    for await (const _ of parts);
    return new Response(null, answer);
  };
  return {
    id,
    url: async () => (await place()).url,
    fetch,
    async *events(path, request = {}) {
      const headers = { ...request.headers, accept: "text/event-stream" };
      const answer = await fetch(path, { ...request, headers });
      if (!answer.ok) {
        const detail = transport.redact((await answer.text()).slice(0, 300));
        const facts = { kind: "Endpoint", id, status: answer.status, detail };
        throw new ComputeCloudError(
          `Endpoint ${id}: its worker answered ${answer.status} to ${withoutQuery(path)}: ${detail}`,
          facts,
        );
      }
      for await (const events of readEvents(answer.body ?? new Blob([]).stream(), transport.limits.answerBytes))
        yield* events;
    },
  };
}

/** @see Client.openAiOptions */
export async function openAiOptions(
  transport: Transport,
  id: string,
  { url }: EndpointOptions,
  read: () => Promise<Pick<Endpoint, "requestUrls">>,
): Promise<OpenAiOptions> {
  const place = await placeOf(transport, id, url, read);
  return { baseURL: place.isBalancer ? `${place.url}/v1` : openAiUrlAt(place.url), apiKey: transport.revealKey() };
}

async function placeOf(
  { serverlessUrl }: Transport,
  id: string,
  urlOption: string | undefined,
  read: () => Promise<Pick<Endpoint, "requestUrls">>,
): Promise<Place> {
  const queue = serverlessUrl + fillPath("/v2/{id}", { id });
  if (urlOption !== undefined) {
    const url = checkAddress("url", urlOption);
    return { url, isBalancer: url !== queue };
  }
  const { requestUrls = {} } = await read().catch((error: unknown) => {
    // A key for this endpoint alone may not read it.
    if (error instanceof PermissionError) return { requestUrls: undefined };
    throw error;
  });
  const urls: { readonly run?: string | undefined; readonly base?: string | undefined } = requestUrls;
  if (urls.run !== undefined) return { url: queue, isBalancer: false };
  const base = urls.base ?? balancerUrlsAt(serverlessUrl, id)?.base;
  if (base !== undefined) return { url: checkAddress("requestUrls.base", base), isBalancer: true };
  throw new UsageError(`endpoint ${id}: its address is not shown. Pass it as url, such as requestUrls.base.`);
}

function callOf(
  { url, isBalancer }: Place,
  id: string,
  path: string,
  body: string | Uint8Array | undefined,
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
    quota: `queue ${id} requests`,
    method,
    url: addressOf(url, path, query, "/v1/models"),
    label: `${method} ${withoutQuery(path)}`,
    kind: isBalancer ? BALANCER : "Endpoint",
    id,
    body,
    headers: { accept: "*/*", "accept-encoding": "identity", ...Object.fromEntries(named) },
    heldMs: isBalancer ? HELD_MS : undefined,
    secrets: () => (isRecord(requestBody) ? secretsIn(requestBody) : []),
  };
}

/** Queries hold tokens, and labels stand in logs, events and errors. */
const withoutQuery = (path: string) => path.replace(/\?.*/, "");

/** @throws UsageError, TooLargeError */
function bodyOf(value: unknown): string | Uint8Array | undefined {
  if (value === undefined) return undefined;
  const body = typeof value === "string" || value instanceof Uint8Array ? value : jsonOf(value);
  const bytes = Buffer.byteLength(body);
  if (bytes <= MOST_BYTES) return body;
  const message = `The request has ${bytes} bytes, and an endpoint takes ${MOST_BYTES}. Put large inputs into storage and send their address.`;
  throw new TooLargeError(message, { limit: MOST_BYTES });
}

function jsonOf(value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (error) {
    throw new UsageError(`body: it can't be written as JSON: ${messageOf(error)}.`);
  }
  throw new UsageError("body: it can't be written as JSON. Pass a text, bytes, or what JSON can hold.");
}

async function* wholeOf(parts: AsyncIterable<Uint8Array>, { label, id, signal }: WireCall): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const part of parts) {
      bytes += part.length;
      yield part;
    }
  } catch (error) {
    if (error instanceof ComputeCloudError || signal?.aborted === true) throw error;
    const facts = { kind: "Endpoint", id, outcomeUnknown: true, detail: messageOf(error) };
    throw new ConnectionError(`Endpoint ${id}: the answer to ${label} broke off after ${bytes} bytes.`, facts);
  }
}

/** The headers of the body as it is read: not compressed. */
const listOf = ({ "content-encoding": encoding, "content-length": length, ...headers }: AnswerHeaders) =>
  Object.entries({ ...headers, ...(encoding === undefined && { "content-length": length }) }).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
