import type { Operation } from "../calls/operation";
import type { Rest } from "./rest";

interface Noun<Calls extends object> {
  /** Its REST operations, as data. */
  readonly operations: Readonly<Record<string, Operation>>;
  calls(rest: Rest): Calls;
}

/** The nouns whose operations the contract has. The code of each is loaded on first use. */
const load = {
  billing: () => require("./billing") as typeof import("./billing"),
  catalog: () => require("./catalog") as typeof import("./catalog"),
  clusters: () => require("./clusters") as typeof import("./clusters"),
  costCenters: () => require("./costCenters") as typeof import("./costCenters"),
  delegations: () => require("./delegations") as typeof import("./delegations"),
  globalVolumes: () => require("./globalVolumes") as typeof import("./globalVolumes"),
  networkVolumes: () => require("./networkVolumes") as typeof import("./networkVolumes"),
  pods: () => require("./pods") as typeof import("./pods"),
  registries: () => require("./registries") as typeof import("./registries"),
  secrets: () => require("./secrets") as typeof import("./secrets"),
  serverless: () => require("./serverless") as typeof import("./serverless"),
  sshKeys: () => require("./sshKeys") as typeof import("./sshKeys"),
  tags: () => require("./tags") as typeof import("./tags"),
  templates: () => require("./templates") as typeof import("./templates"),
} satisfies Readonly<Record<string, () => Noun<object>>>;

/** The calls of each noun. */
export type NounCalls = { [Name in keyof typeof load]: ReturnType<ReturnType<(typeof load)[Name]>["calls"]> };

const nouns: { [Name in keyof NounCalls]: () => Noun<NounCalls[Name]> } = load;

export const callsOf = <Name extends keyof NounCalls>(name: Name, rest: Rest): NounCalls[Name] =>
  nouns[name]().calls(rest);

/** Every REST operation of the contract that the client can call. */
export const operations = (): readonly Operation[] =>
  Object.values(nouns).flatMap((noun) => Object.values<Operation>(noun().operations));
