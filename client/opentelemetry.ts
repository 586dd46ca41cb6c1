import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { FailureEvent, RequestEvent, ResponseEvent } from "./options";

/**
 * Makes a span of every request of all clients of this process, one for each attempt, by OpenTelemetry's conventions for HTTP
 * clients. Sends the span's context along (`traceparent`, by the propagator of the process). A span's parent is the one that is
 * active where the call was made. Spans have methods, addresses without queries, and statuses, but no header, body or key.
 *
 * Needs `@opentelemetry/api`, and a tracer provider that is registered there. Call it once.
 *
 * @returns ends it
 */
export function traceRequests(): () => void {
  const tracer = trace.getTracer("pulumi-computecloud");
  const spans = new WeakMap<RequestEvent, Span>();

  const onRequest = (message: unknown) => {
    const request = message as RequestEvent;
    const { method, url, attempt } = request;
    const { hostname, port, protocol } = new URL(url);
    const span = tracer.startSpan(method, {
      kind: SpanKind.CLIENT,
      attributes: {
        "http.request.method": method,
        "url.full": url,
        "server.address": hostname,
        "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
        ...(attempt > 1 && { "http.request.resend_count": attempt - 1 }),
      },
    });
    spans.set(request, span);
    propagation.inject(trace.setSpan(context.active(), span), request.headers);
  };
  const end = (request: RequestEvent, error: string | undefined, status?: number) => {
    const span = spans.get(request);
    if (span === undefined) return;
    if (status !== undefined) span.setAttribute("http.response.status_code", status);
    if (error !== undefined) span.setAttribute("error.type", error).setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  const onResponse = (message: unknown) => {
    const { request, status } = message as ResponseEvent;
    end(request, status >= 400 ? String(status) : undefined, status);
  };
  const onFailure = (message: unknown) => {
    const { request, reason } = message as FailureEvent;
    end(request, reason);
  };

  const listeners = { request: onRequest, response: onResponse, failure: onFailure };
  for (const [name, listener] of Object.entries(listeners)) subscribe(`pulumi-computecloud:${name}`, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(`pulumi-computecloud:${name}`, listener);
  };
}
