import {
  type Client,
  type ConnectOptions,
  connectedClient,
  createClient,
  fromEnvironment,
  SettingsReader,
} from "../../client";

/** A client with the environment's connection unless one is given. */
export function connected(connection: ConnectOptions | undefined): Client {
  return connection === undefined
    ? connectedClient(new SettingsReader(fromEnvironment).connection())
    : createClient(connection);
}
