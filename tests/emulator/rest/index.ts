import type { FastifyInstance } from "fastify";
import { bearerKey } from "../http/auth";
import { openDoor } from "../http/door";
import { openApiDocument } from "../http/openapi";
import { mount, type Route } from "../http/route";
import type { Service } from "../service";
import { accountRoutes } from "./account";
import { billingRoutes } from "./billing";
import { cpuRoutes } from "./catalogCpus";
import { dataCenterRoutes } from "./catalogDataCenters";
import { gpuRoutes } from "./catalogGpus";
import { publicTemplateRoutes } from "./catalogTemplates";
import { clusterRoutes } from "./clusters";
import { costCenterRoutes } from "./costCenters";
import { delegationRoutes } from "./delegations";
import { globalVolumeRoutes } from "./globalVolumes";
import { logRoutes } from "./logs";
import { networkVolumeRoutes } from "./networkVolumes";
import { podRoutes } from "./pods";
import { registryRoutes } from "./registries";
import { secretRoutes } from "./secrets";
import { serverlessRoutes } from "./serverless";
import { sshKeyRoutes } from "./sshKeys";
import { tagRoutes } from "./tags";
import { templateRoutes } from "./templates";

/** Every REST operation. A new resource needs a file and a line here. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...sshKeyRoutes,
  ...secretRoutes,
  ...podRoutes,
  ...clusterRoutes,
  ...serverlessRoutes,
  ...logRoutes,
  ...templateRoutes,
  ...networkVolumeRoutes,
  ...globalVolumeRoutes,
  ...tagRoutes,
  ...costCenterRoutes,
  ...registryRoutes,
  ...delegationRoutes,
  ...gpuRoutes,
  ...cpuRoutes,
  ...dataCenterRoutes,
  ...publicTemplateRoutes,
  ...billingRoutes,
];

let document: unknown;

/** Made when it is first asked for, because that takes longer than the rest of a start. */
function openApi(): unknown {
  document ??= openApiDocument(routes);
  return document;
}

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
  app.get("/v2/openapi.json", { config: { operation: "getOpenApi", public: true } }, openApi);
}
