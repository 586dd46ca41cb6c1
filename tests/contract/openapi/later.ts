import { readFileSync } from "node:fs";
import { contractFile, type OpenApi } from "./document";

/*
 * What the service has learnt since the contract was written, in August 2026. docs/service.md tells what is known of it, and
 * the emulator's own document is all that describes it.
 */

/** Operations that the contract does not have. */
export const LATER_OPERATIONS: ReadonlySet<string> = new Set([
  ...["getAccount", "getAccountLimits", "getBalance", "updateRegistry", "listCostCenterResources"],
  ...["listEndpointBuilds", "getEndpointBuild", "getEndpointBuildLogs"],
  ...["Secret", "GlobalVolume", "Tag", "CostCenter"].flatMap((noun) => [
    `list${noun}s`,
    ...["create", "get", "update", "delete"].map((verb) => verb + noun),
  ]),
  ...["attachTag", "detachTag", "attachCostCenter", "detachCostCenter"].flatMap((id) => [id, `${id}Plainly`]),
]);

type Schemas = Readonly<Record<string, { readonly allOf?: readonly object[]; readonly properties?: object }>>;

/** Lists that come in pages since, by path, with the schema of their answers. */
const PAGED: Readonly<Record<string, string>> = {
  "/v2/pods": "ListPodsResponse",
  "/v2/serverless": "ListEndpointsResponse",
  "/v2/serverless/{id}/releases": "ListEndpointReleasesResponse",
  "/v2/templates": "ListTemplatesResponse",
  "/v2/clusters": "ListClustersResponse",
  "/v2/network-volumes": "ListNetworkVolumesResponse",
};

const object = (properties: object, more: object = {}) => ({
  type: "object",
  required: Object.keys(properties),
  properties,
  ...more,
});
const CLOSED = { additionalProperties: false };

/** A contract with the fields that its schemas have been given since, and with the pages of its lists. */
function withLaterFields(document: OpenApi): OpenApi {
  const list = { type: "array", items: { type: "string" } };
  const volumes = { type: "array", items: object({ volumeId: { type: "string" } }, CLOSED) };
  const mounts = object({ network: volumes, global: { ...volumes, maxItems: 1 } }, CLOSED);
  const least = { type: "integer", minimum: 1 };
  const share = object({ vcpuCount: least, memory: least });
  const pagination = object({ nextCursor: { type: ["string", "null"] }, hasNextPage: { type: "boolean" } });
  const added: Readonly<Record<string, object>> = {
    BaseContainerConfig: { entrypoint: list, cmd: list },
    CreateGpuConfig: { minRamPerGpu: least, minVcpuCountPerGpu: least },
    Pod: { gpu: { allOf: [{ $ref: "#/components/schemas/GpuConfig" }, share] } },
    Mounts: { global: { type: "array", items: { $ref: "#/components/schemas/NetworkMount" }, maxItems: 1 } },
    CreateEndpointRequest: { mounts: { ...mounts, required: [] } },
    UpdateEndpointRequest: { mounts: { ...mounts, required: [] } },
    Endpoint: { mounts },
    CreateClusterRequest: { templateId: { type: "string", minLength: 1 } },
    ...Object.fromEntries(Object.values(PAGED).map((answer) => [answer, { pagination }])),
  };
  const schemas = { ...(document.components.schemas as Schemas) };
  for (const [name, properties] of Object.entries(added)) schemas[name] = extended(schemas[name] ?? {}, properties);
  const paths = { ...document.paths };
  for (const path of Object.keys(PAGED)) {
    const get = paths[path]?.get;
    if (get === undefined || !("operationId" in get)) throw new Error(`the contract has no list at ${path}`);
    const parameters = [
      ...(get.parameters ?? []),
      { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 1000 } as object },
      { name: "cursor", in: "query", schema: { type: "string", minLength: 1 } as object },
    ];
    const responses = { ...get.responses, 422: { $ref: "#/components/responses/UnprocessableEntityError" } };
    paths[path] = { ...paths[path], get: { ...get, parameters, responses } };
  }
  return { ...document, paths, components: { ...document.components, schemas } };
}

/** The last part of what is put together is the schema's own. */
function extended(schema: Schemas[string], more: object): Schemas[string] {
  const lastPart = schema.allOf?.at(-1);
  if (schema.allOf === undefined || lastPart === undefined)
    return { ...schema, properties: { ...schema.properties, ...more } };
  return { ...schema, allOf: [...schema.allOf.slice(0, -1), extended(lastPart, more)] };
}

export const contract: OpenApi | undefined =
  contractFile === undefined ? undefined : withLaterFields(JSON.parse(readFileSync(contractFile, "utf8")));
