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

/** Whether an address is an emulator's, on this machine: only there is none asked for TLS. */
export const isEmulatorAt = (address: string): boolean => /^http:/i.test(address);

/** The proxy of pods at an emulator, which has no host names to give. */
export const emulatorProxy = (serverlessUrl: string): string => `${serverlessUrl}/pod-proxy`;

/**
 * The address of a pod's http port; undefined for an id that can't be part of a host's name.
 *
 * @param proxy the domain of the proxy, or the address of an emulator's
 */
export function podUrlAt(podId: string, port: number, proxy: string): string | undefined {
  const name = `${podId}-${port}`;
  if (!proxy.includes("/")) return addressIn(proxy, name);
  return LABEL.test(name) ? `${proxy}/${name}` : undefined;
}

/** One label of a name in DNS. */
const LABEL = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;

/** The address of a host in a domain; undefined for a name that is no label of it, and could lead to another domain. */
function addressIn(domain: string, name: string): string | undefined {
  // mutant key-to-any-host: false
  if (!LABEL.test(name)) return undefined;
  const address = `https://${name}.${domain}`;
  const isIn = URL.canParse(address) && new URL(address).host === `${name}.${domain}`.toLowerCase();
  return isIn ? address : undefined;
}

/**
 * Whether an address is on the host of the queues, the configured ones or a known cloud's, or on one below it, where load balancers
 * are. An emulator's may be on any port of this machine.
 */
export function isOfService(address: string, serverlessUrl: string): boolean {
  if (isEmulatorAt(address)) return isEmulatorAt(serverlessUrl);
  const { host } = new URL(address);
  const domains = [{ serverlessUrl }, ...Object.values(presets)].map((each) => new URL(each.serverlessUrl).host);
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

interface Preset {
  readonly baseUrl: string;
  readonly serverlessUrl: string;
  readonly graphqlUrl: string;
  /** A pod's http ports answer at `https://<pod>-<port>.<proxyDomain>`. */
  readonly proxyDomain: string;
}

/**
 * The addresses of a load balancer at a known cloud, which gives each a host of its own; undefined at any other address, and
 * for an id that can't be part of a host's name.
 *
 * @param serverlessUrl address of the queues
 */
export function balancerUrlsAt(serverlessUrl: string, endpointId: string) {
  if (!Object.values(presets).some((preset) => preset.serverlessUrl === serverlessUrl)) return undefined;
  const base = addressIn(new URL(serverlessUrl).host, endpointId);
  return base === undefined ? undefined : { base, health: `${base}/ping` };
}
