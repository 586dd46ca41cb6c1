import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authorize, bearerKey } from "../http/auth";
import { openDoor } from "../http/door";
import { badRequest, notFound, Problem, tooLarge } from "../problem";
import type { Service } from "../service";
import type { EndpointRecord, WorkerRecord } from "../store/records";
import { reconcile } from "../workers/fleet";
import { freeWorker } from "../workers/lifecycle";
import { BALANCER_PATH, healthPath } from "./address";
import { bounded, passAnswer, requestOf, takeAll, type WorkerAnswer, type WorkerRequest } from "./forward";
import { loseWorker } from "./route";
import { ClosedPortError, send, servingWorker } from "./send";
import type { Destination, Visit } from "./traffic";

/** How long a request waits for a ready worker. */
const WORKER_WITHIN_MS = 2 * 60_000;
/** How long a worker may take to answer to the end. */
const ANSWER_WITHIN_MS = 5.5 * 60_000;
/** Largest body, of requests and of answers. */
const MOST_BYTES = 30 * 1024 * 1024;

type BalancerParams = { endpointId: string };
type BalancerRequest = FastifyRequest<{ Params: BalancerParams }>;

/** Load balancers, `{serverlessUrl}/load-balancer/{endpointId}/...`: requests go to the endpoint's workers. */
export function balancerInterface(app: FastifyInstance, service: Service): void {
  openDoor(
    app,
    {
      interface: "endpoint",
      leavesBodies: true,
      key: ({ headers: { authorization } }) => bearerKey(authorization),
      refuse: (reply, problem) => reply.code(problem.status).headers(problem.headers).send({ error: problem.detail }),
    },
    service,
  );
  takeAll<BalancerParams>(app, "endpointId", { operation: "request", mostBytes: MOST_BYTES }, (request, reply) =>
    answer(service, request, reply),
  );
}

async function answer(service: Service, request: BalancerRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { store, clock, traffic } = service;
  const endpoint = enter(service, request);
  const controller = new AbortController();
  const { signal } = controller;
  const incoming = requestOf(request, `${BALANCER_PATH}/${request.params.endpointId}`, signal);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const { promise: destination, resolve: start } = Promise.withResolvers<Destination>();
  const visit: Visit = {
    endpointId: endpoint.id,
    arrivedAt: clock.now(),
    isHealthCheck: request.method === "GET" && incoming.path.split("?")[0] === healthPath(endpoint),
    start,
    end: (refusal) => {
      reject(refusal);
      controller.abort(refusal);
    },
  };
  ended.catch(() => {});
  let limit = clock.after(WORKER_WITHIN_MS, () =>
    visit.end(badRequest("timed out waiting for worker: no workers available")),
  );
  reply.raw.once("close", () => {
    limit.cancel();
    visit.end(new Problem(499, "the caller has hung up"));
    traffic.visits.delete(visit);
    const worker = store.workers.get(visit.workerId ?? "");
    if (worker?.status === "RUNNING" && traffic.at(worker).length === 0) freeWorker(service, worker);
    reconcile(service, endpoint.id);
  });
  traffic.visits.add(visit);
  store.endpoints.put({ ...endpoint, lastRequestAt: clock.now() });
  reconcile(service, endpoint.id);

  const worker = await Promise.race([destination, ended]);
  limit.cancel();
  if (worker === "closed") throw new Problem(502, "the worker's port is closed");
  if (worker === "booting") return reply.code(204).send();
  limit = clock.after(ANSWER_WITHIN_MS, () => visit.end(new Problem(524, "the worker did not answer in time")));
  const body = incoming.body && bounded(incoming.body, MOST_BYTES, () => visit.end(tooLarge(MOST_BYTES)));
  const sent = await Promise.race([sendTo(service, endpoint, worker, { ...incoming, body }), ended]);
  if (Number(sent.headers["content-length"] ?? 0) > MOST_BYTES) {
    sent.body?.destroy();
    throw new Problem(502, `the worker's answer is larger than ${MOST_BYTES} bytes`);
  }
  const answerBody = sent.body && bounded(sent.body, MOST_BYTES, () => {});
  return passAnswer({ ...sent, body: answerBody }, reply.header("x-runpod-worker-id", worker.id), signal);
}

/** The endpoint of a request, after checking the caller's access. */
function enter(service: Service, request: BalancerRequest): EndpointRecord {
  const { endpointId } = request.params;
  const { caller } = request.call;
  const need = request.method === "GET" || request.method === "HEAD" ? "read" : "write";
  if (caller !== undefined) authorize(caller, "queue", need, endpointId);
  const endpoint = service.veil.hides(endpointId) ? undefined : service.store.endpoints.get(endpointId);
  if (endpoint === undefined) throw notFound("endpoint");
  if (endpoint.type !== "LOAD_BALANCER") throw badRequest("not allowed for LB API");
  return endpoint;
}

async function sendTo(
  service: Service,
  endpoint: EndpointRecord,
  worker: WorkerRecord,
  request: WorkerRequest,
): Promise<WorkerAnswer> {
  const lose = (how: "crash" | "closed") => {
    loseWorker(service, worker, how);
    reconcile(service, endpoint.id);
  };
  try {
    const target = { service, container: servingWorker(worker, endpoint), crash: () => lose("crash") };
    return await send(target, request);
  } catch (error) {
    if (!(error instanceof ClosedPortError)) throw error;
    if (!request.signal.aborted) lose("closed");
    throw new Problem(502, "the worker closed the connection");
  }
}
