/**
 * Where the emulator knowingly does what the contract does not describe.
 * `status`: the answer's status is not in the operation's table, only covered by its `default`. `answer`: the body or its headers
 * differ.
 */
export interface Deviation {
  readonly name: string;
  readonly kind: "status" | "answer";
  readonly operations: readonly string[];
  readonly statuses: readonly number[];
  readonly reason: string;
}

const CATALOG = ["listGpuTypes", "getGpuType", "listCpuTypes", "getCpuType"];
const BILLING = [
  "listBilling",
  "listPodBilling",
  "listServerlessBilling",
  "listEndpointBilling",
  "listNetworkVolumeBilling",
  "listClusterBilling",
];

export const DEVIATIONS: readonly Deviation[] = [
  {
    name: "insufficient balance",
    kind: "status",
    operations: ["createPod", "createCluster"],
    statuses: [402],
    reason: "The contract's prose and the vendor's documentation have it; its response tables do not.",
  },
  {
    name: "a pod that is too large",
    kind: "status",
    operations: ["createPod"],
    statuses: [413],
    reason: "The service has refused more than 102,400 bytes since the contract was written.",
  },
  {
    name: "no quota for what is too large",
    kind: "answer",
    operations: ["createPod"],
    statuses: [413],
    reason: "It is refused before the key is looked at, so that it counts in nobody's quota.",
  },
  {
    name: "a template that clusters can't take",
    kind: "status",
    operations: ["createCluster"],
    statuses: [404],
    reason: "Clusters have taken a template since the contract was written; an unknown one is answered as for pods.",
  },
  {
    name: "volume in use",
    kind: "status",
    operations: ["deleteNetworkVolume"],
    statuses: [400],
    reason: "The service refuses to delete a volume that a pod, even a stopped one, or a serverless worker uses.",
  },
  {
    name: "query parameters that break their schema",
    kind: "status",
    operations: [
      "listPods",
      "getPodLogs",
      "getWorkerLogs",
      ...CATALOG,
      "listDataCenters",
      "getDataCenter",
      "listPublicTemplates",
      ...BILLING,
    ],
    statuses: [422],
    reason: "Every schema violation is a 422; the tables of operations without a body leave it to `default`.",
  },
  {
    name: "availability asked for in part",
    kind: "status",
    operations: CATALOG,
    statuses: [400],
    reason: "The parameters' own descriptions say 400 for include without product, and the other way round.",
  },
  {
    name: "lastN together with a range",
    kind: "status",
    operations: BILLING,
    statuses: [400],
    reason: "The parameter's description calls them mutually exclusive without a status; cross-field rules are 400.",
  },
  {
    name: "no quota without a key",
    kind: "answer",
    operations: ["listDelegations", "createDelegation", "revokeDelegation"],
    statuses: [401],
    reason: "The beta's `default` answer has rate-limit headers; a call without a valid key counts in nobody's quota.",
  },
  {
    name: "keys and schemas of delegations",
    kind: "status",
    operations: ["listDelegations", "createDelegation", "revokeDelegation"],
    statuses: [400, 401, 403, 422],
    reason:
      "The beta's tables are short; the service checks keys and bodies there as everywhere, and the pull permission.",
  },
];

/** The entry of the table that explains this difference. */
export const deviationFor = (kind: Deviation["kind"], operationId: string, status: number): Deviation | undefined =>
  DEVIATIONS.find(
    (each) => each.kind === kind && each.statuses.includes(status) && each.operations.includes(operationId),
  );

/**
 * The contract gives addresses of jobs the format `uri`, and the service, like the contract's own examples, puts a
 * literal `{job_id}` into them, which no URI may hold.
 */
export const uriTemplate = (text: string): boolean => URL.canParse(text.replaceAll("{job_id}", "job"));
