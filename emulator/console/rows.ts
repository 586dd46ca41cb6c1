import { sumOf } from "../billing/charges";
import { jobCounts } from "../queue/jobs";
import type { Service } from "../service";
import type * as records from "../store/records";
import { workerGauge } from "../workers/gauge";
import { historyOf } from "./history";
import type { Kind, Row } from "./page/protocol";

/** As many as a plot of a word's size can show. */
const MOST_SAMPLES = 60;

type Summary = Partial<Pick<Row, "name" | "state" | "facts" | "load">>;

/** By kind: its collection has only records of that kind. */
const SUMMARIES: Readonly<Record<Kind, (record: never, service: Service) => Summary>> = {
  endpoints: (endpoint: records.EndpointRecord, service) => {
    const { inQueue, inProgress, failed } = loadOf(service, endpoint);
    const { idle, running, initializing, throttled, unhealthy } = workerGauge(service, endpoint.id);
    return {
      name: endpoint.name,
      state: endpointState({ inProgress, inQueue, throttled, unhealthy, workers: idle + running }),
      facts: [endpoint.image, `v${endpoint.version}`],
      load: {
        workers: { running, idle, starting: initializing, throttled, unhealthy },
        most: endpoint.workers.max,
        queued: inQueue,
        inProgress,
        failed,
        history: historyOf(service, endpoint.id, MOST_SAMPLES),
      },
    };
  },
  pods: ({ name, status, image, gpu, cpu, dataCenterId }: records.PodRecord) => ({
    name,
    state: status,
    facts: [image, gpu === null ? `${cpu?.vcpuCount ?? 0} vCPU` : `${gpu.count} × ${gpu.id}`, dataCenterId],
  }),
  clusters: ({ name, type, compute, dataCenterId }: records.ClusterRecord) => ({
    name,
    state: type,
    facts: [`${compute.podCount} pods of ${compute.gpuCountPerPod} × ${compute.gpuTypeId}`, dataCenterId],
  }),
  templates: ({ name, image, serverless, owned }: records.TemplateRecord) => ({
    name,
    facts: [image, serverless ? "serverless" : "pods", ...(owned ? [] : ["public"])],
  }),
  networkVolumes: ({ name, size, dataCenter, type }: records.NetworkVolumeRecord) => ({
    name,
    facts: [`${size} GB`, dataCenter, type],
  }),
  globalVolumes: ({ name }: records.GlobalVolumeRecord) => ({ name }),
  registries: ({ name, username }: records.RegistryRecord) => ({ name, facts: [username] }),
  delegations: ({ name, ...its }: records.DelegationRecord) => ({
    name: name ?? "",
    facts: [its.dockerRegistryUri, its.tag],
  }),
  secrets: ({ name, description }: records.SecretRecord) => ({
    name,
    facts: description === null ? [] : [description],
  }),
  sshKeys: ({ key }: records.SshKeyRecord) => ({ name: key.split(" ").at(2) ?? "", facts: [key.split(" ")[0] ?? ""] }),
};

const KINDS = Object.keys(SUMMARIES) as Kind[];

export const isKind = (name: string): name is Kind => Object.hasOwn(SUMMARIES, name);

export function rowOf(service: Service, kind: Kind, id: string): Row | undefined {
  const record = service.store.collections[kind]?.get(id);
  if (record === undefined) return undefined;
  const { name = "", state = "", facts = [], ...more } = SUMMARIES[kind](record as never, service);
  return { kind, id, name, state, facts, hourly: hourlyCostOf(service, kind, id), ...more };
}

export function* allRows(service: Service): Generator<Row> {
  for (const kind of KINDS)
    for (const { id } of service.store.collections[kind]?.values() ?? []) {
      const row = rowOf(service, kind, id);
      if (row !== undefined) yield row;
    }
}

/** An endpoint's jobs by status. Open requests to a load balancer count as jobs that wait or run. */
export function loadOf(service: Service, endpoint: records.EndpointRecord) {
  const counts = jobCounts(service, endpoint);
  const requests = service.traffic.to(endpoint.id);
  const waiting = requests.filter(({ workerId }) => workerId === undefined).length;
  const { inQueue, inProgress } = counts;
  return { ...counts, inQueue: inQueue + waiting, inProgress: inProgress + requests.length - waiting };
}

/** USD per hour of a resource's usage. An endpoint's usage is that of its workers. */
function hourlyCostOf({ store }: Service, kind: Kind, id: string): number {
  const units = kind === "endpoints" ? store.workers.by("endpoint", id).map((worker) => worker.id) : [id];
  return units.flatMap((unit) => store.usage.by("underWay", unit)).reduce((sum, { rates }) => sum + sumOf(rates), 0);
}

type Counts = Readonly<Record<"inProgress" | "inQueue" | "workers" | "throttled" | "unhealthy", number>>;

function endpointState({ inProgress, inQueue, workers, throttled, unhealthy }: Counts): string {
  if (inProgress > 0) return "WORKING";
  if (inQueue > 0) return throttled + unhealthy > 0 && workers === 0 ? "STUCK" : "WAITING";
  if (workers > 0) return "READY";
  return unhealthy > 0 ? "UNHEALTHY" : throttled > 0 ? "THROTTLED" : "RESTING";
}
