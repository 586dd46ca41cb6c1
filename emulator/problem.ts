import { STATUS_CODES } from "node:http";

/** A refusal with the service's message. Each interface writes it in its own format. */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    readonly status: number,
    readonly detail: string,
    /** One entry per broken schema rule; only for 422. */
    readonly errors?: readonly string[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }

  get title(): string {
    return STATUS_CODES[this.status] ?? "Error";
  }

  /** The body of an `application/problem+json` answer. */
  toJSON(): { title: string; status: number; detail: string; errors?: readonly string[] } {
    const { title, status, detail, errors } = this;
    return { title, status, detail, ...(errors && { errors }) };
  }
}

export const badRequest = (detail = "request could not be processed"): Problem => new Problem(400, detail);
export const unauthorized = (detail = "missing bearer token"): Problem => new Problem(401, detail);
export const paymentRequired = (detail: string): Problem => new Problem(402, detail);
export const forbidden = (): Problem => new Problem(403, "access denied");
export const notFound = (kind = "resource"): Problem => new Problem(404, `${kind} not found`);
export const conflict = (detail: string): Problem => new Problem(409, detail);
export const tooLarge = (mostBytes: number): Problem =>
  new Problem(413, `the request is larger than ${mostBytes} bytes`);
export const unprocessable = (detail: string): Problem => new Problem(422, detail);
export const invalid = (errors: readonly string[]): Problem => new Problem(422, "Request validation failed.", errors);
export const noCapacity = (): Problem =>
  badRequest(
    "There are no longer any instances available with the requested specifications. Please refresh and try again.",
  );
