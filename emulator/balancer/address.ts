import type { EndpointRecord } from "../store/records";

/** The path of load balancers at the queue's address. At the service each endpoint has its own host name. */
export const BALANCER_PATH = "/load-balancer";

export const healthPath = ({ env }: Pick<EndpointRecord, "env">): string => env.HEALTH_CHECK_PATH ?? "/ping";

export function balancerUrls(serverlessUrl: string, endpoint: EndpointRecord) {
  const base = `${serverlessUrl}${BALANCER_PATH}/${endpoint.id}`;
  return { base, health: base + healthPath(endpoint) };
}
