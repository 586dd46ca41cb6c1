import { parseJson } from "../../common/json";
import { z } from "../../common/zod";
import { type Mismatch, partial, show } from "./expectation";

const status = z.int().min(100).max(599);

/** What the answer to a request must be. */
export const answerExpectation = z
  .strictObject({
    status: z
      .union([status, z.array(status).min(1)])
      .optional()
      .describe("HTTP status, or several of which it is one. Default: any from 200 to 299."),
    json: z
      .unknown()
      .optional()
      .describe(
        "Compared deeply with the body, which must be JSON. Objects may have more members than named here; lists and plain " +
          'values must be the same: `{ json: { status: "ok" } }`. An integer beyond 2^53 is written as a string of its digits.',
      ),
    text: z.string().min(1).optional().describe("A part of the body, or of a `chat`'s answer."),
    contentType: z
      .string()
      .min(1)
      .optional()
      .describe("Media type of the body, such as `application/json`; its parameters count only where they are named."),
  })
  .refine((expect) => Object.keys(expect).length > 0, "names none of status, json, text and contentType")
  .describe("What an answer must be; where several are named, all must hold.");
export type AnswerExpectation = z.output<typeof answerExpectation>;

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly contentType: string | undefined;
  /** The body, or the answer of a chat. */
  readonly text: string;
}

/** Differences between an answer and what was expected; empty when it matches. */
export function answerMismatches(expect: AnswerExpectation = {}, { status, contentType, text }: Answer): Mismatch[] {
  const statuses = expect.status === undefined ? undefined : [expect.status].flat();
  const isExpected = statuses?.includes(status) ?? (status >= 200 && status < 300);
  return [
    ...(isExpected
      ? []
      : [{ path: "Status", problem: `should be ${statuses?.join(" or ") ?? "2xx"}`, found: String(status) }]),
    ...(expect.contentType === undefined || isMediaType(expect.contentType, contentType)
      ? []
      : [{ path: "Content type", problem: `should be ${expect.contentType}`, found: contentType ?? "none" }]),
    ...("json" in expect ? jsonMismatches(expect.json, text) : []),
    ...(expect.text === undefined || text.includes(expect.text)
      ? []
      : [{ path: "Body", problem: `should contain ${show(expect.text)}`, found: show(text) }]),
  ];
}

function jsonMismatches(expected: unknown, text: string): Mismatch[] {
  const value = parseJson(text, true);
  return value === undefined
    ? [{ path: "Body", problem: "is not JSON", found: show(text) }]
    : partial(expected, value, "Body");
}

function isMediaType(expected: string, contentType = ""): boolean {
  const parts = (type: string) =>
    type
      .toLowerCase()
      .split(";")
      .map((part) => part.trim());
  const [media, ...parameters] = parts(contentType);
  const [wanted, ...named] = parts(expected);
  return media === wanted && named.every((parameter) => parameters.includes(parameter));
}
