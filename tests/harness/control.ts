import type { FaultInput, SettingsInput } from "../emulator";

/** A record of the emulator's state, by its fields. */
export type StateRecord = Record<string, unknown> & { id: string; name?: string };

export interface EmulatorState {
  pods: StateRecord[];
  clusters: StateRecord[];
  endpoints: StateRecord[];
  templates: StateRecord[];
  networkVolumes: StateRecord[];
  registries: StateRecord[];
  delegations: StateRecord[];
  sshKeys: StateRecord[];
}

interface LoggedCall {
  interface: "rest" | "graphql" | "queue";
  method: string;
  path: string;
  operation: string;
  status: number;
}

/** The emulator's control address, in the words of tests. */
export class Control {
  constructor(private readonly emulator: { controlUrl: string; baseUrl: string; graphqlUrl: string; apiKey: string }) {}

  /** The calls since the last `forgetCalls`, by operation, such as `createTemplate` or `saveEndpoint`. */
  async calls(): Promise<string[]> {
    return (await this.log()).map(({ operation }) => operation);
  }

  async log(): Promise<LoggedCall[]> {
    const { requests } = (await this.control("GET", "/requests")) as { requests: LoggedCall[] };
    return requests;
  }

  async forgetCalls(): Promise<void> {
    await this.control("DELETE", "/requests");
  }

  async state(): Promise<EmulatorState> {
    return (await this.control("GET", "/state")) as EmulatorState;
  }

  /** Puts a whole state in place. */
  async setState(state: EmulatorState): Promise<void> {
    await this.control("PUT", "/state", state);
  }

  /** Whether nothing is left that a stack could have made. */
  async isEmpty(): Promise<boolean> {
    const { pods, clusters, endpoints, templates, networkVolumes, registries, delegations, sshKeys } =
      await this.state();
    return [pods, clusters, endpoints, templates, networkVolumes, registries, delegations, sshKeys].every(
      (records) => records.length === 0,
    );
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
  }

  /** What somebody does in the service's console meanwhile, over REST. */
  async rest(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.call(method, this.emulator.baseUrl + path, body, { authorization: `Bearer ${this.emulator.apiKey}` });
  }

  /** What somebody does in the service's console meanwhile, over GraphQL. */
  async graphql(query: string, variables?: unknown): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.emulator.apiKey}` };
    return this.call("POST", this.emulator.graphqlUrl, { query, variables }, headers);
  }

  private control(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.call(method, this.emulator.controlUrl + path, body, {});
  }

  private async call(method: string, url: string, body: unknown, headers: Record<string, string>): Promise<unknown> {
    const answer = await fetch(url, {
      method,
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}
