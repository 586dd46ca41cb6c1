import { ComputeCloudError } from "../errors";
import type { CallOptions, ClientOptions, FailureEvent, RequestEvent, ResponseEvent, RetryEvent } from "../options";

export interface Hooks extends Pick<ClientOptions, "onRequest" | "onResponse" | "onRetry"> {
  /** Called for every attempt that ends without an answer. */
  readonly onFailure?: ((event: FailureEvent) => void) | undefined;
}

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
  /** The request whose answer or failure was not reported yet. */
  #asked: RequestEvent | undefined;

  /** @param observers those of the client */
  constructor(observers: readonly Hooks[], { onResponse }: Pick<CallOptions, "onResponse"> = {}) {
    this.#observers = onResponse === undefined ? observers : [...observers, { onResponse }];
  }

  get tellsResponses(): boolean {
    return this.#observers.some(({ onResponse }) => onResponse !== undefined);
  }

  /** The headers that onRequest adds. @throws RequestStopped when onRequest throws */
  request(event: Omit<RequestEvent, "headers">): Record<string, string> {
    const asked = { ...event, headers: {} };
    this.#asked = asked;
    for (const { onRequest } of this.#observers) {
      if (!this.#run(() => onRequest?.(asked))) throw new RequestStopped();
    }
    return asked.headers;
  }

  response(event: Omit<ResponseEvent, "request">): void {
    const request = this.answered();
    if (request === undefined) return;
    const told: ResponseEvent = { ...event, request };
    Object.defineProperty(told, "request", { enumerable: false });
    for (const { onResponse } of this.#observers) this.#run(() => onResponse?.(told));
  }

  /** The attempt is over. It is reported as failed unless its answer was reported before. */
  failed(exception: unknown): void {
    const request = this.answered();
    if (request === undefined) return;
    const event = { call: request.call, attempt: request.attempt, reason: reasonOf(exception), request };
    for (const { onFailure } of this.#observers) this.#run(() => onFailure?.(event));
  }

  /** The attempt has its answer. Returns the event of its request. */
  answered(): RequestEvent | undefined {
    const asked = this.#asked;
    this.#asked = undefined;
    return asked;
  }

  retry(event: RetryEvent): void {
    for (const { onRetry } of this.#observers) this.#run(() => onRetry?.(event));
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

  /** Whether the hook returned without an error. */
  #run(hook: () => void): boolean {
    try {
      hook();
      return true;
    } catch (error) {
      this.#thrown ??= { error };
      return false;
    }
  }
}

function reasonOf(exception: unknown): string {
  if (!(exception instanceof Error)) return "Error";
  return "code" in exception && typeof exception.code === "string" ? exception.code : exception.name;
}
