import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { traceRequests } from "../../client/opentelemetry";
import { json, reset, Script, serverForEach } from "../harness/script";

// The real SDK, which keeps its spans in memory.

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const script = serverForEach(new Script());
let stop: () => void;

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
});
afterAll(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});
beforeEach(() => {
  exporter.reset();
  stop = traceRequests();
});
afterEach(() => stop());

test("every attempt is a span below the active one, and its context goes along", async () => {
  script.play(json({ title: "Unavailable" }, 503), reset, json({ keys: [] }));
  await trace.getTracer("program").startActiveSpan("work", async (work) => {
    await script.client().sshKeys.get();
    work.end();
  });
  const spans = exporter.getFinishedSpans();
  const work = spans.find(({ name }) => name === "work")?.spanContext();
  const url = `${script.address}/v2/account/ssh-keys`;
  const { hostname, port } = new URL(url);
  const attempts = spans.filter(({ name }) => name === "GET");
  const always = {
    "http.request.method": "GET",
    "url.full": url,
    "server.address": hostname,
    "server.port": Number(port),
  };
  expect(attempts.map(({ attributes }) => attributes)).toEqual([
    { ...always, "http.response.status_code": 503, "error.type": "503" },
    { ...always, "http.request.resend_count": 1, "error.type": expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/) },
    { ...always, "http.request.resend_count": 2, "http.response.status_code": 200 },
  ]);
  const { ERROR, UNSET } = SpanStatusCode;
  expect(attempts.map(({ status }) => status.code)).toEqual([ERROR, ERROR, UNSET]);
  for (const [index, span] of attempts.entries()) {
    expect(span.kind).toBe(SpanKind.CLIENT);
    expect(span.parentSpanContext?.spanId).toBe(work?.spanId);
    const { traceId, spanId } = span.spanContext();
    expect(script.received[index]?.headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
  }
});

test("a span of a job tells neither its input nor the key, and there is none once it is stopped", async () => {
  script.play(json({ id: "j", status: "IN_QUEUE" }));
  const queue = script.client().queue("e");
  await queue.run({ input: { prompt: "a secret prompt" } });
  const [span] = exporter.getFinishedSpans();
  expect(span?.attributes).toMatchObject({ "http.request.method": "POST", "url.full": `${script.address}/v2/e/run` });
  const { attributes, events, name, status } = span ?? {};
  expect(JSON.stringify({ attributes, events, name, status })).not.toMatch(/secret|scripted-key/);
  stop();
  await queue.run({ input: 1 });
  expect(exporter.getFinishedSpans()).toHaveLength(1);
  expect(script.received.at(-1)?.headers.traceparent).toBeUndefined();
});
