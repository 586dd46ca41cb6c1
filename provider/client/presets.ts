/** Begins the names that the service keeps to itself, of secrets and of variables. */
export const RESERVED_PREFIX = "RUNPOD";

/** Public addresses of known clouds, by the name that configuration and environment use. */
export const presets: Readonly<Record<string, Preset>> = {
  runpod: {
    baseUrl: "https://api.runpod.io",
    serverlessUrl: "https://api.runpod.ai",
    graphqlUrl: "https://api.runpod.io/graphql",
    proxyDomain: "proxy.runpod.net",
  },
};

interface Preset {
  readonly baseUrl: string;
  readonly serverlessUrl: string;
  readonly graphqlUrl: string;
  /** A pod's http ports answer at `https://<pod>-<port>.<proxyDomain>`. */
  readonly proxyDomain: string;
}
