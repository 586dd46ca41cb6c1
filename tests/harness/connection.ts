import { type Connection, fromEnvironment, SettingsReader } from "../../provider/client/settings";
import type { EmulatorAddresses } from "./environment";

/** How the service at these addresses is reached; that of the environment where none are given. */
export function connectionTo(addresses?: EmulatorAddresses): Connection {
  if (addresses === undefined) return new SettingsReader(fromEnvironment).connection();
  const { apiKey, baseUrl, serverlessUrl, graphqlUrl } = addresses;
  const environment = {
    COMPUTECLOUD_API_KEY: apiKey,
    COMPUTECLOUD_BASE_URL: baseUrl,
    COMPUTECLOUD_SERVERLESS_URL: serverlessUrl,
    COMPUTECLOUD_GRAPHQL_URL: graphqlUrl,
  };
  return new SettingsReader(fromEnvironment, environment).connection();
}
