import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../http/query";
import { named, type Route, route } from "../http/route";
import { validate } from "../http/validation";
import type { LogLine, Logs } from "../logs";
import { find } from "../model/lookup";
import { notFound } from "../problem";
import type { BuildRecord } from "../store/records";
import { findBuild } from "./serverless";

const instant = z.iso.datetime({ offset: true });

const logQuery = z.object({
  source: named("LogSource", z.enum(["container", "system"])).optional(),
  tail: wholeNumber(z.int().min(0).max(5000)).default(100),
  since: instant.optional(),
});

const stream = { success: { 200: z.string() }, contentType: "text/event-stream" } as const;

export const routes: readonly Route[] = [
  route({
    ...stream,
    path: "/v2/pods/{id}/logs",
    operationId: "getPodLogs",
    summary: "Stream a pod's logs",
    right: "pods",
    query: logQuery,
    handle: ({ service, params, query, request }) => {
      const { id } = find(service, service.store.pods, params.id, "pod");
      return logStream(service.logs, id, query, request);
    },
  }),
  route({
    ...stream,
    path: "/v2/serverless/{id}/workers/{workerId}/logs",
    operationId: "getWorkerLogs",
    summary: "Stream a worker's logs",
    right: "serverless",
    query: logQuery,
    handle: ({ service, params, query, request }) => {
      const { id } = find(service, service.store.endpoints, params.id, "endpoint");
      const worker = find(service, service.store.workers, params.workerId, "worker");
      if (worker.endpointId !== id) throw notFound("worker");
      return logStream(service.logs, worker.id, query, request);
    },
  }),
  route({
    ...stream,
    path: "/v2/serverless/{id}/builds/{buildId}/logs",
    operationId: "getEndpointBuildLogs",
    summary: "Stream a build's logs",
    right: "serverless",
    handle: ({ service, params }) => Readable.from(buildLines(findBuild(service, params)).map(frame)),
  }),
];

/** Generates a build's log. Builds come only from a loaded state, which has no logs. */
function buildLines({ branch, commitHash, startedAt, completedAt, status, error }: BuildRecord): LogLine[] {
  const at = (time: string | null, line: string): LogLine[] =>
    time === null ? [] : [{ source: "system", line, ts: Date.parse(time) }];
  return [
    ...at(startedAt, `building ${branch ?? "the default branch"} at ${commitHash ?? "its newest commit"}`),
    ...at(completedAt, error ?? status),
  ];
}

/** The requested lines so far, and then every new line until the caller hangs up. */
function logStream(logs: Logs, id: string, query: z.output<typeof logQuery>, request: FastifyRequest): Readable {
  const isWanted = ({ source }: LogLine) => query.source === undefined || query.source === source;
  const written = logs.lines(id).filter(isWanted);
  const stream = new Readable({ read: () => {} });
  const lastId = validate(instant.optional(), request.headers["last-event-id"], "Last-Event-ID");
  for (const line of backfill(written, query, lastId)) stream.push(frame(line));
  const unfollow = logs.follow(id, (line) => {
    if (isWanted(line)) stream.push(frame(line));
  });
  return stream.once("close", unfollow);
}

/** The lines before the live ones: after a reconnect, those after the last line; with `since`, from its time on; else `tail`. */
function backfill(
  lines: readonly LogLine[],
  { tail, since }: z.output<typeof logQuery>,
  lastId: string | undefined,
): readonly LogLine[] {
  if (lastId !== undefined) return lines.filter(({ ts }) => ts > Date.parse(lastId));
  if (since !== undefined) return lines.filter(({ ts }) => ts >= Date.parse(since));
  return tail === 0 ? [] : lines.slice(-tail);
}

function frame({ source, line, ts }: LogLine): string {
  const at = new Date(ts).toISOString();
  return `id: ${at}\ndata: ${JSON.stringify({ source, line, ts: at })}\n\n`;
}
