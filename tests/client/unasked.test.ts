/* Answers that a proxy or a worker has changed, and arguments that are not there. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { JobFailedError, type LogLine, UsageError } from "../../client";
import { json, Script, serverForEach } from "../harness/script";
import { errorOf } from "../harness/until";

const server = serverForEach(new Script());

const events = `id: 1\ndata: ${JSON.stringify({ source: "container", line: "hello", ts: "2026-11-26T00:00:00Z" })}\n\n`;

function logged(encoding: string, body: Buffer): Promise<LogLine[]> {
  server.play(
    (_, response) =>
      void response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": encoding }).end(body),
  );
  return Array.fromAsync(server.client().pods.logs("p"));
}

test.each([
  ["gzip", gzipSync(events)],
  ["deflate", deflateSync(events)],
  ["br", brotliCompressSync(events)],
])("a log that was compressed unasked is read: %s", async (encoding, body) => {
  expect((await logged(encoding, body)).map(({ line }) => line)).toEqual(["hello"]);
});

test("a log in an encoding that nobody knows is an error, and not an empty log", async () => {
  await expect(logged("snappy", Buffer.from("?"))).rejects.toThrow("not a stream of events");
});

test.each(["status", "cancel", "wait"] as const)("%s of undefined is refused before it is sent", async (call) => {
  const ids: string[] = [];
  const refused = server
    .client()
    .queue("e")
    [call](ids[0] as string);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
  expect(server.received).toEqual([]);
});

test("a worker's error is printable and short in the message, and whole in the job", async () => {
  const error = `\u001b[2J${"trace ".repeat(40_000)}\u001b]0;owned\u0007 out of memory`;
  server.play(json({ id: "a", status: "FAILED", error }));
  const { message, job } = await errorOf(server.client().queue("e").wait("a"), JobFailedError);
  expect(message.length).toBeLessThan(5_000);
  expect(message).toContain("\\x1b]0;owned\\x07 out of memory");
  expect(message).not.toContain("\u001b");
  expect(job.error).toBe(error);
});
