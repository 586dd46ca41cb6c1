import type { FaultInput, SettingsInput } from "../../emulator";
import { type Addresses, type Answer, type Calls, callsTo } from "./calls";

/** A record of the emulator's state, by its fields. */
export type StateRecord = Record<string, unknown> & { id: string; name?: string };

export interface LoggedCall {
  interface: "rest" | "graphql" | "queue" | "endpoint" | "pod";
  method: string;
  path: string;
  operation: string;
  status: number;
}

/** The collections of what a stack could have made. */
const STACK_COLLECTIONS = [
  "pods",
  "clusters",
  "endpoints",
  "templates",
  "networkVolumes",
  "globalVolumes",
  "tags",
  "registries",
  "secrets",
  "delegations",
  "sshKeys",
] as const;

/** Cost centers stay where the service does not delete them. */
export type EmulatorState = Record<(typeof STACK_COLLECTIONS)[number] | "costCenters", StateRecord[]>;

/** The emulator's control address, in the words of tests. */
export class Control {
  readonly #calls: Calls;
  #movedMs = 0;

  constructor(addresses: Addresses) {
    this.#calls = callsTo(addresses);
  }

  /** How far the emulator's clock has been moved from here, ms. */
  get movedMs(): number {
    return this.#movedMs;
  }

  /** The calls since the last `forgetCalls`, by operation, such as `createTemplate` or `saveEndpoint`. */
  async calls(): Promise<string[]> {
    return (await this.log()).map(({ operation }) => operation);
  }

  async log(): Promise<LoggedCall[]> {
    const { requests } = (await this.control("GET", "/requests")) as { requests: LoggedCall[] };
    return requests;
  }

  /** How often an operation was called. */
  async count(operation: string): Promise<number> {
    return (await this.calls()).filter((call) => call === operation).length;
  }

  /** The calls that may change something; `myself` asks whether GraphQL takes the key. */
  async writes(): Promise<string[]> {
    const calls = (await this.log()).filter(({ method, operation }) => method !== "GET" && operation !== "myself");
    return calls.map(({ operation }) => operation);
  }

  async forgetCalls(): Promise<void> {
    await this.control("DELETE", "/requests");
  }

  async state(): Promise<EmulatorState> {
    return (await this.control("GET", "/state")) as EmulatorState;
  }

  /** Puts a whole state in place. */
  async setState(state: Partial<EmulatorState> | Readonly<Record<string, unknown[]>>): Promise<void> {
    await this.control("PUT", "/state", state);
  }

  /** Whether nothing is left that a stack could have made. */
  async isEmpty(): Promise<boolean> {
    const state = await this.state();
    return STACK_COLLECTIONS.every((collection) => state[collection].length === 0);
  }

  async fault(fault: FaultInput): Promise<void> {
    await this.control("POST", "/faults", fault);
  }

  async clearFaults(): Promise<void> {
    await this.control("DELETE", "/faults");
  }

  async settings(settings: Partial<SettingsInput>): Promise<void> {
    await this.control("PUT", "/settings", settings);
  }

  /** Moves the emulator's clock. */
  async advance(advanceMs: number): Promise<void> {
    await this.control("POST", "/clock", { advanceMs });
    this.#movedMs += advanceMs;
  }

  /** Makes the emulator's clock run so many times faster. */
  async speedUp(speed: number): Promise<void> {
    await this.control("POST", "/clock", { speed });
  }

  /** What somebody does in the service's console meanwhile, over REST. */
  async rest(method: string, path: string, body?: unknown): Promise<unknown> {
    return done(`${method} ${path}`, await this.#calls.rest(method, path, body));
  }

  /** What somebody deletes there when it is so old that the service would show it: a refresh believes that it is gone. */
  async removed(path: string): Promise<void> {
    await this.advance(100_000);
    await this.rest("DELETE", path);
  }

  /** Makes something over REST. @returns its id */
  async create(path: string, body: unknown): Promise<string> {
    const { id } = (await this.rest("POST", path, body)) as { id: string };
    return id;
  }

  /** What somebody does in the service's console meanwhile, over GraphQL. */
  async graphql(query: string, variables?: unknown): Promise<unknown> {
    return done("GraphQL", await this.#calls.graphql(query, variables));
  }

  /** Makes or changes an endpoint over GraphQL. @returns its id */
  async saveEndpoint(input: unknown): Promise<string> {
    const mutation = "mutation($input: EndpointInput!) { saveEndpoint(input: $input) { id } }";
    const { data } = (await this.graphql(mutation, { input })) as { data: { saveEndpoint: { id: string } } };
    return data.saveEndpoint.id;
  }

  /** What a customer asks of a queue, such as `<endpoint>/run`. */
  async queue(method: string, path: string, body?: unknown): Promise<unknown> {
    return done(`${method} ${path}`, await this.#calls.queue(method, path, body));
  }

  private async control(method: string, path: string, body?: unknown): Promise<unknown> {
    return done(`${method} ${path}`, await this.#calls.control(method, path, body));
  }
}

/** The content of an answer that must be successful. */
function done(call: string, { status, body }: Answer): unknown {
  if (status >= 300) throw new Error(`${call}: ${status} ${JSON.stringify(body)}`);
  return body;
}
