import { answers, NotFoundError, type Endpoint as ShownEndpoint } from "../../client";
import { lastLines } from "../../common/lastLines";
import { withOpenAi } from "../../common/queueUrls";
import { z } from "../../common/zod";
import { named } from "../lifecycle/fields/fields";
import { defineFunction, id, showSecrets } from "./definition";

const { queueHealth } = answers.queues();
const clusters = answers.clusters();
const { CostCenter } = answers.costCenters();
const { EcrDelegation } = answers.delegations();
const { GlobalVolume } = answers.globalVolumes();
const { NetworkVolume } = answers.networkVolumes();
const registries = answers.registries();
const { Secret } = answers.secrets();
const { Tag } = answers.tags();
const { Template } = answers.templates();
const { LogLine } = answers.logs();
const pods = answers.pods();
const serverless = answers.serverless();

const none = z.strictObject({});
const one = (kind: string) => z.strictObject({ id: id(kind) });
const noneShown = z.strictObject({ showSecrets });
const oneShown = (kind: string) => z.strictObject({ id: id(kind), showSecrets });
/** Properties that are hidden by default: variables may hold credentials. */
const secrets = ["env"];

const Pod = named("PodInfo", pods.Pod);
const Cluster = named("ClusterInfo", clusters.Cluster);
const Endpoint = named(
  "EndpointInfo",
  serverless.Endpoint.extend({
    requestUrls: z
      .union([
        named("EndpointQueueUrls", serverless.FullQueueUrls),
        named("EndpointLoadBalancerUrls", serverless.LoadBalancerUrls),
      ])
      .optional()
      .describe("Addresses for requests: of a queue's operations, or of the load balancer."),
  }),
);

const withUrls = ({ requestUrls, ...endpoint }: ShownEndpoint) => ({
  ...endpoint,
  ...(requestUrls && { requestUrls: withOpenAi(requestUrls) }),
});

export const getPods = defineFunction({
  description: "The account's pods. Members of clusters are included only with `includeClusterPods`.",
  args: z.strictObject({
    includeClusterPods: z.boolean().optional().describe("Whether members of clusters are included. Default: false."),
    showSecrets,
  }),
  result: z.object({ pods: z.array(Pod).describe("The pods; members of clusters only with `includeClusterPods`.") }),
  secrets,
  call: async (client, query, { signal }) => ({ pods: await client.pods.list({ ...query, signal }) }),
});

export const getPod = defineFunction({
  description: "A pod as it is now. Fails if the account has no such pod.",
  args: oneShown("pod"),
  result: Pod,
  secrets,
  call: (client, { id }, { signal }) => client.pods.get(id, { signal }),
});

export const getPodLogs = defineFunction({
  description: "The last lines of a pod's log. Fails if the account has no such pod.",
  args: z.strictObject({
    id: id("pod"),
    tail: z.int().min(1).max(5000).default(100).describe("Most lines, 1 to 5000."),
    source: z.enum(["container", "system"]).optional().describe("Only the container's lines, or the system's."),
  }),
  result: z.object({ lines: z.array(named("LogLine", LogLine)).describe("The lines, oldest first.") }),
  call: async (client, { id, ...query }, { signal }) => ({
    lines: await lastLines((quiet) => client.pods.logs(id, { ...query, signal: quiet }), query.tail, signal),
  }),
});

export const getClusters = defineFunction({
  description: "The account's clusters.",
  args: none,
  result: z.object({ clusters: z.array(Cluster).describe("All clusters of the account.") }),
  call: async (client, _, { signal }) => ({ clusters: await client.clusters.list({ signal }) }),
});

export const getCluster = defineFunction({
  description: "A cluster as it is now, with its pods counted by status. Fails if the account has no such cluster.",
  args: one("cluster"),
  result: Cluster,
  call: (client, { id }, { signal }) => client.clusters.get(id, { signal }),
});

export const getClusterPods = defineFunction({
  description: "The pods of a cluster. Fails if the account has no such cluster.",
  args: oneShown("cluster"),
  result: z.object({ pods: z.array(Pod).describe("The pods of the cluster that exist so far.") }),
  secrets,
  call: async (client, { id }, { signal }) => ({ pods: await client.clusters.pods(id, { signal }) }),
});

export const getServerlessEndpoints = defineFunction({
  description: "The account's serverless endpoints.",
  args: noneShown,
  result: z.object({ endpoints: z.array(Endpoint).describe("All endpoints of the account.") }),
  secrets,
  call: async (client, _, { signal }) => ({ endpoints: (await client.serverless.list({ signal })).map(withUrls) }),
});

export const getServerlessEndpoint = defineFunction({
  description: "A serverless endpoint as it is now. Fails if the account has no such endpoint.",
  args: oneShown("serverless endpoint"),
  result: Endpoint,
  secrets,
  call: async (client, { id }, { signal }) => withUrls(await client.serverless.get(id, { signal })),
});

export const getEndpointWorkers = defineFunction({
  description:
    "The active workers of a serverless endpoint, and their number by status. Fails if the account has no such endpoint.",
  args: one("serverless endpoint"),
  result: named("EndpointWorkers", serverless.EndpointWorkers),
  call: (client, { id }, { signal }) => client.serverless.workers(id, { signal }),
});

export const getWorkerLogs = defineFunction({
  description:
    "The last lines of the logs of a serverless endpoint's workers, ordered by time. Fails if the account has no such " +
    "endpoint.",
  args: z.strictObject({
    endpointId: id("serverless endpoint"),
    workerId: z.string().min(1).optional().describe("Only this worker's lines. Default: those of all active workers."),
    tail: z.int().min(1).max(5000).default(100).describe("Most lines of each worker, 1 to 5000."),
    source: z.enum(["container", "system"]).optional().describe("Only the container's lines, or the system's."),
  }),
  result: z.object({
    lines: z
      .array(
        named(
          "WorkerLogLine",
          LogLine.extend({ workerId: z.string().describe("Id of the worker that wrote the line.") }),
        ),
      )
      .describe("The lines of all workers, oldest first."),
  }),
  call: async (client, { endpointId, workerId, ...query }, { signal }) => {
    const linesOf = async (worker: string) => {
      const open = (quiet: AbortSignal) =>
        client.serverless.workerLogs(endpointId, worker, { ...query, signal: quiet });
      return (await lastLines(open, query.tail, signal)).map((line) => ({ ...line, workerId: worker }));
    };
    if (workerId !== undefined) return { lines: await linesOf(workerId) };
    const { workers } = await client.serverless.workers(endpointId, { signal });
    const logs = (workers ?? []).map(({ id }) => linesOf(id).catch(unlessGone));
    return { lines: (await Promise.all(logs)).flat().sort((a, b) => a.ts.localeCompare(b.ts)) };
  },
});

/** Ignores a 404: a worker may end between the list and the read of its log, which then no longer exists. */
function unlessGone(error: unknown): never[] {
  if (error instanceof NotFoundError) return [];
  throw error;
}

export const getEndpointReleases = defineFunction({
  description:
    "The releases of a serverless endpoint, newest first, and the progress of the newest. Fails if the account has no such endpoint.",
  args: z.strictObject({
    id: id("serverless endpoint"),
    limit: z.int().min(1).max(1000).optional().describe("Most releases, 1 to 1000. Default: 1000."),
    cursor: z
      .string()
      .min(1)
      .optional()
      .describe("`pagination.nextCursor` of the page before. Default: the first page."),
    showSecrets,
  }),
  result: named("EndpointReleases", serverless.EndpointReleases),
  secrets,
  call: (client, { id, limit, cursor }, { signal }) =>
    client.serverless.releases(id, { ...(limit && { limit }), ...(cursor && { cursor }), signal }),
});

export const getEndpointBuilds = defineFunction({
  description:
    "The builds of a serverless endpoint that is built from a repository, newest first. Fails if the account has no such " +
    "endpoint.",
  args: one("serverless endpoint"),
  result: z.object({
    builds: z
      .array(named("BuildInfo", serverless.Build))
      .describe("All builds of the endpoint; empty where it has none."),
  }),
  call: async (client, { id }, { signal }) => ({ builds: await client.serverless.builds(id, { signal }) }),
});

export const getBuildLogs = defineFunction({
  description: "The last lines that a build of a serverless endpoint has printed.",
  args: z.strictObject({
    endpointId: id("serverless endpoint"),
    buildId: id("build of `getEndpointBuilds`"),
    tail: z.int().min(1).max(5000).default(100).describe("Most lines, 1 to 5000."),
  }),
  result: z.object({
    lines: z.array(named("BuildLogLine", LogLine.omit({ source: true }))).describe("The lines, oldest first."),
  }),
  call: async (client, { endpointId, buildId, tail }, { signal }) => {
    // The service does not document a `tail` for a build's log, so all lines are read.
    const all = await lastLines(
      (quiet) => client.serverless.buildLogs(endpointId, buildId, { signal: quiet }),
      Number.POSITIVE_INFINITY,
      signal,
    );
    return { lines: all.slice(-tail).map(({ line, ts }) => ({ line, ts })) };
  },
});

export const getEndpointHealth = defineFunction({
  description: "The jobs in a queue endpoint by status, and its workers by state.",
  args: one("serverless endpoint"),
  result: named("EndpointHealth", queueHealth),
  call: (client, { id }, { signal }) => client.queue(id).health({ signal }),
});

export const getTemplates = defineFunction({
  description: "The account's templates.",
  args: noneShown,
  result: z.object({ templates: z.array(named("TemplateInfo", Template)).describe("All templates of the account.") }),
  secrets,
  call: async (client, _, { signal }) => ({ templates: await client.templates.list({ signal }) }),
});

export const getNetworkVolumes = defineFunction({
  description: "The account's network volumes.",
  args: none,
  result: z.object({
    networkVolumes: z.array(named("NetworkVolumeInfo", NetworkVolume)).describe("All network volumes of the account."),
  }),
  call: async (client, _, { signal }) => ({ networkVolumes: await client.networkVolumes.list({ signal }) }),
});

export const getGlobalVolumes = defineFunction({
  description: "The account's global volumes.",
  args: none,
  result: z.object({
    globalVolumes: z.array(named("GlobalVolumeInfo", GlobalVolume)).describe("All global volumes of the account."),
  }),
  call: async (client, _, { signal }) => ({ globalVolumes: await client.globalVolumes.list({ signal }) }),
});

export const getRegistries = defineFunction({
  description: "The account's registry credentials by name. The service never shows their users and passwords.",
  args: none,
  result: z.object({
    registries: z
      .array(named("RegistryInfo", registries.Registry))
      .describe("All credentials of the account, without their users and passwords."),
  }),
  call: async (client, _, { signal }) => ({ registries: await client.registries.list({ signal }) }),
});

export const getSecrets = defineFunction({
  description: "The account's secrets by name. The service never shows their values.",
  args: none,
  result: z.object({
    secrets: z.array(named("SecretInfo", Secret)).describe("All secrets of the account, without their values."),
  }),
  call: async (client, _, { signal }) => ({ secrets: await client.secrets.list({ signal }) }),
});

export const getDelegations = defineFunction({
  description: "The private ECR repositories that the service may pull from.",
  args: none,
  result: z.object({
    delegations: z.array(named("DelegationInfo", EcrDelegation)).describe("All delegations of the account."),
  }),
  call: async (client, _, { signal }) => ({ delegations: await client.delegations.list({ signal }) }),
});

export const getTags = defineFunction({
  description: "The account's tags, with the resources that have them.",
  args: none,
  result: z.object({ tags: z.array(named("TagInfo", Tag)).describe("All tags of the account.") }),
  call: async (client, _, { signal }) => ({ tags: await client.tags.listInFull({ signal }) }),
});

export const getCostCenters = defineFunction({
  description: "The account's cost centers.",
  args: none,
  result: z.object({
    costCenters: z.array(named("CostCenterInfo", CostCenter)).describe("All cost centers of the account."),
  }),
  call: async (client, _, { signal }) => ({ costCenters: await client.costCenters.list({ signal }) }),
});
