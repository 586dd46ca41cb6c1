import { type Client, type Clock, isUntouched, TimeoutError, TooLargeError, UsageError } from "../../client";
import { lastLines } from "../../common/lastLines";
import { messageOf } from "../../common/messageOf";
import { pollPause } from "../../common/pollPause";
import { excerpt, hide, secretsInHeaders } from "../../common/redact";
import { textsIn } from "../lifecycle/fields/values";
import { type AnswerExpectation, answerMismatches } from "./answerExpectation";
import { type Chat, chatBody, modelsIn, perSecond, readChat } from "./chat";
import { diagnose, orNothing } from "./diagnosis";
import { exchange, type HttpMethod, type HttpRequest, type Received } from "./exchange";
import { Side } from "./measure";
import { isGateway, type PodDiagnosis, podProblem, RequestError, type RequestFailure } from "./requestError";
import { diagnosisTime, workersLook } from "./runSmoke";
import type { Target } from "./target";

/** How long one look for a server may take. */
const LONGEST_READ_MS = {
  // The service holds a request for 2 minutes while there is no worker.
  loadBalancer: 130_000,
  // A queue keeps a request until a worker takes it; another one would wait beside it.
  queue: Number.POSITIVE_INFINITY,
  pod: 30_000,
  url: 30_000,
};
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** A try that is cut off sooner would say nothing. */
const LEAST_TRY_MS = 500;
const LOG_LENGTH = 10;
/** Characters of an answer that its error shows. */
const SHOWN_OF_BODY = 500;

export interface RequestPlan {
  readonly path?: string | undefined;
  readonly method?: HttpMethod | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A text is sent as it is, anything else as JSON. With `chat`: further members of its body. */
  readonly body?: unknown;
  readonly chat?: string | undefined;
  readonly model?: string | undefined;
  readonly expect?: AnswerExpectation | undefined;
  /** Time for everything: cold start, answer and further attempts. */
  readonly timeoutMs: number;
  /** How often a request whose answer was not as expected is sent again. */
  readonly retries: number;
  /** Keeps the answer, and the texts of body, expectation and chat, out of errors. */
  readonly secretAnswer?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Called while no server is there, and when the request is sent. */
  readonly onProgress?: ((text: string, elapsedMs: number) => void) | undefined;
}

/** What the first request learned of the server. */
interface Served {
  readonly model: string | undefined;
  /** Until something answered; undefined if something did at once. Milliseconds. */
  readonly waitedMs: number | undefined;
}

/** An answer that was as expected. Times are in milliseconds. */
export interface Reply extends Served {
  readonly status: number;
  readonly contentType: string | undefined;
  /** The body, or the answer of the chat. */
  readonly text: string;
  readonly firstByteMs: number | undefined;
  readonly firstTokenMs: number | undefined;
  readonly totalMs: number;
  /** Tokens of a chat, or events of another stream. */
  readonly perSecond: number | undefined;
}

/** Requests to one target, which wait for its server once. */
export class Requests extends Side<Reply> {
  #server: Served | undefined;

  constructor(
    private readonly client: Client,
    readonly target: Target,
    private readonly plan: RequestPlan,
    private readonly leftMs = () => plan.timeoutMs,
  ) {
    super(plan.signal);
    hide(...secretsOf(plan));
  }

  /**
   * Sends the request once a server is there, and compares its answer with what is expected. It is sent again only while
   * certainly no server has seen it, and as often as `retries` says.
   *
   * @throws RequestError if the answer is not as expected, or none comes
   */
  async attempt(signal: AbortSignal): Promise<Reply> {
    const { client, target, plan } = this;
    const time = new ProofTime(client.clock, signal, this.leftMs());
    // A crash loop ends the wait early.
    const { endpointId } = target;
    const looks = endpointId && setInterval(workersLook(client, endpointId, time.ending), 1_000);
    const proof = new Proof(client, target, plan, time);
    try {
      this.#server ??= await proof.server();
      return { ...(await proof.reply(this.#server.model)), ...this.#server };
    } finally {
      clearInterval(looks);
      time.ending.abort();
    }
  }
}

/** The time that a proof has, without that for a diagnosis. */
class ProofTime {
  readonly ending = new AbortController();
  readonly signal: AbortSignal;
  readonly diagnosisMs: number;
  readonly #began: number;

  constructor(
    private readonly clock: Clock,
    readonly caller: AbortSignal,
    private readonly timeoutMs: number,
  ) {
    this.#began = clock.now();
    this.diagnosisMs = diagnosisTime(timeoutMs);
    this.signal = AbortSignal.any([caller, this.ending.signal]);
  }

  passedMs(): number {
    return this.clock.now() - this.#began;
  }

  leftMs(): number {
    return Math.max(1, this.timeoutMs - this.diagnosisMs - this.passedMs());
  }

  isOver(): boolean {
    return this.leftMs() <= LEAST_TRY_MS || this.ending.signal.aborted;
  }

  async pause(ms: number): Promise<void> {
    await this.clock.sleep(Math.min(ms, this.leftMs() - LEAST_TRY_MS), this.caller);
  }
}

/** How a try ended. */
interface Tried extends Pick<RequestFailure, "answer" | "connection"> {
  /** Undefined if no answer came to its end. */
  readonly received?: Received;
  /** Whether certainly no server has seen the request. */
  readonly isUnseen: boolean;
  /** Whether the proof's time ended it. */
  readonly isLate?: boolean;
}

/** One request, from the first look for a server to the answer's end. */
class Proof {
  /** How often the request itself was sent. */
  #sent = 0;

  constructor(
    private readonly client: Client,
    private readonly target: Target,
    private readonly plan: RequestPlan,
    private readonly time: ProofTime,
  ) {}

  /** Waits until something answers, and asks a chat's server what it serves. */
  async server(): Promise<Served> {
    const { plan, target } = this;
    const isChat = plan.chat !== undefined;
    const probe = isChat && target.kind !== "loadBalancer" ? modelsRequest(target, plan) : target.probe;
    const waitedMs = probe && (await this.#waited(probe));
    return { waitedMs, model: isChat ? await this.#servedModel() : undefined };
  }

  /** @returns how long it took; undefined if something answered at once */
  async #waited(probe: HttpRequest): Promise<number | undefined> {
    const isCold = await this.#hasNoWorker();
    const { tries } = await this.#answered(probe);
    return tries > 1 || isCold ? this.time.passedMs() : undefined;
  }

  /** The model that a chat goes to: the declared one, or the first that is served. */
  async #servedModel(): Promise<string> {
    const { model } = this.plan;
    const request = modelsRequest(this.target, this.plan);
    const tried = await this.#answered(request);
    const served = modelsIn(tried.received);
    const first = model ?? served?.[0];
    if (served === undefined ? model === undefined : first === undefined || !served.includes(first))
      throw await this.#failure(request, tried, { ...(served && { models: { wanted: model, served } }) });
    return first ?? "";
  }

  /** Sends the request until its answer is as expected, or no further attempt is left. */
  async reply(model: string | undefined): Promise<Omit<Reply, keyof Served>> {
    const { plan, target, time } = this;
    const request = requestOf(target, plan, model);
    for (let pauses = 0; ; pauses += 1) {
      this.#progress(`${labelOf(request)} is sent`);
      this.#sent += 1;
      const tried = await this.#try(request, time.leftMs());
      const { received } = tried;
      const chat =
        plan.chat === undefined || received === undefined || received.status >= 300 ? undefined : readChat(received);
      const reply = received && replyOf(received, chat);
      const mismatches = reply ? [...answerMismatches(plan.expect, reply), ...(chat?.mismatches ?? [])] : [];
      if (reply !== undefined && mismatches.length === 0) return reply;
      const isUnseen = received === undefined ? tried.isUnseen : this.#isUnseen(request, received);
      if (isUnseen) this.#sent -= 1;
      const mayGoOn = isUnseen || this.#sent <= plan.retries;
      const gaveUp = received === undefined && (isUnseen || tried.isLate);
      if (!mayGoOn || time.isOver()) throw await this.#failure(request, tried, { mismatches, gaveUp });
      await time.pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pauses));
    }
  }

  /** Whether the request may be sent again: no server has seen it, or seeing it twice does no harm. */
  #isUnseen({ method }: HttpRequest, { status, isUnseen }: Received): boolean {
    // mutant post-sent-twice: return isGateway(status);
    return isUnseen || (this.target.kind === "url" && isGateway(status) && (method === "GET" || method === "HEAD"));
  }

  /** Asks until a server answers. */
  async #answered(probe: HttpRequest): Promise<Tried & { received: Received; tries: number }> {
    const { target, time } = this;
    let last: Tried | undefined;
    for (let tries = 1; ; tries += 1) {
      const tried = await this.#try(probe, Math.min(time.leftMs(), LONGEST_READ_MS[target.kind]));
      const { received } = tried;
      if (received !== undefined && (await this.#isServer(probe, tried, received)))
        return { ...tried, received, tries };
      // Where the time is over, the answer before says more.
      last = tried.isLate ? { ...tried, ...last } : tried;
      if (time.isOver()) throw await this.#failure(probe, last, { gaveUp: true });
      this.#progress(`${target.name} is not ready (${last.answer?.status ?? last.connection})`);
      await time.pause(pollPause(time.passedMs()));
    }
  }

  /** Whether an answer is a server's own, and not the service's for a server that is not there yet. */
  async #isServer(probe: HttpRequest, tried: Tried, { status, isUnseen, text }: Received): Promise<boolean> {
    const { kind, podId } = this.target;
    if (isUnseen || isGateway(status) || (kind === "loadBalancer" && status === 204)) return false;
    // The proxy answers so where no running pod exposes the port. The pod's own server may do the same.
    if (podId === undefined || status !== 404 || text !== "") return true;
    const pod = await this.#pod(podId, this.time.signal);
    if (podProblem(pod) !== undefined) throw await this.#failure(probe, tried, { gaveUp: true });
    return pod.status === "RUNNING";
  }

  async #pod(podId: string, signal: AbortSignal): Promise<PodDiagnosis> {
    const pod = await orNothing(this.client.pods.get(podId, { signal }));
    return { status: pod?.status, ports: pod?.ports, port: this.target.port };
  }

  async #hasNoWorker(): Promise<boolean> {
    const { endpointId } = this.target;
    if (endpointId === undefined) return false;
    const workers = await orNothing(this.client.serverless.workers(endpointId, { signal: this.time.signal }));
    const { running = 0, idle = 0 } = workers?.summary ?? { running: 1 };
    return running + idle === 0;
  }

  async #try(request: HttpRequest, timeoutMs: number): Promise<Tried> {
    const { signal, caller } = this.time;
    try {
      const limits = { signal, timeoutMs: Math.max(1, Math.ceil(timeoutMs)) };
      const received = await exchange(this.client, this.target, request, limits);
      const { status, header, isUnseen } = received;
      // Queries hold tokens.
      const location = header("location")?.replace(/[?#].*/, "");
      return { received, isUnseen, answer: { status, body: excerpt(bodyOf(received), SHOWN_OF_BODY), location } };
    } catch (error) {
      caller.throwIfAborted();
      if (error instanceof UsageError || error instanceof TooLargeError) throw error;
      const isLate = signal.aborted || (error instanceof TimeoutError && error.code === "TIME_LIMIT");
      if (isLate) return { connection: "no answer", isLate, isUnseen: false };
      return { connection: codeOf(error), isUnseen: isUntouched(error) };
    }
  }

  async #failure(
    request: HttpRequest,
    { answer, connection }: Tried,
    more: { readonly gaveUp?: boolean | undefined } & Partial<Pick<RequestFailure, "mismatches" | "models">>,
  ): Promise<RequestError> {
    const { gaveUp = false, mismatches = [], models } = more;
    const { target, plan, time } = this;
    const failure = {
      target: target.name,
      kind: target.kind,
      request: labelOf(request),
      attempts: this.#sent,
      answer,
      connection,
      mismatches,
      models,
      ...(await this.#diagnosis()),
      gaveUpAfterMs: gaveUp ? time.passedMs() : undefined,
    };
    return new RequestError(failure, plan.secretAnswer);
  }

  async #diagnosis(): Promise<Pick<RequestFailure, "diagnosis" | "pod">> {
    const { client, target } = this;
    const { caller, diagnosisMs } = this.time;
    const { endpointId, podId, kind } = target;
    if (endpointId !== undefined) {
      const place = { endpointId, signal: caller };
      return { diagnosis: await diagnose(client, place, undefined, diagnosisMs, kind === "queue") };
    }
    if (podId === undefined) return {};
    const signal = AbortSignal.any([caller, AbortSignal.timeout(Math.ceil(diagnosisMs))]);
    const log = (ending: AbortSignal) => client.pods.logs(podId, { tail: LOG_LENGTH, signal: ending });
    const [pod, lines] = await Promise.all([this.#pod(podId, signal), orNothing(lastLines(log, LOG_LENGTH, signal))]);
    return { pod: { ...pod, log: lines?.map(({ line }) => line) } };
  }

  #progress(text: string): void {
    this.plan.onProgress?.(text, this.time.passedMs());
  }
}

function modelsRequest({ base, openAiPath }: Target, { path = openAiPath, headers }: RequestPlan): HttpRequest {
  return { method: "GET", url: `${base}${path}/models`, headers: inLowerCase(headers) };
}

function requestOf({ base, root, openAiPath }: Target, plan: RequestPlan, model: string | undefined): HttpRequest {
  const { path, body, chat } = plan;
  const headers = inLowerCase(plan.headers);
  if (chat !== undefined) {
    const more = typeof body === "object" && body !== null ? body : {};
    return {
      method: "POST",
      url: `${base}${path ?? openAiPath}/chat/completions`,
      headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
      body: chatBody(chat, model ?? "", more),
    };
  }
  const type = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  return {
    method: plan.method ?? (body === undefined ? "GET" : "POST"),
    url: path === undefined ? root : base + path,
    headers: body === undefined ? headers : { "content-type": type, ...headers },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  };
}

const inLowerCase = (headers: RequestPlan["headers"] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const labelOf = ({ method, url }: HttpRequest): string => `${method} ${new URL(url).pathname}`;

function replyOf(received: Received, chat: Chat | undefined): Omit<Reply, keyof Served> {
  const { status, contentType, text, firstByteMs, totalMs, events } = received;
  return {
    status,
    contentType,
    text: chat?.text ?? text,
    firstByteMs,
    firstTokenMs: chat?.firstTokenMs,
    totalMs,
    perSecond: chat ? chat.tokensPerSecond : perSecond(events.length, events[0], events.at(-1)),
  };
}

/** The code of a connection's error, or its message. */
function codeOf(error: unknown): string {
  const { code, cause }: { code?: unknown; cause?: unknown } = typeof error === "object" && error !== null ? error : {};
  if (typeof code === "string") return code;
  return cause === undefined ? messageOf(error) : codeOf(cause);
}

/** The text that an answer's error shows. Of a stream the events, without what stands around them. */
function bodyOf(received: Received): string {
  if (received.events.length === 0) return received.text;
  return readChat(received).text || received.events.map(({ data }) => data).join("");
}

/** Texts that nothing shows: headers' values, and for a secret answer what was sent and expected. */
function secretsOf({ headers, body, chat, expect, secretAnswer }: RequestPlan): string[] {
  const credentials = secretsInHeaders(headers);
  return secretAnswer ? [...credentials, ...textsIn([body, chat, expect?.json, expect?.text])] : credentials;
}
