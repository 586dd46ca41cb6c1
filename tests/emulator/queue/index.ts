import type { FastifyInstance, FastifyRequest } from "fastify";
import { authorize, bearerKey } from "../http/auth";
import { openDoor } from "../http/door";
import { badRequest, notFound } from "../problem";
import type { Service } from "../service";
import { findJob, jobShown, submit } from "./jobs";

const BODY_LIMIT_BYTES = 20 * 1024 * 1024;

/** The job plane, `{serverlessUrl}/v2/{endpointId}/...`. */
export function queueInterface(app: FastifyInstance, service: Service): void {
  openDoor(
    app,
    {
      interface: "queue",
      rateLimited: false,
      key: ({ headers: { authorization } }) => bearerKey(authorization) ?? authorization,
      refuse: (reply, problem) => reply.code(problem.status).send({ error: problem.detail }),
    },
    service,
  );

  const enter = (request: FastifyRequest<{ Params: { endpointId: string } }>, need: "read" | "write") => {
    const { endpointId } = request.params;
    if (request.call.caller !== undefined) authorize(request.call.caller, "queue", need, endpointId);
    const endpoint = service.veil.hides(endpointId) ? undefined : service.store.endpoints.get(endpointId);
    if (endpoint === undefined) throw notFound("endpoint");
    return endpoint;
  };

  app.post<{ Params: { endpointId: string } }>(
    "/v2/:endpointId/run",
    { config: { operation: "run" }, bodyLimit: BODY_LIMIT_BYTES },
    (request) => {
      const endpoint = enter(request, "write");
      const { body } = request;
      if (typeof body !== "object" || body === null || !("input" in body)) throw badRequest("input is required");
      const { id, status } = submit(service, endpoint, body.input);
      return { id, status };
    },
  );

  app.get<{ Params: { endpointId: string; jobId: string } }>(
    "/v2/:endpointId/status/:jobId",
    { config: { operation: "status" } },
    (request) => {
      const endpoint = enter(request, "read");
      return jobShown(findJob(service, endpoint, request.params.jobId));
    },
  );

  app.get<{ Params: { endpointId: string } }>(
    "/v2/:endpointId/health",
    { config: { operation: "health" } },
    (request) => {
      const { id } = enter(request, "read");
      const jobs = service.store.jobs.by("endpoint", id);
      const count = (status: string) => jobs.filter((job) => job.status === status).length;
      return {
        jobs: {
          completed: count("COMPLETED"),
          failed: count("FAILED"),
          inProgress: count("IN_PROGRESS"),
          inQueue: count("IN_QUEUE"),
          retried: 0,
        },
        workers: { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 },
      };
    },
  );
}
