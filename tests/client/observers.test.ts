import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type RequestEvent, ServiceError, UsageError } from "../../client";
import { json, Script, serverForEach } from "../harness/script";

// What is told of a client's calls to others than the program's hooks.

const keys = json({ keys: [] }, 200, { "x-request-id": "r-1" });

const script = serverForEach(new Script());
let lines: string[];
const logger = {
  debug: (line: string) => void lines.push(`debug ${line}`),
  info: (line: string) => void lines.push(`info ${line}`),
  warn: (line: string) => void lines.push(`warn ${line}`),
};
beforeEach(() => {
  lines = [];
});
afterEach(() => {
  delete process.env.COMPUTECLOUD_LOG;
});

const busy = json({ title: "Unavailable" }, 503, { "x-request-id": "r-0" });

test("a logger is told what goes wrong", async () => {
  script.play(busy, keys);
  await script.client({ logger }).sshKeys.get();
  expect(lines).toEqual([
    expect.stringMatching(/^warn GET \/v2\/account\/ssh-keys: 503 in \d+ ms \(attempt 1, request r-0\)$/),
  ]);
});

test.each(["option", "environment"])("a logger is told all at the level debug, by the %s, and no key", async (by) => {
  script.play(busy, keys);
  if (by === "environment") process.env.COMPUTECLOUD_LOG = "debug";
  await script.client({ logger, ...(by === "option" && { logLevel: "debug" }) }).sshKeys.get();
  expect(lines.map((line) => line.split(" ")[0])).toEqual(["debug", "warn", "info", "debug", "debug"]);
  expect(lines[2]).toMatch(/503; trying again in [\d.]+ s/);
  expect(lines.join()).not.toContain("scripted-key");
});

test("a logger is told nothing when it is off, and a level that nobody knows is refused", async () => {
  script.play(busy, keys);
  await script.client({ logger, logLevel: "off" }).sshKeys.get();
  expect(lines).toEqual([]);
  process.env.COMPUTECLOUD_LOG = "verbose";
  expect(() => script.client()).toThrow('COMPUTECLOUD_LOG is "verbose"; it takes off, warn, info, debug.');
});

test("diagnostics channels tell of every request and answer, and may add headers", async () => {
  script.play(keys);
  const events: unknown[] = [];
  const onRequest = (message: unknown) => {
    const { headers } = message as RequestEvent;
    headers.traceparent = "00-trace";
  };
  const onResponse = (message: unknown) => void events.push(message);
  subscribe("pulumi-computecloud:request", onRequest);
  subscribe("pulumi-computecloud:response", onResponse);
  try {
    await script.client().sshKeys.get();
  } finally {
    unsubscribe("pulumi-computecloud:request", onRequest);
    unsubscribe("pulumi-computecloud:response", onResponse);
  }
  expect(events).toMatchObject([{ call: "GET /v2/account/ssh-keys", status: 200, requestId: "r-1" }]);
  expect(script.received[0]?.headers.traceparent).toBe("00-trace");
});

test("maxAttempts bounds every call that does not say otherwise", async () => {
  script.play(json({}, 503));
  const client = script.client({ maxAttempts: 2 });
  await expect(client.sshKeys.get()).rejects.toThrow(ServiceError);
  expect(script.received).toHaveLength(2);
  await expect(client.sshKeys.get({ attempts: 3 })).rejects.toMatchObject({ attempts: 3 });
  expect(script.received).toHaveLength(5);
  expect(() => script.client({ maxAttempts: 0 })).toThrow(UsageError);
});

test("appInfo names the program in the user agent", async () => {
  script.play(keys);
  await script.client({ appInfo: { name: "trainer", version: "1.2", url: "https://example.com" } }).sshKeys.get();
  expect(script.received[0]?.headers["user-agent"]).toMatch(
    /^pulumi-computecloud\/\d+\.\d+\.\d+\S* node\/\S+ trainer\/1\.2 \(https:\/\/example\.com\)$/,
  );
  expect(() => script.client({ appInfo: { name: "a\nb" } })).toThrow(UsageError);
});
