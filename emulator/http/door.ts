import { Readable } from "node:stream";
import { setTimeout as realDelay } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { newId } from "../ids";
import { badRequest, notFound, Problem, tooLarge } from "../problem";
import type { Service } from "../service";
import type { ApiKey } from "../settings";
import { leaveBodies, readJsonBodies } from "./bodies";
import type { Act } from "./faults";
import { type Interface, type LoggedRequest, withoutKey } from "./requestLog";
import { checkSender } from "./sender";

/** A call under way: its caller, its log entry, and its faults. */
export interface Call {
  readonly logged: LoggedRequest;
  readonly arrivedAt: number;
  /** The key of the one who makes it. */
  caller?: ApiKey;
  acts: readonly Act[];
}

declare module "fastify" {
  interface FastifyRequest {
    call: Call;
  }
  interface FastifyContextConfig {
    /** The route's name in the request log and in faults. */
    operation?: string;
    mostBytes?: number;
    /** Answers without a key. */
    public?: boolean;
  }
}

/** What differs between the interfaces. */
export interface Plane {
  readonly interface: Interface;
  /** The credential that came with a request. */
  key(request: FastifyRequest): string | undefined;
  /** Bodies are left unread, for a handler that passes them on. Default: they are read as JSON. */
  readonly leavesBodies?: boolean;
  /** Whether the service has ended the interface, which then answers 410. */
  hasEnded?(): boolean;
  /** Whether a call with a missing or invalid key is admitted, without a caller. Default: no. */
  admitsInvalidKeys?(key: string | undefined): boolean;
  /** Whether the account's REST quotas count these calls. Default: no. */
  readonly rateLimited?: boolean;
  /** The operation of a request, if the route does not determine it. */
  operation?(request: FastifyRequest): string;
  /** Writes a refusal in the interface's own format. */
  refuse(reply: FastifyReply, problem: Problem): FastifyReply;
}

/**
 * The steps of every call, over any interface: request log, request id, key, rate limit, latency, and faults before and after
 * the work. Refusals have the interface's format.
 */
export function openDoor(app: FastifyInstance, plane: Plane, service: Service): void {
  if (plane.leavesBodies === true) leaveBodies(app);
  else readJsonBodies(app);

  app.addHook("onRequest", async (request, reply) => {
    const logged = service.log.add({
      at: service.clock.now(),
      interface: plane.interface,
      method: request.method,
      path: withoutKey(request.url),
      operation: request.routeOptions.config.operation ?? "",
    });
    request.call = { logged, arrivedAt: performance.now(), acts: [] };
    reply.headers({ "x-request-id": newId.request(), date: new Date(service.clock.now()).toUTCString() });
    checkSender(request);
    const { mostBytes = Number.POSITIVE_INFINITY } = request.routeOptions.config;
    if (Number(request.headers["content-length"] ?? 0) > mostBytes) throw tooLarge(mostBytes);
    if (request.routeOptions.config.public === true) return;
    const key = plane.key(request);
    const caller = plane.admitsInvalidKeys?.(key) === true ? service.keys.find(key) : service.keys.caller(key);
    if (caller !== undefined) request.call.caller = caller;
    if (plane.rateLimited === true && key !== undefined) reply.headers(service.limits.count(key));
  });

  app.addHook("preHandler", async (request, reply) => {
    const { call } = request;
    if (plane.operation !== undefined) call.logged.operation = plane.operation(request);
    call.acts = service.faults.take(call.logged);
    // The body of this answer is not documented, so a client must not depend on it.
    if (plane.hasEnded?.() === true) return reply.code(410).type("text/plain").send("Gone");
    const spoilt = call.acts.find((act) => !("delayMs" in act || "staleMs" in act));
    if (spoilt !== undefined) {
      call.logged.refusal = { by: "fault", why: JSON.stringify(spoilt) };
      service.log.changed(call.logged);
    }
    if (service.settings.latencyMs > 0) await realDelay(service.settings.latencyMs);
    for (const act of call.acts) {
      if ("delayMs" in act) await realDelay(act.delayMs);
      if ("drop" in act && act.drop === "before") {
        request.raw.socket.destroy();
        return reply.hijack();
      }
      if ("lateMs" in act) {
        request.raw.socket.destroy();
        await service.clock.sleep(act.lateMs);
      }
      if ("status" in act) return answerWith(act, reply, plane);
      if ("graphqlErrors" in act) return reply.send({ data: null, errors: act.graphqlErrors });
    }
    return undefined;
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    const { call } = request;
    const spoil = call.acts.find((act) => ["truncate", "malformed", "drop", "lateMs"].some((name) => name in act));
    if (spoil !== undefined && ("drop" in spoil || "lateMs" in spoil)) return void request.raw.socket.destroy();
    call.logged.status = reply.statusCode;
    call.logged.ms = Math.round((performance.now() - call.arrivedAt) * 10) / 10;
    service.log.changed(call.logged);
    if (spoil !== undefined && "truncate" in spoil && payload instanceof Readable)
      return done(null, firstPart(payload));
    if (spoil !== undefined && "truncate" in spoil) return sendHalf(reply, String(payload ?? ""));
    return done(null, spoil !== undefined && "malformed" in spoil ? '{"malformed": ' : payload);
  });

  const refuse = ({ call }: FastifyRequest, reply: FastifyReply, problem: Problem) => {
    call.logged.refusal ??= { by: "service", why: [problem.detail, ...(problem.errors ?? [])].join(" ") };
    return plane.refuse(reply, problem);
  };
  app.setErrorHandler((error, request, reply) => refuse(request, reply, asProblem(error)));
  app.setNotFoundHandler((request, reply) => refuse(request, reply, notFound()));
}

function answerWith(act: Extract<Act, { status: number }>, reply: FastifyReply, plane: Plane): FastifyReply {
  reply.code(act.status).headers(act.headers);
  if (act.body === undefined)
    return plane.refuse(reply, new Problem(act.status, "injected fault", undefined, act.headers));
  if (!reply.hasHeader("content-type")) reply.type("application/json");
  return reply.send(typeof act.body === "string" ? act.body : JSON.stringify(act.body));
}

/** Announces the whole body, sends half of it, and hangs up. */
function sendHalf(reply: FastifyReply, payload: string): void {
  const bytes = Buffer.from(payload);
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, String(value));
  reply.raw.writeHead(reply.statusCode, { "content-length": bytes.length });
  reply.raw.write(bytes.subarray(0, bytes.length >> 1), () => reply.raw.socket?.destroy());
}

/** A stream that breaks off after its first part. */
function firstPart(payload: Readable): Readable {
  return Readable.from(
    (async function* () {
      for await (const part of payload) {
        yield part;
        throw new Error("cut off by a fault");
      }
    })(),
    { objectMode: false },
  );
}

/**
 * Converts an error. Fastify's own refusals, such as of a too large body, have a status. A mistake of the emulator's is a refusal:
 * a 500 would leave open whether the work was done, and clients would look for it for minutes.
 */
function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status < 500)
    return new Problem(status, error instanceof Error ? error.message : "request could not be processed");
  console.error("computecloud-emulator: a handler failed", error);
  return badRequest(`The emulator failed, not the service: ${error instanceof Error ? error.stack : String(error)}`);
}
