/** Public addresses of known clouds, by the name that configuration and environment use. */
export const presets: Readonly<
  Record<string, { readonly baseUrl: string; readonly serverlessUrl: string; readonly graphqlUrl: string }>
> = {
  runpod: {
    baseUrl: "https://api.runpod.io",
    serverlessUrl: "https://api.runpod.ai",
    graphqlUrl: "https://api.runpod.io/graphql",
  },
};
