import type { FunctionDefinition } from "./definition";

type Area = Readonly<Record<string, FunctionDefinition>>;

/** The functions by area. An area's module is loaded with the first call of one of its functions. */
const AREAS: readonly { readonly area: string; readonly names: readonly string[]; readonly load: () => Area }[] = [
  area(
    "catalog",
    ["getGpuTypes", "getGpuType", "getCpuTypes", "getCpuType", "getDataCenters", "getDataCenter", "getPublicTemplates"],
    () => require("./catalog") as typeof import("./catalog"),
  ),
  area(
    "billing",
    [
      "getBilling",
      "getPodBilling",
      "getServerlessBilling",
      "getEndpointBilling",
      "getNetworkVolumeBilling",
      "getClusterBilling",
    ],
    () => require("./billing") as typeof import("./billing"),
  ),
  area(
    "account",
    ["getAccount", "getAccountLimits", "getBalance", "getSshKeys", "getServerlessDiscount"],
    () => require("./account") as typeof import("./account"),
  ),
  area(
    "fleet",
    [
      "getPods",
      "getPod",
      "getPodLogs",
      "getClusters",
      "getCluster",
      "getClusterPods",
      "getServerlessEndpoints",
      "getServerlessEndpoint",
      "getEndpointWorkers",
      "getWorkerLogs",
      "getEndpointReleases",
      "getEndpointBuilds",
      "getBuildLogs",
      "getEndpointHealth",
      "getTemplates",
      "getNetworkVolumes",
      "getGlobalVolumes",
      "getRegistries",
      "getSecrets",
      "getDelegations",
      "getTags",
      "getCostCenters",
    ],
    () => require("./fleet") as typeof import("./fleet"),
  ),
  area("pickGpu", ["pickGpu"], () => require("./pickGpu") as typeof import("./pickGpu")),
  area("estimateCost", ["estimateCost"], () => require("./estimateCost") as typeof import("./estimateCost")),
];

/** Makes the compiler check that the module exports these names. */
function area<Module extends Area>(area: string, names: readonly (keyof Module & string)[], load: () => Module) {
  return { area, names, load };
}

/** The functions of each module. */
export const functionAreas: readonly { readonly area: string; readonly names: readonly string[] }[] = AREAS;

/** All functions, in the order of the documentation. */
export const functionNames: readonly string[] = AREAS.flatMap(({ names }) => names);

const ABOUT_CATALOG: readonly string[] = ["catalog", "pickGpu", "estimateCost"];

/** Whether a function reads only the catalog, which a program's resources never change. */
export function isAboutCatalog(name: string): boolean {
  return AREAS.some(({ area, names }) => ABOUT_CATALOG.includes(area) && names.includes(name));
}

export function findFunction(name: string): FunctionDefinition | undefined {
  return AREAS.find(({ names }) => names.includes(name))?.load()[name];
}
