import { type Client, type ClientOptions, type Clock, createClient } from "../../provider/client";
import { type Emulator, type FaultInput, type SettingsInput, startEmulator } from "../emulator";

export interface LoggedCall {
  interface: "rest" | "graphql" | "queue";
  method: string;
  path: string;
  operation: string;
  status: number;
}

type Match = NonNullable<FaultInput["match"]>;
type Act = FaultInput["act"];

/** The emulator with what the tests of the client need to see and to break. */
export class Stage {
  readonly emulator: Emulator;
  readonly #clients: Client[] = [];

  constructor(emulator: Emulator) {
    this.emulator = emulator;
  }

  static async open(settings: SettingsInput = { rateLimitExempt: true }): Promise<Stage> {
    return new Stage(await startEmulator({ settings }));
  }

  client(options: Partial<ClientOptions> = {}): Client {
    const { apiKey, baseUrl, serverlessUrl, graphqlUrl } = this.emulator;
    const client = createClient({ apiKey, baseUrl, serverlessUrl, graphqlUrl, clock: impatient(), ...options });
    this.#clients.push(client);
    return client;
  }

  fault(match: Match, act: Act): Promise<unknown> {
    return this.control("POST", "/faults", { match, act });
  }

  async calls(): Promise<LoggedCall[]> {
    const { requests } = (await this.control("GET", "/requests")) as { requests: LoggedCall[] };
    return requests;
  }

  /** The calls in short: `POST /v2/pods`, `saveEndpoint`. */
  async sent(): Promise<string[]> {
    return (await this.calls()).map((call) =>
      call.interface === "graphql" ? call.operation : `${call.method} ${call.path}`,
    );
  }

  forgetCalls(): Promise<unknown> {
    return this.control("DELETE", "/requests");
  }

  async state(): Promise<Record<string, { id: string; name?: string }[]>> {
    return (await this.control("GET", "/state")) as Record<string, { id: string; name?: string }[]>;
  }

  /** Puts whole collections into place. */
  put(collections: Record<string, unknown[]>): Promise<unknown> {
    return this.control("PUT", "/state", collections);
  }

  settings(settings: SettingsInput): Promise<unknown> {
    return this.control("PUT", "/settings", settings);
  }

  /** Empties the service, forgets its faults and calls. */
  async reset(): Promise<void> {
    const state = await this.state();
    await this.control("PUT", "/state", Object.fromEntries(Object.keys(state).map((name) => [name, []])));
    await this.control("DELETE", "/faults");
    await this.forgetCalls();
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.emulator.stop();
  }

  /** The emulator's time, which the client then shares: to wait is to move the clock. */
  sharedClock(): Clock {
    let ahead = 0;
    let turn: Promise<unknown> = Promise.resolve();
    const now = () => Date.now() + ahead;
    const advanceTo = async (wake: number) => {
      const ms = wake - now();
      if (ms <= 0) return;
      await this.control("POST", "/clock", { advanceMs: ms });
      ahead += ms;
    };
    return {
      now,
      sleep(ms) {
        const wake = now() + ms;
        const slept = turn.then(() => advanceTo(wake));
        turn = slept;
        return slept;
      },
    };
  }

  protected async control(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.emulator.controlUrl}${path}`, {
      method,
      ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}

/** A clock on which waiting takes no time, and which remembers how long it would have taken. */
export function impatient(): Clock & { waits: number[] } {
  let ahead = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => Date.now() + ahead,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      ahead += ms;
    },
  };
}

export const pod = (name: string) => ({ name, image: "busybox", disk: 10, gpu: { id: "NVIDIA L4" } });
export const cluster = (name: string) => ({
  name,
  type: "TRAINING" as const,
  image: "busybox",
  compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
});
export const endpoint = (name: string) => ({
  name,
  type: "QUEUE" as const,
  image: "busybox",
  disk: 10,
  gpu: { pools: ["AMPERE_16"] },
  scaling: { type: "QUEUE_DELAY" as const, queueDelay: 4 },
});
export const template = (name: string) => ({ name, image: "busybox", disk: 10 });
export const volume = (name: string) => ({ name, size: 10, dataCenter: "EU-RO-1" });
export const registry = (name: string) => ({ name, username: "somebody", password: "registry-password" });
export const savedEndpoint = (name: string, templateId: string) => ({
  name,
  templateId,
  gpuIds: "AMPERE_16",
  type: "QB" as const,
  gpuCount: 1,
  idleTimeout: 5,
  locations: "",
  networkVolumeId: null,
  scalerType: "QUEUE_DELAY" as const,
  scalerValue: 4,
  workersMin: 0,
  workersMax: 0,
  flashBootType: "OFF" as const,
});
