import { expect, test } from "@jest/globals";
import { balancerUrlsAt } from "../../common/presets";
import { fullUrls, queueUrlsAt, shortUrls } from "../../common/queueUrls";

const urls = queueUrlsAt("https://example.com/v2/abc");

test("addresses that follow from one are as good as that one", () => {
  expect(shortUrls(urls)).toBe("https://example.com/v2/abc");
  expect(fullUrls(shortUrls(urls))).toEqual(urls);
});

test("a queue's addresses without that of OpenAI's clients, as an earlier version recorded them, are completed", () => {
  const { openai, ...eight } = urls;
  expect(openai).toBe("https://example.com/v2/abc/openai/v1");
  expect(fullUrls(eight)).toEqual(urls);
  expect(shortUrls(eight)).toBe("https://example.com/v2/abc");
});

test("a load balancer of a known cloud has a host of its own, and nothing is guessed of another address", () => {
  const base = "https://abc.api.runpod.ai";
  expect(balancerUrlsAt("https://api.runpod.ai", "abc")).toEqual({ base, health: `${base}/ping` });
  expect(balancerUrlsAt("https://example.com", "abc")).toBeUndefined();
});

test.each([
  ["of a load balancer", { base: "https://abc.example.com", health: "https://abc.example.com/ping" }],
  ["of which one leads elsewhere", { ...urls, stream: "https://other.example.com/stream" }],
  ["of an operation more", { ...urls, pause: "https://example.com/v2/abc/pause" }],
  ["that are missing", null],
])("addresses %s stay as they are", (_, other) => {
  expect(shortUrls(other)).toEqual(other);
  expect(fullUrls(other)).toEqual(other);
});
