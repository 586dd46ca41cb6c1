import { jobCounts } from "../queue/jobs";
import type { Service } from "../service";
import type { EndpointRecord } from "../store/records";

/** An endpoint's jobs by status. Open requests to a load balancer count as jobs that wait or run. */
export function loadOf(service: Service, endpoint: EndpointRecord) {
  const counts = jobCounts(service, endpoint);
  const requests = service.traffic.to(endpoint.id);
  const waiting = requests.filter(({ workerId }) => workerId === undefined).length;
  const { inQueue, inProgress } = counts;
  return { ...counts, inQueue: inQueue + waiting, inProgress: inProgress + requests.length - waiting };
}
