/** The prefix of secret and variable names that the service reserves for itself. */
export const RESERVED_PREFIX = "RUNPOD";

/** Public addresses of known clouds, by the name in the configuration and the environment. */
export const presets: Readonly<Record<string, Preset>> = {
  runpod: {
    baseUrl: "https://api.runpod.io",
    serverlessUrl: "https://api.runpod.ai",
    graphqlUrl: "https://api.runpod.io/graphql",
    proxyDomain: "proxy.runpod.net",
  },
};

/** The address of a pod's http port. */
export const podUrlAt = (podId: string, port: number, proxyDomain: string): string =>
  `https://${podId}-${port}.${proxyDomain}`;

interface Preset {
  readonly baseUrl: string;
  readonly serverlessUrl: string;
  readonly graphqlUrl: string;
  /** A pod's http ports answer at `https://<pod>-<port>.<proxyDomain>`. */
  readonly proxyDomain: string;
}

/**
 * The addresses of a load balancer at a known cloud, which gives each a host of its own; undefined at any other address.
 *
 * @param serverlessUrl address of the queues
 */
export function balancerUrlsAt(serverlessUrl: string, endpointId: string) {
  if (!Object.values(presets).some((preset) => preset.serverlessUrl === serverlessUrl)) return undefined;
  const base = serverlessUrl.replace("://", `://${endpointId}.`);
  return { base, health: `${base}/ping` };
}
