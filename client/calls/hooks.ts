import { type Channel, channel } from "node:diagnostics_channel";
import { inSeconds } from "../../common/duration";
import { redactIn } from "../../common/redact";
import { ComputeCloudError, UsageError } from "../errors";
import {
  type CallOptions,
  type ClientOptions,
  type FailureEvent,
  type Logger,
  type LogLevel,
  logLevels,
  type RequestEvent,
  type ResponseEvent,
  type RetryEvent,
} from "../options";

interface Events {
  readonly onRequest: RequestEvent;
  readonly onResponse: ResponseEvent;
  /** An attempt ended without an answer. */
  readonly onFailure: FailureEvent;
  readonly onRetry: RetryEvent;
}

export type Hooks = { readonly [Name in keyof Events]?: ((event: Events[Name]) => void) | undefined };

/** For tracing: the events of all clients of the process are published here. */
const channels: Readonly<Record<keyof Events, Channel>> = {
  onRequest: channel("pulumi-computecloud:request"),
  onResponse: channel("pulumi-computecloud:response"),
  onFailure: channel("pulumi-computecloud:failure"),
  onRetry: channel("pulumi-computecloud:retry"),
};

/** The program's onRequest threw: the request is not sent. */
export class RequestStopped extends Error {
  override readonly name = "RequestStopped";
}

/**
 * The hooks of the client and of one call. An error of a hook says nothing about the service. It is kept until the call is
 * over, so that it changes neither retries nor how an answer is read.
 */
export class CallHooks {
  readonly #observers: readonly Hooks[];
  #thrown: { readonly error: unknown } | undefined;
  /** The event of the request whose answer or failure was not reported yet, made when a hook asks for it. */
  #openRequest: (() => RequestEvent) | undefined;

  /** @param observers those of the client */
  constructor(observers: readonly Hooks[], { onResponse }: Pick<CallOptions, "onResponse"> = {}) {
    this.#observers = onResponse === undefined ? observers : [...observers, { onResponse }];
  }

  /** The headers that onRequest adds. @throws RequestStopped when onRequest throws */
  request(event: Omit<RequestEvent, "headers">): Record<string, string> {
    const headers = {};
    let safeEvent: RequestEvent | undefined;
    const open = () => {
      safeEvent ??= { ...redactIn(event), headers };
      return safeEvent;
    };
    this.#openRequest = open;
    if (!this.#notify("onRequest", open)) throw new RequestStopped();
    return headers;
  }

  /** The attempt has its answer. */
  response(eventOf: () => Omit<ResponseEvent, "request">): void {
    const request = this.#openRequest;
    this.#openRequest = undefined;
    if (request === undefined) return;
    this.#notify("onResponse", () => {
      // mutant events-in-clear: { ...eventOf(), request: request() }
      const event = { ...redactIn(eventOf()), request: request() };
      return Object.defineProperty(event, "request", { enumerable: false });
    });
  }

  /** The attempt is over. It is reported as failed unless its answer was reported before. */
  failed(exception: unknown): void {
    const request = this.#openRequest;
    this.#openRequest = undefined;
    if (request === undefined) return;
    this.#notify("onFailure", () => {
      const { call, attempt } = request();
      return { call, attempt, reason: reasonOf(exception), request: request() };
    });
  }

  retry(event: RetryEvent): void {
    this.#notify("onRetry", () => redactIn(event));
  }

  /** @throws what a hook has thrown */
  throwIfThrown(): void {
    if (this.#thrown !== undefined) throw this.#thrown.error;
  }

  /**
   * What a call with this error ends with: the error of a hook, if one has thrown. An error with `outcomeUnknown` wins over
   * both, because losing it would hide that the service may have acted.
   */
  errorOver(error: unknown): unknown {
    const mayHaveActed = error instanceof ComputeCloudError && error.outcomeUnknown === true;
    return this.#thrown === undefined || mayHaveActed ? error : this.#thrown.error;
  }

  /**
   * False if a hook has thrown. An `onRequest` that throws is the last one to hear of the request.
   *
   * @param eventOf makes the event, without secrets, if anybody listens: redaction takes time
   */
  #notify<Name extends keyof Events>(name: Name, eventOf: () => Events[Name]): boolean {
    let hasThrown = false;
    let event: Events[Name] | undefined;
    for (const observer of this.#observers) {
      try {
        const hook = observer[name];
        if (hook === undefined) continue;
        event ??= eventOf();
        hook(event);
      } catch (error) {
        this.#thrown ??= { error };
        hasThrown = true;
        if (name === "onRequest") return false;
      }
    }
    if (channels[name].hasSubscribers) channels[name].publish(event ?? eventOf());
    return !hasThrown;
  }
}

function reasonOf(exception: unknown): string {
  if (!(exception instanceof Error)) return "Error";
  return "code" in exception && typeof exception.code === "string" ? exception.code : exception.name;
}

/** Writes to stderr: stdout belongs to the program's own output. */
const stderr: Logger = {
  debug: (line) => console.error(`computecloud debug ${line}`),
  info: (line) => console.error(`computecloud info ${line}`),
  warn: (line) => console.error(`computecloud warn ${line}`),
};

/** What observes a client's calls: its hooks, and the log. */
export function observersOf(options: Omit<ClientOptions, "apiKey">): readonly Hooks[] {
  const { onRequest, onResponse, onRetry } = options;
  const level = logLevelOf(options);
  return [{ onRequest, onResponse, onRetry }, ...(level === "off" ? [] : [logging(options.logger ?? stderr, level)])];
}

/** The option wins over the environment variable. A logger without a level gets warnings. */
function logLevelOf({ logLevel, logger }: Pick<ClientOptions, "logLevel" | "logger">): LogLevel {
  const levelName = logLevel ?? process.env.COMPUTECLOUD_LOG ?? "";
  if (levelName === "") return logger === undefined ? "off" : "warn";
  const level = logLevels.find((each) => each === levelName);
  if (level !== undefined) return level;
  const name = logLevel === undefined ? "COMPUTECLOUD_LOG" : "logLevel";
  throw new UsageError(`${name} is "${levelName}"; it takes ${logLevels.join(", ")}.`);
}

/** Lines contain methods, paths without their query, statuses and request ids; never a header, a body or the key. */
function logging(logger: Logger, level: LogLevel): Hooks {
  const isLogged = (of: LogLevel) => logLevels.indexOf(of) <= logLevels.indexOf(level);
  const onResponse = ({ call, attempt, status, requestId, ms }: ResponseEvent) => {
    const line = `${call}: ${status} in ${Math.round(ms)} ms (attempt ${attempt}${requestId ? `, request ${requestId}` : ""})`;
    if (status >= 400) logger.warn(line);
    else if (isLogged("debug")) logger.debug(line);
  };
  const onRetry = ({ call, reason, waitMs }: RetryEvent) =>
    logger.info(`${call}: ${reason}; trying again in ${inSeconds(waitMs)}`);
  return {
    onRequest: isLogged("debug") ? ({ call, attempt }) => logger.debug(`${call} (attempt ${attempt})`) : undefined,
    onResponse,
    onRetry: isLogged("info") ? onRetry : undefined,
  };
}
