import { type Client, isUntouched, TimeoutError, TooLargeError, UsageError } from "../../client";
import { lastLines } from "../../common/lastLines";
import { messageOf } from "../../common/messageOf";
import { pollPause } from "../../common/pollPause";
import { excerpt, hide, secretsInHeaders } from "../../common/redact";
import { textsIn } from "../lifecycle/fields/values";
import { type AnswerExpectation, answerMismatches } from "./answerExpectation";
import { type Chat, chatBody, modelsIn, perSecond, readChat } from "./chat";
import { diagnose, orNothing } from "./diagnosis";
import { exchange, type HttpMethod, type HttpRequest, type Received } from "./exchange";
import { isGateway, type PodDiagnosis, podProblem, RequestError, type RequestFailure } from "./requestError";
import { diagnosisTime, workersLook } from "./runSmoke";
import type { Target } from "./target";

/** The service holds a request to a load balancer for 2 minutes while it has no worker. */
const LONGEST_HOLD_MS = 130_000;
const LONGEST_READ_MS = 30_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** A try that is cut off sooner would say nothing. */
const LEAST_TRY_MS = 500;
const LOG_LENGTH = 10;
/** Characters of an answer that its error shows. */
const SHOWN_OF_BODY = 500;

interface DeclaredRequest {
  readonly path?: string | undefined;
  readonly method?: HttpMethod | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A text is sent as it is, anything else as JSON. With `chat`: further members of its body. */
  readonly body?: unknown;
  readonly chat?: string | undefined;
  readonly model?: string | undefined;
  readonly expect?: AnswerExpectation | undefined;
}

export interface RequestPlan extends DeclaredRequest {
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

/** An answer that was as expected. Times are in milliseconds. */
export interface Reply {
  readonly status: number;
  readonly contentType: string | undefined;
  /** The body, or the answer of the chat. */
  readonly text: string;
  readonly model: string | undefined;
  /** Until something answered; undefined if something did at once. */
  readonly waitedMs: number | undefined;
  readonly firstByteMs: number | undefined;
  readonly firstTokenMs: number | undefined;
  readonly totalMs: number;
  /** Tokens of a chat, or events of another stream. */
  readonly perSecond: number | undefined;
}

/** Requests to one target, which wait for its server once. */
export class Requests {
  #waitedMs: number | undefined;
  #isUp = false;
  #model: string | undefined;

  constructor(
    private readonly client: Client,
    private readonly target: Target,
    private readonly plan: RequestPlan,
  ) {
    hide(...secretsOf(plan));
  }

  /**
   * Sends the request once a server is there, and compares its answer with what is expected. It is sent again only while
   * certainly no server has seen it, and as often as `retries` says.
   *
   * @throws RequestError if the answer is not as expected, or none comes
   */
  async send(signal: AbortSignal = this.plan.signal, timeoutMs: number = this.plan.timeoutMs): Promise<Reply> {
    const attempt = new Proof(this.client, this.target, this.plan, signal, timeoutMs);
    try {
      if (!this.#isUp) {
        this.#waitedMs = await attempt.waitForServer();
        if (this.plan.chat !== undefined) this.#model = await attempt.servedModel();
        this.#isUp = true;
      }
      return { ...(await attempt.passed(this.#model)), waitedMs: this.#waitedMs };
    } finally {
      attempt.over();
    }
  }
}

/** One request, from the first look for a server to the answer's end. */
class Proof {
  readonly #began: number;
  readonly #diagnosisMs: number;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  readonly #looks: NodeJS.Timeout | undefined;
  /** How often the request itself was sent. */
  #sent = 0;
  #last: Pick<RequestFailure, "answer" | "connection"> & { isLate?: boolean; isUnseen?: boolean } = {};

  constructor(
    private readonly client: Client,
    private readonly target: Target,
    private readonly plan: RequestPlan,
    private readonly caller: AbortSignal,
    private readonly timeoutMs: number,
  ) {
    this.#began = client.clock.now();
    this.#diagnosisMs = diagnosisTime(timeoutMs);
    this.#signal = AbortSignal.any([caller, this.#ending.signal]);
    const { endpointId } = target;
    // A crash loop ends the wait early.
    if (endpointId !== undefined) this.#looks = setInterval(workersLook(client, endpointId, this.#ending), 1_000);
  }

  over(): void {
    clearInterval(this.#looks);
    this.#ending.abort();
  }

  /**
   * Waits until something answers.
   *
   * @returns how long it took; undefined if something answered at once
   */
  async waitForServer(): Promise<number | undefined> {
    const probe =
      this.plan.chat !== undefined && this.target.kind !== "loadBalancer" ? this.#models() : this.target.probe;
    if (probe === undefined) return undefined;
    const isCold = await this.#hasNoWorker();
    const tries = await this.#answered(probe).then(({ tries }) => tries);
    return tries > 1 || isCold ? this.client.clock.now() - this.#began : undefined;
  }

  /** The model that a chat goes to: the declared one, or the first that is served. */
  async servedModel(): Promise<string> {
    const { model } = this.plan;
    const request = this.#models();
    const { received } = await this.#answered(request);
    const served = modelsIn(received);
    const first = model ?? served?.[0];
    if (served === undefined ? model === undefined : first === undefined || !served.includes(first)) {
      throw await this.#failure(request, { ...(served && { models: { wanted: model, served } }) });
    }
    return first ?? "";
  }

  /** Sends the request until its answer is as expected, or no further attempt is left. */
  async passed(model: string | undefined): Promise<Omit<Reply, "waitedMs">> {
    const request = this.#request(model);
    for (let pauses = 0; ; pauses += 1) {
      this.#progress(`${this.#label(request)} is sent`);
      const end = await this.#once(request);
      if (end.reply !== undefined && end.mismatches.length === 0) return { ...end.reply, model };
      if (end.isUnseen) this.#sent -= 1;
      const mayGoOn = end.isUnseen || this.#sent <= this.plan.retries;
      if (!mayGoOn || !this.#hasTime()) throw await this.#failure(request, end);
      await this.#pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pauses));
    }
  }

  async #once(request: HttpRequest): Promise<End> {
    this.#sent += 1;
    this.#last = {};
    const received = await this.#exchange(request, this.#leftMs());
    if (received === undefined) {
      const { isUnseen = false, isLate = false } = this.#last;
      return { mismatches: [], isUnseen, gaveUp: isUnseen || isLate };
    }
    const chat = this.plan.chat === undefined || received.status >= 300 ? undefined : readChat(received);
    const reply = replyOf(received, chat);
    const mismatches = [...answerMismatches(this.plan.expect, reply), ...(chat?.mismatches ?? [])];
    return { reply, mismatches, isUnseen: mismatches.length > 0 && this.#isUnseen(request, received) };
  }

  /** Whether the request may be sent again: no server has seen it, or seeing it twice does no harm. */
  #isUnseen({ method }: HttpRequest, { status, isUnseen }: Received): boolean {
    // mutant post-sent-twice: return isGateway(status);
    return isUnseen || (this.target.kind === "url" && isGateway(status) && (method === "GET" || method === "HEAD"));
  }

  /** Asks until a server answers. */
  async #answered(probe: HttpRequest): Promise<{ received: Received; tries: number }> {
    for (let tries = 1; ; tries += 1) {
      const received = await this.#exchange(probe, Math.min(this.#leftMs(), this.#longestReadMs()));
      if (received !== undefined && (await this.#isServer(probe, received))) return { received, tries };
      if (!this.#hasTime()) throw await this.#failure(probe, { gaveUp: true });
      const { answer, connection } = this.#last;
      this.#progress(`${this.target.name} is not ready (${answer?.status ?? connection})`);
      await this.#pause(pollPause(this.client.clock.now() - this.#began));
    }
  }

  #longestReadMs(): number {
    const { kind } = this.target;
    // A queue keeps a request until a worker takes it; another one would wait beside it.
    return kind === "queue" ? Number.POSITIVE_INFINITY : kind === "loadBalancer" ? LONGEST_HOLD_MS : LONGEST_READ_MS;
  }

  /** Whether an answer is a server's own, and not the service's for a server that is not there yet. */
  async #isServer(probe: HttpRequest, { status, isUnseen, text }: Received): Promise<boolean> {
    const { kind, podId } = this.target;
    if (isUnseen || isGateway(status) || (kind === "loadBalancer" && status === 204)) return false;
    // The proxy answers so where no running pod exposes the port. The pod's own server may do the same.
    if (podId === undefined || status !== 404 || text !== "") return true;
    const pod = await this.#pod(podId, this.#signal);
    if (podProblem(pod) !== undefined) throw await this.#failure(probe, { gaveUp: true });
    return pod.status === "RUNNING";
  }

  async #pod(podId: string, signal: AbortSignal): Promise<PodDiagnosis> {
    const pod = await orNothing(this.client.pods.get(podId, { signal }));
    return { status: pod?.status, ports: pod?.ports, port: this.target.port };
  }

  async #hasNoWorker(): Promise<boolean> {
    const { endpointId } = this.target;
    if (endpointId === undefined) return false;
    const workers = await orNothing(this.client.serverless.workers(endpointId, { signal: this.#signal }));
    const { running = 0, idle = 0 } = workers?.summary ?? { running: 1 };
    return running + idle === 0;
  }

  /** @returns undefined if no answer came to its end */
  async #exchange(request: HttpRequest, timeoutMs: number): Promise<Received | undefined> {
    const limits = { signal: this.#signal, timeoutMs: Math.max(1, Math.ceil(timeoutMs)) };
    try {
      const received = await exchange(this.client, this.target, request, limits);
      const { status, header } = received;
      // Queries hold tokens.
      const location = header("location")?.replace(/[?#].*/, "");
      this.#last = { answer: { status, body: excerpt(bodyOf(received), SHOWN_OF_BODY), location } };
      return received;
    } catch (error) {
      this.caller.throwIfAborted();
      if (error instanceof UsageError || error instanceof TooLargeError) throw error;
      const isLate = this.#signal.aborted || (error instanceof TimeoutError && error.code === "TIME_LIMIT");
      this.#last = isLate
        ? { connection: "no answer", ...this.#last, isLate }
        : { connection: codeOf(error), isUnseen: isUntouched(error) };
      return undefined;
    }
  }

  #models(): HttpRequest {
    const { base, openAiPath } = this.target;
    return { method: "GET", url: `${base}${this.plan.path ?? openAiPath}/models`, headers: this.#headers() };
  }

  #request(model: string | undefined): HttpRequest {
    const { path, body, chat } = this.plan;
    const { base, root, openAiPath } = this.target;
    if (chat !== undefined) {
      const more = typeof body === "object" && body !== null ? body : {};
      return {
        method: "POST",
        url: `${base}${path ?? openAiPath}/chat/completions`,
        headers: this.#headers({ "content-type": "application/json", accept: "text/event-stream" }),
        body: chatBody(chat, model ?? "", more),
      };
    }
    const type = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
    return {
      method: this.plan.method ?? (body === undefined ? "GET" : "POST"),
      url: path === undefined ? root : base + path,
      headers: this.#headers(body === undefined ? {} : { "content-type": type }),
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    };
  }

  #headers(defaults: Record<string, string> = {}): Record<string, string> {
    const declaredHeaders = Object.entries(this.plan.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
    return { ...defaults, ...Object.fromEntries(declaredHeaders) };
  }

  #label({ method, url }: HttpRequest): string {
    return `${method} ${new URL(url).pathname}`;
  }

  async #failure(request: HttpRequest, more: Partial<RequestFailure> & { gaveUp?: boolean }): Promise<RequestError> {
    const { gaveUp = false, mismatches = [], models } = more;
    const { target, plan } = this;
    const { answer, connection } = this.#last;
    const failure = {
      target: target.name,
      kind: target.kind,
      request: this.#label(request),
      attempts: this.#sent,
      answer,
      connection,
      mismatches,
      models,
      ...(await this.#diagnosis()),
      gaveUpAfterMs: gaveUp ? this.client.clock.now() - this.#began : undefined,
    };
    return new RequestError(failure, { secretAnswer: plan.secretAnswer ?? false });
  }

  async #diagnosis(): Promise<Pick<RequestFailure, "diagnosis" | "pod">> {
    const { client, caller, target } = this;
    const { endpointId, podId, kind } = target;
    const patienceMs = this.#diagnosisMs;
    if (endpointId !== undefined) {
      const place = { endpointId, signal: caller };
      return { diagnosis: await diagnose(client, place, undefined, patienceMs, kind === "queue") };
    }
    if (podId === undefined) return {};
    const signal = AbortSignal.any([caller, AbortSignal.timeout(Math.ceil(patienceMs))]);
    const log = (ending: AbortSignal) => client.pods.logs(podId, { tail: LOG_LENGTH, signal: ending });
    const [pod, lines] = await Promise.all([this.#pod(podId, signal), orNothing(lastLines(log, LOG_LENGTH, signal))]);
    return { pod: { ...pod, log: lines?.map(({ line }) => line) } };
  }

  #leftMs(): number {
    return Math.max(1, this.timeoutMs - this.#diagnosisMs - (this.client.clock.now() - this.#began));
  }

  #hasTime(): boolean {
    return this.#leftMs() > LEAST_TRY_MS && !this.#ending.signal.aborted;
  }

  #progress(text: string): void {
    this.plan.onProgress?.(text, this.client.clock.now() - this.#began);
  }

  async #pause(ms: number): Promise<void> {
    await this.client.clock.sleep(Math.min(ms, this.#leftMs() - LEAST_TRY_MS), this.caller);
  }
}

interface End {
  readonly reply?: Omit<Reply, "waitedMs" | "model">;
  readonly mismatches: RequestFailure["mismatches"];
  /** Whether certainly no server has seen the request. */
  readonly isUnseen: boolean;
  readonly gaveUp?: boolean;
}

function replyOf(received: Received, chat: Chat | undefined): NonNullable<End["reply"]> {
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
