// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { invoke, invokeOutput, type NoArgs, type OutputArgs } from "../internal/invoke";
import type {
  ClusterInfo,
  EndpointHealth,
  EndpointInfo,
  EndpointReleases,
  EndpointWorkers,
  GetBuildLogsArgs,
  GetBuildLogsResult,
  GetClusterArgs,
  GetClusterPodsArgs,
  GetClusterPodsResult,
  GetClustersResult,
  GetCostCentersResult,
  GetDelegationsResult,
  GetEndpointBuildsArgs,
  GetEndpointBuildsResult,
  GetEndpointHealthArgs,
  GetEndpointReleasesArgs,
  GetEndpointWorkersArgs,
  GetGlobalVolumesResult,
  GetNetworkVolumesResult,
  GetPodArgs,
  GetPodLogsArgs,
  GetPodLogsResult,
  GetPodsArgs,
  GetPodsResult,
  GetRegistriesResult,
  GetSecretsResult,
  GetServerlessEndpointArgs,
  GetServerlessEndpointsArgs,
  GetServerlessEndpointsResult,
  GetTagsResult,
  GetTemplatesArgs,
  GetTemplatesResult,
  GetWorkerLogsArgs,
  GetWorkerLogsResult,
  PodInfo,
} from "./types";

/** The account's pods. Members of clusters are included only with `includeClusterPods`. */
export function getPods(args: GetPodsArgs = {}, options?: InvokeOptions): Promise<GetPodsResult> {
  return invoke("getPods", args, options);
}

/** {@link getPods} as an output. */
export function getPodsOutput(
  args: OutputArgs<GetPodsArgs> = {},
  options?: InvokeOutputOptions,
): Output<GetPodsResult> {
  return invokeOutput("getPods", args, options);
}

/** A pod as it is now. Fails if the account has no such pod. */
export function getPod(args: GetPodArgs, options?: InvokeOptions): Promise<PodInfo> {
  return invoke("getPod", args, options);
}

/** {@link getPod} as an output. */
export function getPodOutput(args: OutputArgs<GetPodArgs>, options?: InvokeOutputOptions): Output<PodInfo> {
  return invokeOutput("getPod", args, options);
}

/** The last lines of a pod's log. Fails if the account has no such pod. */
export function getPodLogs(args: GetPodLogsArgs, options?: InvokeOptions): Promise<GetPodLogsResult> {
  return invoke("getPodLogs", args, options);
}

/** {@link getPodLogs} as an output. */
export function getPodLogsOutput(
  args: OutputArgs<GetPodLogsArgs>,
  options?: InvokeOutputOptions,
): Output<GetPodLogsResult> {
  return invokeOutput("getPodLogs", args, options);
}

/** The account's clusters. */
export function getClusters(args: NoArgs = {}, options?: InvokeOptions): Promise<GetClustersResult> {
  return invoke("getClusters", args, options);
}

/** {@link getClusters} as an output. */
export function getClustersOutput(args: NoArgs = {}, options?: InvokeOutputOptions): Output<GetClustersResult> {
  return invokeOutput("getClusters", args, options);
}

/** A cluster as it is now, with its pods counted by status. Fails if the account has no such cluster. */
export function getCluster(args: GetClusterArgs, options?: InvokeOptions): Promise<ClusterInfo> {
  return invoke("getCluster", args, options);
}

/** {@link getCluster} as an output. */
export function getClusterOutput(args: OutputArgs<GetClusterArgs>, options?: InvokeOutputOptions): Output<ClusterInfo> {
  return invokeOutput("getCluster", args, options);
}

/** The pods of a cluster. Fails if the account has no such cluster. */
export function getClusterPods(args: GetClusterPodsArgs, options?: InvokeOptions): Promise<GetClusterPodsResult> {
  return invoke("getClusterPods", args, options);
}

/** {@link getClusterPods} as an output. */
export function getClusterPodsOutput(
  args: OutputArgs<GetClusterPodsArgs>,
  options?: InvokeOutputOptions,
): Output<GetClusterPodsResult> {
  return invokeOutput("getClusterPods", args, options);
}

/** The account's serverless endpoints. */
export function getServerlessEndpoints(
  args: GetServerlessEndpointsArgs = {},
  options?: InvokeOptions,
): Promise<GetServerlessEndpointsResult> {
  return invoke("getServerlessEndpoints", args, options);
}

/** {@link getServerlessEndpoints} as an output. */
export function getServerlessEndpointsOutput(
  args: OutputArgs<GetServerlessEndpointsArgs> = {},
  options?: InvokeOutputOptions,
): Output<GetServerlessEndpointsResult> {
  return invokeOutput("getServerlessEndpoints", args, options);
}

/** A serverless endpoint as it is now. Fails if the account has no such endpoint. */
export function getServerlessEndpoint(args: GetServerlessEndpointArgs, options?: InvokeOptions): Promise<EndpointInfo> {
  return invoke("getServerlessEndpoint", args, options);
}

/** {@link getServerlessEndpoint} as an output. */
export function getServerlessEndpointOutput(
  args: OutputArgs<GetServerlessEndpointArgs>,
  options?: InvokeOutputOptions,
): Output<EndpointInfo> {
  return invokeOutput("getServerlessEndpoint", args, options);
}

/**
 * The active workers of a serverless endpoint, and their number by status. Fails if the account has no such endpoint.
 */
export function getEndpointWorkers(args: GetEndpointWorkersArgs, options?: InvokeOptions): Promise<EndpointWorkers> {
  return invoke("getEndpointWorkers", args, options);
}

/** {@link getEndpointWorkers} as an output. */
export function getEndpointWorkersOutput(
  args: OutputArgs<GetEndpointWorkersArgs>,
  options?: InvokeOutputOptions,
): Output<EndpointWorkers> {
  return invokeOutput("getEndpointWorkers", args, options);
}

/**
 * The last lines of the logs of a serverless endpoint's workers, ordered by time. Fails if the account has no such
 * endpoint.
 */
export function getWorkerLogs(args: GetWorkerLogsArgs, options?: InvokeOptions): Promise<GetWorkerLogsResult> {
  return invoke("getWorkerLogs", args, options);
}

/** {@link getWorkerLogs} as an output. */
export function getWorkerLogsOutput(
  args: OutputArgs<GetWorkerLogsArgs>,
  options?: InvokeOutputOptions,
): Output<GetWorkerLogsResult> {
  return invokeOutput("getWorkerLogs", args, options);
}

/**
 * The releases of a serverless endpoint, newest first, and the progress of the newest. Fails if the account has no such
 * endpoint.
 */
export function getEndpointReleases(args: GetEndpointReleasesArgs, options?: InvokeOptions): Promise<EndpointReleases> {
  return invoke("getEndpointReleases", args, options);
}

/** {@link getEndpointReleases} as an output. */
export function getEndpointReleasesOutput(
  args: OutputArgs<GetEndpointReleasesArgs>,
  options?: InvokeOutputOptions,
): Output<EndpointReleases> {
  return invokeOutput("getEndpointReleases", args, options);
}

/**
 * The builds of a serverless endpoint that is built from a repository, newest first. Fails if the account has no such
 * endpoint.
 */
export function getEndpointBuilds(
  args: GetEndpointBuildsArgs,
  options?: InvokeOptions,
): Promise<GetEndpointBuildsResult> {
  return invoke("getEndpointBuilds", args, options);
}

/** {@link getEndpointBuilds} as an output. */
export function getEndpointBuildsOutput(
  args: OutputArgs<GetEndpointBuildsArgs>,
  options?: InvokeOutputOptions,
): Output<GetEndpointBuildsResult> {
  return invokeOutput("getEndpointBuilds", args, options);
}

/** The last lines that a build of a serverless endpoint has printed. */
export function getBuildLogs(args: GetBuildLogsArgs, options?: InvokeOptions): Promise<GetBuildLogsResult> {
  return invoke("getBuildLogs", args, options);
}

/** {@link getBuildLogs} as an output. */
export function getBuildLogsOutput(
  args: OutputArgs<GetBuildLogsArgs>,
  options?: InvokeOutputOptions,
): Output<GetBuildLogsResult> {
  return invokeOutput("getBuildLogs", args, options);
}

/** The jobs in a queue endpoint by status, and its workers by state. */
export function getEndpointHealth(args: GetEndpointHealthArgs, options?: InvokeOptions): Promise<EndpointHealth> {
  return invoke("getEndpointHealth", args, options);
}

/** {@link getEndpointHealth} as an output. */
export function getEndpointHealthOutput(
  args: OutputArgs<GetEndpointHealthArgs>,
  options?: InvokeOutputOptions,
): Output<EndpointHealth> {
  return invokeOutput("getEndpointHealth", args, options);
}

/** The account's templates. */
export function getTemplates(args: GetTemplatesArgs = {}, options?: InvokeOptions): Promise<GetTemplatesResult> {
  return invoke("getTemplates", args, options);
}

/** {@link getTemplates} as an output. */
export function getTemplatesOutput(
  args: OutputArgs<GetTemplatesArgs> = {},
  options?: InvokeOutputOptions,
): Output<GetTemplatesResult> {
  return invokeOutput("getTemplates", args, options);
}

/** The account's network volumes. */
export function getNetworkVolumes(args: NoArgs = {}, options?: InvokeOptions): Promise<GetNetworkVolumesResult> {
  return invoke("getNetworkVolumes", args, options);
}

/** {@link getNetworkVolumes} as an output. */
export function getNetworkVolumesOutput(
  args: NoArgs = {},
  options?: InvokeOutputOptions,
): Output<GetNetworkVolumesResult> {
  return invokeOutput("getNetworkVolumes", args, options);
}

/** The account's global volumes. */
export function getGlobalVolumes(args: NoArgs = {}, options?: InvokeOptions): Promise<GetGlobalVolumesResult> {
  return invoke("getGlobalVolumes", args, options);
}

/** {@link getGlobalVolumes} as an output. */
export function getGlobalVolumesOutput(
  args: NoArgs = {},
  options?: InvokeOutputOptions,
): Output<GetGlobalVolumesResult> {
  return invokeOutput("getGlobalVolumes", args, options);
}

/** The account's registry credentials by name. The service never shows their users and passwords. */
export function getRegistries(args: NoArgs = {}, options?: InvokeOptions): Promise<GetRegistriesResult> {
  return invoke("getRegistries", args, options);
}

/** {@link getRegistries} as an output. */
export function getRegistriesOutput(args: NoArgs = {}, options?: InvokeOutputOptions): Output<GetRegistriesResult> {
  return invokeOutput("getRegistries", args, options);
}

/** The account's secrets by name. The service never shows their values. */
export function getSecrets(args: NoArgs = {}, options?: InvokeOptions): Promise<GetSecretsResult> {
  return invoke("getSecrets", args, options);
}

/** {@link getSecrets} as an output. */
export function getSecretsOutput(args: NoArgs = {}, options?: InvokeOutputOptions): Output<GetSecretsResult> {
  return invokeOutput("getSecrets", args, options);
}

/** The private ECR repositories that the service may pull from. */
export function getDelegations(args: NoArgs = {}, options?: InvokeOptions): Promise<GetDelegationsResult> {
  return invoke("getDelegations", args, options);
}

/** {@link getDelegations} as an output. */
export function getDelegationsOutput(args: NoArgs = {}, options?: InvokeOutputOptions): Output<GetDelegationsResult> {
  return invokeOutput("getDelegations", args, options);
}

/** The account's tags, with the resources that have them. */
export function getTags(args: NoArgs = {}, options?: InvokeOptions): Promise<GetTagsResult> {
  return invoke("getTags", args, options);
}

/** {@link getTags} as an output. */
export function getTagsOutput(args: NoArgs = {}, options?: InvokeOutputOptions): Output<GetTagsResult> {
  return invokeOutput("getTags", args, options);
}

/** The account's cost centers. */
export function getCostCenters(args: NoArgs = {}, options?: InvokeOptions): Promise<GetCostCentersResult> {
  return invoke("getCostCenters", args, options);
}

/** {@link getCostCenters} as an output. */
export function getCostCentersOutput(args: NoArgs = {}, options?: InvokeOutputOptions): Output<GetCostCentersResult> {
  return invokeOutput("getCostCenters", args, options);
}
