import type { z } from "../../common/zod";
import { valueAt } from "../../provider/lifecycle/fields/values";

export interface Answer {
  /** Method and path, with `{id}` in place of the id. */
  readonly call: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's JSON; undefined where it is none. */
  readonly body: unknown;
  readonly text: string;
}

/** The service behaves otherwise. The message says what was seen, without ids, names or texts of the account. */
export class Differs extends Error {
  override readonly name = "Differs";
}

/** The fact could not be tried; the message says why. */
export class Untried extends Error {
  override readonly name = "Untried";
}

/** Statuses that say nothing about a fact. */
const BARRIERS: Readonly<Record<number, string>> = {
  401: "the service refuses the key",
  402: "the account has no money",
  403: "the key may not do this",
  410: "the service has ended this interface",
};

function barrierOf({ status }: Answer): string | undefined {
  return BARRIERS[status] ?? (status >= 500 ? "the service failed" : undefined);
}

/**
 * Ends the trial unless the answer, which is returned, has one of the statuses that the fact predicts.
 *
 * @throws Untried when the answer says nothing about the fact
 * @throws Differs for any other status
 */
export function expectStatus(answer: Answer, ...wanted: readonly number[]): Answer {
  if (wanted.includes(answer.status)) return answer;
  const seen = `${answer.call} answered ${answer.status}`;
  const barrier = barrierOf(answer);
  throw barrier === undefined ? new Differs(seen) : new Untried(`${barrier}: ${seen}`);
}

/** The same for a call that only prepares the trial, so a failure says nothing about the fact. @throws Untried */
export function needStatus(answer: Answer, ...wanted: readonly number[]): Answer {
  if (wanted.includes(answer.status)) return answer;
  throw new Untried(`${barrierOf(answer) ?? "a preparation failed"}: ${answer.call} answered ${answer.status}`);
}

/** Ends the trial unless the answer's body has this form. @throws Differs, with the members that don't */
export function expectBody<Form extends z.ZodType>(answer: Answer, form: Form): z.output<Form> {
  const { data, error } = form.safeParse(answer.body);
  if (error === undefined) return data;
  const members = new Set(error.issues.map(({ path }) => path.join(".")));
  throw new Differs(`${answer.call} doesn't show ${[...members].join(", ")}`);
}

export function expectTrue(holds: boolean, seen: string): void {
  if (!holds) throw new Differs(seen);
}

/** The value at a path in an unchecked answer; undefined if there is none. */
export const field = (value: unknown, ...path: readonly string[]): unknown => valueAt(value, path);

/** The list at a path in an unchecked answer; empty if there is none. */
export function listIn(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = field(value, ...path);
  return Array.isArray(list) ? list : [];
}
