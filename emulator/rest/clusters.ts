import { z } from "zod";
import { named, type Route, type RouteContext, route } from "../http/route";
import { checkName } from "../model/bounds";
import { membersOf, removeCluster, startCluster } from "../model/clusters";
import { argsFrom } from "../model/command";
import { CONTAINER_DEFAULTS, checkContainer, resolveTemplate } from "../model/container";
import { assembled, containerFields, mounts } from "../model/containerSchemas";
import { find } from "../model/lookup";
import { cudaVersionFor, gpuType, place } from "../model/placement";
import { checkBalance, checkVolumePlace, chooseMounts } from "../model/podRules";
import { listPodsResponse, podStatus } from "../model/podSchemas";
import { sent } from "../model/sent";
import { badRequest } from "../problem";
import type { Service } from "../service";
import type { ClusterRecord } from "../store/records";
import { answerOf, nounRoutes, patchOf } from "./noun";
import { podShown, sshDirect } from "./podView";

const name = z.string().min(1);
const clusterType = named("ClusterType", z.enum(["APPLICATION", "TRAINING", "SLURM", "RAY"]));
const compute = named(
  "ClusterCompute",
  z.strictObject({ gpuTypeId: z.string().min(1), gpuCountPerPod: z.int().min(1), podCount: z.int().min(2).max(250) }),
);
const { registry: _noPrivateRegistries, ...memberFields } = containerFields;

const createRequest = named(
  "CreateClusterRequest",
  z
    .strictObject({
      ...memberFields,
      name,
      type: clusterType,
      compute,
      dataCenterIds: z.array(z.string()).default([]),
      mounts: mounts.optional(),
      startSsh: z.boolean().default(false),
      startJupyter: z.boolean().default(false),
      templateId: z.string().min(1).optional(),
    })
    .meta(assembled),
);
const cluster = named(
  "Cluster",
  z.object({
    id: z.string(),
    name: z.string(),
    type: clusterType,
    compute,
    template: z.string().optional(),
    dataCenterId: z.string().optional(),
    pods: named(
      "ClusterPodsSummary",
      z.strictObject({ total: z.int(), byStatus: z.partialRecord(podStatus, z.int()) }),
    ),
    network: named(
      "ClusterNetwork",
      z.strictObject({ cidr: z.string(), vxlanId: z.int().optional(), vxlanPort: z.int().optional() }),
    ).optional(),
    primary: named(
      "ClusterPrimary",
      z.strictObject({ podId: z.string(), status: podStatus, sshEndpoint: z.string().optional() }),
    ).optional(),
    createdAt: z.iso.datetime(),
  }),
);

/** Fields that a template sets. A body with a template must not have them. */
const BROUGHT = ["image", "args", "entrypoint", "cmd", "disk", "env", "ports", "mounts"] as const;

/** Default container disk of a member in GB. */
const DEFAULT_DISK = 50;

export const routes: readonly Route[] = [
  ...nounRoutes({
    noun: "Cluster",
    many: "clusters",
    called: "cluster",
    path: "/v2/clusters",
    right: "clusters",
    item: cluster,
    createBody: createRequest,
    updateBody: named("UpdateClusterRequest", patchOf({ name })),
    errors: { create: [400, 402, 404], update: [400] },
    recordOf: findCluster,
    toAnswer: clusterShown,
    create: createCluster,
    update: (service, before, { name = before.name }) => {
      checkName(name);
      return service.store.clusters.put({ ...before, name });
    },
    remove: removeCluster,
  }),
  route({
    path: "/v2/clusters/{id}/pods",
    operationId: "listClusterPods",
    summary: "List the pods of a cluster",
    right: "clusters",
    success: { 200: listPodsResponse },
    handle: ({ service, params }) => ({
      pods: membersOf(service, findCluster(service, params.id).id).map((member) => podShown(service, member)),
    }),
  }),
];

function findCluster(service: Service, id: string): ClusterRecord {
  return find(service, service.store.clusters, id, "Cluster");
}

function createCluster({
  service,
  body,
  call,
}: RouteContext<unknown, unknown, z.output<typeof createRequest>>): ClusterRecord {
  const { gpuTypeId, gpuCountPerPod, podCount } = body.compute;
  checkName(body.name);
  const template = resolveTemplate(service, body.templateId, "pod");
  const named = BROUGHT.filter((field) => body[field] !== undefined);
  if (template !== undefined && named.length > 0) throw badRequest(`templateId excludes ${named.join(", ")}`);
  const container = template ?? { ...CONTAINER_DEFAULTS, ...sent(body), args: argsFrom(body, "") ?? "" };
  const { image, args, disk = DEFAULT_DISK, ports, env } = container;
  if (image === "") throw badRequest("image is required");
  checkContainer(container);
  const type = gpuType(service, gpuTypeId, gpuCountPerPod, "SECURE");
  if (body.mounts?.global !== undefined) throw badRequest("clusters take no global volume");
  const { mounts, volume } = chooseMounts(service, template?.mounts ?? body.mounts, { cpu: false, cloud: "SECURE" });
  checkVolumePlace(volume, body.dataCenterIds);
  const gpu = { id: gpuTypeId, count: gpuCountPerPod };
  checkBalance(service, { gpu, cpu: null, cloud: "SECURE" }, podCount);
  const { dataCenterIds, startSsh, startJupyter } = body;
  const wish = { cloud: "SECURE", dataCenterIds, volumeDataCenter: volume?.dataCenter } as const;
  return startCluster(service, {
    name: body.name,
    type: body.type,
    compute: body.compute,
    dataCenterId: place(service, call, wish, type).id,
    cudaVersion: cudaVersionFor(type, [], null),
    member: {
      image,
      args,
      disk,
      ports,
      env,
      mounts,
      registry: template?.registry ?? null,
      templateId: template?.id ?? null,
      dataCenterIds,
      startSsh,
      startJupyter,
    },
  });
}

/** Data center, network and primary are absent until the first member is placed. */
function clusterShown(service: Service, { dataCenterId, network, ...record }: ClusterRecord) {
  const members = membersOf(service, record.id);
  const primary = members.find((member) => member.cluster?.rank === 0);
  const ssh = primary && sshDirect(primary);
  const byStatus: z.output<typeof cluster>["pods"]["byStatus"] = {};
  for (const { status } of members) byStatus[status] = (byStatus[status] ?? 0) + 1;
  return answerOf(cluster, {
    ...record,
    ...(record.member.templateId !== null && { template: record.member.templateId }),
    ...(members.length > 0 && { dataCenterId, network }),
    pods: { total: members.length, byStatus },
    ...(primary && {
      primary: { podId: primary.id, status: primary.status, ...(ssh && { sshEndpoint: `${ssh.host}:${ssh.port}` }) },
    }),
  });
}
