import { Readable } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readQuotas } from "../../client/calls/headers";
import { readEvents } from "../../client/calls/sse";
import { UsageError } from "../../client/errors";
import { backoffMs } from "../../client/outcomes/retry";
import { fillPath, queryText } from "../../client/values/request";
import { inSeconds } from "../../common/duration";

test("an id in a path is refused or stays one part of it, whatever it holds", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (id) => {
      let path: string;
      try {
        path = fillPath("/v2/pods/{id}/logs", { id });
      } catch (error) {
        // A lone surrogate has no encoding at all.
        return error instanceof UsageError || error instanceof URIError;
      }
      const url = new URL(path, "https://service.example");
      const [, , , part = ""] = url.pathname.split("/");
      return url.pathname === path && path.split("/").length === 5 && decodeURIComponent(part) === id;
    }),
  );
});

test("a query leaves out what is absent and joins lists with commas", () => {
  expect(queryText({ a: 1, b: undefined, c: ["x", "y z"], d: false })).toBe("?a=1&c=x%2Cy+z&d=false");
  expect(queryText(undefined)).toBe("");
  // An empty list of wishes is none, and not the wish for nothing.
  expect(queryText({ regions: [], compliance: null })).toBe("");
});

test("the wait before another attempt is anything from nothing to a bound that doubles up to 20 s, another for each call", () => {
  const bounds = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => backoffMs(attempt, () => 1));
  expect(bounds).toEqual([250, 500, 1000, 2000, 4000, 8000, 16000, 20000, 20000]);
  expect(backoffMs(5, () => 0)).toBe(0);
  // Calls which failed together come back apart.
  expect(new Set(Array.from({ length: 100 }, () => backoffMs(6))).size).toBeGreaterThan(90);
});

describe("quotas", () => {
  test("are read by name, in any order", () => {
    expect(readQuotas('"hour";t=1812;r=2800, "minute";r=0;t=12')).toEqual([
      { name: "hour", remaining: 2800, resetSeconds: 1812 },
      { name: "minute", remaining: 0, resetSeconds: 12 },
    ]);
  });

  test.each([
    "",
    "nonsense, , ",
    '"minute"',
    '"minute";r=',
    '"minute";r=1',
    '"minute";r="many";t=1',
    "minute;;",
    "(1 2);r=1;t=1",
    "1;r=1;t=1",
  ])("of a header such as %j are none", (ratelimit) => {
    expect(readQuotas(ratelimit)).toEqual([]);
  });
});

const text =
  ': ping\n\nid: 1\ndata: {"a":1}\n\nevent: x\n\ndata: two\ndata: lines\n\nid: 3\r\ndata: ü\r\n\r\ndata: cut';
const events = [
  { id: "1", data: '{"a":1}' },
  { id: undefined, data: "two\nlines" },
  { id: "3", data: "ü" },
];

test("server-sent events are the same however the bytes arrive", async () => {
  const bytes = Buffer.from(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
      expect((await Array.fromAsync(readEvents(Readable.from(chunks)))).flat()).toEqual(events);
    }),
  );
});

test.each([
  [995.44873, "1 s"],
  [940, "0.9 s"],
  [12_345, "12 s"],
  [0, "0 s"],
])("%s ms are told as %s", (ms, expected) => {
  expect(inSeconds(ms)).toBe(expected);
});
