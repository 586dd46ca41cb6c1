import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authorize, bearerKey } from "../http/auth";
import { openDoor } from "../http/door";
import { reading, seen } from "../model/lookup";
import { badRequest, notFound, Problem } from "../problem";
import type { Service } from "../service";
import type { EndpointRecord, JobRecord } from "../store/records";
import { workerGauge } from "../workers/gauge";
import { cancel, findJob, jobCounts, limitLife, purgeQueue, retry, submit } from "./jobs";
import { answerByJob, type HeldCall } from "./openai";
import {
  PLAIN_SYNC_WAIT_MS,
  parseSubmission,
  queryValue,
  runSyncWait,
  statusSyncWait,
  statusTtl,
  streamWait,
} from "./requests";
import { jobShown } from "./shown";
import { drainStream } from "./stream";
import { isFinal } from "./transitions";

const MB = 1024 * 1024;

interface Call extends HeldCall {
  /** The job that the path names. */
  job(): JobRecord;
  readonly query: unknown;
  /** What follows the operation's name in the path. */
  readonly rest: string;
}

interface Operation {
  readonly method: "GET" | "POST" | ("GET" | "POST")[];
  readonly path: string;
  /** Largest body, bytes. */
  readonly limit?: number;
  /** Load-balancing endpoints answer it too. */
  readonly everyType?: boolean;
  handle(call: Call): unknown;
}

/** By their names in the request log and in faults. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  run: {
    method: "POST",
    path: "run",
    limit: 10 * MB,
    handle: ({ service, endpoint, body }) => {
      const { id } = submit(service, endpoint, parseSubmission(body));
      return { id, status: "IN_QUEUE" };
    },
  },
  runSync: {
    method: "POST",
    path: "runsync",
    limit: 20 * MB,
    handle: async ({ service, endpoint, body, query, hold }) => {
      const wait = queryValue(runSyncWait, query, "wait");
      // The result of a call without `wait` is kept for the shortest time.
      const { id } = submit(service, endpoint, parseSubmission(body), wait ?? 0);
      const job = await hold(id, wait ?? PLAIN_SYNC_WAIT_MS, isFinal);
      return isFinal(job) ? jobShown(job) : { id, status: job.status };
    },
  },
  status: {
    method: "GET",
    path: "status/:jobId",
    handle: ({ service, job, query }) => {
      const record = job();
      const ttl = queryValue(statusTtl, query, "ttl");
      if (ttl !== undefined) limitLife(service, record, ttl);
      return jobShown(record);
    },
  },
  statusSync: {
    method: "GET",
    path: "status-sync/:jobId",
    handle: async ({ job, query, hold }) =>
      jobShown(await hold(job().id, queryValue(statusSyncWait, query, "wait"), isFinal)),
  },
  stream: {
    method: "GET",
    path: "stream/:jobId",
    handle: async ({ service, job, query, hold }) => {
      const wait = queryValue(streamWait, query, "wait");
      const hasNews = (held: JobRecord) => isFinal(held) || service.store.chunks.count("job", held.id) > 0;
      const { id, status } = await hold(job().id, wait, hasNews);
      const stream = drainStream(service, id);
      return service.settings.streamForm === "array" ? stream : { status, stream };
    },
  },
  cancel: {
    method: "POST",
    path: "cancel/:jobId",
    handle: ({ service, job }) => {
      const { id } = job();
      cancel(service, job());
      return { id, status: "CANCELLED" };
    },
  },
  retry: {
    method: "POST",
    path: "retry/:jobId",
    handle: ({ service, job }) => {
      const { id } = job();
      retry(service, job());
      return { id, status: "IN_QUEUE" };
    },
  },
  purgeQueue: {
    method: "POST",
    path: "purge-queue",
    handle: ({ service, endpoint }) => ({ removed: purgeQueue(service, endpoint), status: "completed" }),
  },
  openai: { method: ["GET", "POST"], path: "openai/*", limit: 10 * MB, handle: (call) => answerByJob(call, call.rest) },
  health: {
    method: "GET",
    path: "health",
    everyType: true,
    handle: ({ service, endpoint }) => ({
      jobs: jobCounts(service, endpoint),
      workers: workerGauge(service, endpoint.id),
    }),
  },
};

type QueueRequest = FastifyRequest<{ Params: { endpointId: string; jobId?: string; "*"?: string } }>;

/** The queue interface, `{serverlessUrl}/v2/{endpointId}/...`. */
export function queueInterface(app: FastifyInstance, service: Service): void {
  openDoor(
    app,
    {
      interface: "queue",
      key: ({ headers: { authorization } }) => bearerKey(authorization) ?? authorization,
      refuse: (reply, problem) => reply.code(problem.status).headers(problem.headers).send({ error: problem.detail }),
    },
    service,
  );
  for (const [name, operation] of Object.entries(OPERATIONS))
    app.route({
      method: operation.method,
      url: `/v2/:endpointId/${operation.path}`,
      exposeHeadRoute: false,
      // Bodies are measured after they were read. Refusing a half-read body looks like a broken connection to many clients.
      bodyLimit: 100 * MB,
      config: { operation: name },
      handler: (request: QueueRequest, reply) => answer(service, operation, request, reply),
    });
}

async function answer(service: Service, operation: Operation, request: QueueRequest, reply: FastifyReply) {
  const endpoint = enter(service, operation, request);
  const key = request.call.caller?.key ?? "";
  const leave = service.queueLimits.enter(key, endpoint.id, request.call.logged.operation);
  let hasHungUp = false;
  const gone = new Promise<void>((resolve) =>
    reply.raw.once("close", () => {
      hasHungUp = true;
      resolve();
    }),
  );
  const job = (id = request.params.jobId ?? "") => findJob(service, endpoint, id);
  try {
    return await operation.handle({
      service,
      endpoint,
      job,
      body: request.body,
      query: request.query,
      reply,
      rest: request.params["*"] ?? "",
      hasHungUp: () => hasHungUp,
      hold: async (jobId, ms, isOver) => {
        const isJobOver = () => {
          const held = service.store.jobs.get(jobId);
          return held === undefined || isOver(held);
        };
        await Promise.race([service.holds.until(jobId, ms, isJobOver), gone]);
        return job(jobId);
      },
    });
  } finally {
    leave();
  }
}

/** The endpoint of a request, after checking the caller's access. */
function enter(service: Service, operation: Operation, request: QueueRequest): EndpointRecord {
  const { endpointId } = request.params;
  const { caller } = request.call;
  if (caller !== undefined) authorize(caller, "queue", request.method === "GET" ? "read" : "write", endpointId);
  const { endpoints } = service.store;
  // The queue learns of an endpoint as late as reads do, and of its end at once.
  const endpoint = seen(reading(service), endpoints, endpointId) && endpoints.get(endpointId);
  if (endpoint === undefined) throw notFound("endpoint");
  if (endpoint.type !== "QUEUE" && operation.everyType !== true) throw badRequest("not allowed for QB API");
  const { limit = MB } = operation;
  if (bytesOf(request) > limit) throw new Problem(413, `request body is larger than ${limit / MB} MB`);
  return endpoint;
}

/** The size of a body. A chunked body has no announced length. */
const bytesOf = ({ headers, body }: FastifyRequest): number =>
  Number(headers["content-length"] ?? Buffer.byteLength(JSON.stringify(body) ?? ""));
