import { type Client, checkAddress, type Endpoint, UsageError } from "../../client";
import { podUrlAt } from "../../common/presets";
import { exchange, type HttpRequest, type Server } from "./exchange";

/** What a request goes to. */
export type Address =
  | { readonly endpointId: string }
  | { readonly podId: string; readonly port?: number | undefined }
  | { readonly url: string };

/** What a request goes to, with its address. */
export interface Target extends Server {
  readonly podId?: string | undefined;
  readonly port?: number | undefined;
  /** Where a request without a path goes. */
  readonly root: string;
  /** Where OpenAI's routes are unless a path says so. */
  readonly openAiPath: string;
  /** A read that is answered once a server is there; undefined where only the request itself shows that. */
  readonly probe: HttpRequest | undefined;
}

/**
 * Finds where a request goes.
 *
 * @param proxyDomain domain or address of the proxy for a pod's http ports
 * @throws UsageError for a pod whose port or proxy is not known; what the reads of the endpoint and the pod throw
 */
export async function targetOf(
  client: Client,
  address: Address,
  proxyDomain: string | undefined,
  signal: AbortSignal,
): Promise<Target> {
  if ("endpointId" in address) {
    const endpoint = await client.serverless.get(address.endpointId, { signal });
    return endpointTarget(endpoint);
  }
  if ("url" in address) {
    const { origin, pathname } = new URL(address.url);
    const path = pathname.replace(/\/$/, "");
    return {
      kind: "url",
      name: origin,
      root: address.url,
      base: origin + path,
      openAiPath: path === "" ? "/v1" : "",
      probe: undefined,
    };
  }
  const { podId } = address;
  const port = address.port ?? onlyHttpPort(podId, (await client.pods.get(podId, { signal })).ports);
  if (proxyDomain === undefined) throw new UsageError(NO_PROXY);
  const base = podUrlAt(podId, port, proxyDomain);
  if (base === undefined)
    throw new UsageError(
      `podId ${JSON.stringify(podId)} cannot be part of an address. Pass the id as the service shows it.`,
    );
  return {
    kind: "pod",
    name: `port ${port} of pod ${podId}`,
    podId,
    port,
    root: `${base}/`,
    base,
    openAiPath: "/v1",
    probe: read(`${base}/`),
  };
}

const NO_PROXY =
  "The domain of the proxy for pods is not known. Set proxyDomain in the configuration, or COMPUTECLOUD_PROXY_DOMAIN.";

/** @throws UsageError where the service shows no address, or one that is not https */
function endpointTarget({ id, requestUrls }: Endpoint): Target {
  const { base: baseUrl, health, run }: { [Key in "base" | "health" | "run"]?: string | undefined } = requestUrls ?? {};
  const named = { name: `endpoint ${id}`, endpointId: id };
  if (baseUrl !== undefined && health !== undefined) {
    const base = checkAddress("requestUrls.base", baseUrl);
    const probe = read(checkAddress("requestUrls.health", health));
    return { ...named, kind: "loadBalancer", root: `${base}/`, base, openAiPath: "/v1", probe };
  }
  if (run === undefined) throw new UsageError(`Endpoint ${id}: the service shows no address of it. Try again later.`);
  const base = checkAddress("requestUrls.run", run).replace(/\/run$/, "");
  const probe = read(`${base}/openai/v1/models`);
  return { ...named, kind: "queue", root: `${base}/`, base, openAiPath: "/openai/v1", probe };
}

/** Whether a load balancer answers its health check with 200. */
export async function isHealthy(client: Client, endpoint: Endpoint, signal: AbortSignal): Promise<boolean> {
  try {
    const target = endpointTarget(endpoint);
    return target.probe !== undefined && (await exchange(client, target, target.probe, { signal })).status === 200;
  } catch {
    return false;
  }
}

const read = (url: string): HttpRequest => ({ method: "GET", url, headers: {} });

function onlyHttpPort(podId: string, ports: readonly string[] = []): number {
  const http = ports.filter((port) => port.endsWith("/http")).map((port) => Number.parseInt(port, 10));
  const [port] = http;
  if (http.length === 1 && port !== undefined) return port;
  const problem =
    http.length === 0 ? "exposes no http port: add one to its ports" : `exposes ${http.join(", ")}: set port`;
  throw new UsageError(`Pod ${podId} ${problem}, such as 8000.`);
}
