import type { FastifyInstance } from "fastify";
import { bearerKey } from "../http/auth";
import { openDoor } from "../http/door";
import { mount, openApiDocument } from "../http/route";
import type { Service } from "../service";
import { routes } from "./routes";

/** The REST v2 interface and its OpenAPI document. */
export function restInterface(app: FastifyInstance, service: Service): void {
  openDoor(
    app,
    {
      interface: "rest",
      rateLimited: true,
      key: (request) => bearerKey(request.headers.authorization),
      refuse: (reply, problem) =>
        reply.code(problem.status).headers(problem.headers).type("application/problem+json").send(problem.toJSON()),
    },
    service,
  );
  mount(app, routes, service);
  // Made when it is first asked for, because that takes longer than the rest of a start.
  let document: unknown;
  const openApi = () => (document ??= openApiDocument(routes));
  app.get("/v2/openapi.json", { config: { operation: "getOpenApi", public: true } }, openApi);
}
