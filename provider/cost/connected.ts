import { type ConnectOptions, createClient } from "../client";
import { Client } from "../client/client";
import { fromEnvironment, SettingsReader } from "../client/settings";

/** A client with the environment's connection unless one is given. */
export function connected(connection: ConnectOptions | undefined): Client {
  return connection === undefined
    ? new Client(new SettingsReader(fromEnvironment).connection())
    : createClient(connection);
}
