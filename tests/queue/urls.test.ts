import { expect, test } from "@jest/globals";
import { createClient, UsageError } from "../../client";
import { balancerUrlsAt, isOfService, podUrlAt } from "../../common/presets";
import { fullUrls, queueUrlsAt, shortUrls } from "../../common/queueUrls";
import { serve } from "../harness/serve";

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

// finds mutant key-to-any-host
test.each(["evil.com$&", "evil.com", "a/b", "a#", "a?", "a@b", "a:1", "-a", "a-", "a b", "", "é", "a".repeat(64)])(
  "an id that is not one label of a host's name is part of no address: %j",
  async (id) => {
    expect(balancerUrlsAt("https://api.runpod.ai", id)).toBeUndefined();
    for (const proxy of ["proxy.runpod.net", "http://127.0.0.1:1/pod-proxy"])
      expect(podUrlAt(`${id}.`, 80, proxy)).toBeUndefined();
    const problem = { "content-type": "application/problem+json" };
    await using service = await serve((_, response) => response.writeHead(403, problem).end('{"status":403}'));
    await using client = createClient({ apiKey: "hunter2-key", cloud: "runpod", baseUrl: service.address });
    await expect(client.openAiOptions(id)).rejects.toThrow(UsageError);
  },
);

test.each([
  ["of a load balancer", { base: "https://abc.example.com", health: "https://abc.example.com/ping" }],
  ["of which one leads elsewhere", { ...urls, stream: "https://other.example.com/stream" }],
  ["of an operation more", { ...urls, pause: "https://example.com/v2/abc/pause" }],
  ["that are missing", null],
])("addresses %s stay as they are", (_, other) => {
  expect(shortUrls(other)).toEqual(other);
  expect(fullUrls(other)).toEqual(other);
});

test.each<[string, boolean]>([
  ["https://e1.queues.example.com", true],
  ["https://queues.example.com/v2", true],
  ["http://e1.queues.example.com", false],
  ["https://queues.example.com.evil.com", false],
  ["https://evilqueues.example.com", false],
])("the key may go to %s: %s, where the queues are configured", (address, isAllowed) =>
  expect(isOfService(address, "https://queues.example.com/v2")).toBe(isAllowed),
);

test("the key of an emulator may go to its other ports", () => {
  expect(isOfService("http://127.0.0.1:4502", "http://127.0.0.1:4501")).toBe(true);
});
