import { afterEach, beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { Template } from "../../sdk";

beforeAll(() =>
  pulumi.runtime.setMocks(
    { newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: ({ inputs }) => inputs },
    "project",
    "stack",
    false,
    "organization",
  ),
);

const prepare = Error.prepareStackTrace;
afterEach(() => {
  Error.prepareStackTrace = prepare;
});

/** The names of the functions that take a stack trace meanwhile. */
function takersOf(work: () => void): string[] {
  const takers: string[] = [];
  Error.prepareStackTrace = (error, frames) => {
    takers.push(frames[0]?.getFunctionName() ?? "");
    return prepare?.(error, frames);
  };
  work();
  return takers;
}

const make = (name: string, options: pulumi.CustomResourceOptions = {}) =>
  new Template(name, { image: "example.com/a:1" }, options);

test("no promise behind an output costs a mapped stack trace", () =>
  expect(takersOf(() => make("chat"))).not.toContain("debuggablePromise"));

test("the position of a resource is the line that makes it", () => {
  const positions: unknown[] = [];
  Error.prepareStackTrace = (error, frames) => {
    if (frames[0]?.getFunctionName() === "callsites") positions.push(frames.map((frame) => frame.getFunctionName()));
    return prepare?.(error, frames);
  };
  make("chat");
  expect(positions).toEqual([["callsites", "stackTrace", "Resource", "CustomResource", "Template", "make", null]]);
});

test("an error in a transformation keeps its stack", () => {
  const failing = function transforms(): never {
    throw new Error("of the program");
  };
  expect(() => make("chat", { transformations: [failing] })).toThrow(
    expect.objectContaining({ stack: expect.stringMatching(/transforms .*shortTraces\.test\.ts:\d+:\d+/) }),
  );
});

test("what was in place before is in place afterwards", () => {
  const mine: typeof prepare = (error, frames) => prepare?.(error, frames);
  Error.prepareStackTrace = mine;
  make("chat");
  expect(Error.prepareStackTrace).toBe(mine);
  const theirs: typeof prepare = (error, frames) => prepare?.(error, frames);
  make("chat", {
    transformations: [
      () => {
        Error.prepareStackTrace = theirs;
        return undefined;
      },
    ],
  });
  expect(Error.prepareStackTrace).toBe(theirs);
});
