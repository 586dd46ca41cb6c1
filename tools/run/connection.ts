import { type Connection, fromEnvironment, SettingsReader } from "../../client";
import { addressVariables, type EmulatorAddresses } from "./environment";

/** How the service at these addresses is reached; that of the environment where none are given. */
export function connectionTo(addresses?: EmulatorAddresses): Connection {
  if (addresses === undefined) return new SettingsReader(fromEnvironment).connection();
  return new SettingsReader(fromEnvironment, addressVariables(addresses)).connection();
}
