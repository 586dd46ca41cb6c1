import { afterAll } from "@jest/globals";
import { type Client, type ClientOptions, type Clock, createClient, type Queue } from "../../client";
import { systemClock } from "../../client/calls/cancellation";
import type { Emulator, EmulatorOptions, FaultInput } from "../../emulator";
import { Control, type LoggedCall, type StateRecord } from "../../tools/run/control";
import { emulatorForAll, startStrict } from "./account";
import { endpoint } from "./requests";

export const WITHOUT_QUOTAS: EmulatorOptions = { settings: { rateLimitExempt: true } };

/** The emulator in this process, clients of it, and what tests need to see and to break. */
export class Place {
  readonly #clients: Client[] = [];
  #endpoints = 0;

  /** @param service the emulator's control address, and what somebody else does in the account meanwhile */
  constructor(
    readonly emulator: Emulator,
    readonly service = new Control(emulator),
  ) {}

  static async start(options: EmulatorOptions = {}): Promise<Place> {
    return new Place(await startStrict({ ...WITHOUT_QUOTAS, ...options }));
  }

  /** A client whose waits take no time, unless it is given another clock. */
  client(options: Partial<ClientOptions> = {}): Client {
    const client = createClient({ ...this.emulator, clock: impatient(), ...options });
    this.#clients.push(client);
    return client;
  }

  /**
   * The queue of a new endpoint whose workers run this handler of the emulator. It shares the emulator's time: to wait is
   * to move the clock.
   */
  async queue(handler: string, env: Record<string, string> = {}, options: Partial<ClientOptions> = {}): Promise<Queue> {
    const client = this.client({ clock: this.sharedClock(), ...options });
    this.#endpoints += 1;
    const { id } = await client.serverless.create({
      ...endpoint(`${handler}-${this.#endpoints}`),
      image: `emulator/${handler}:1`,
      env,
      // A command on a busy machine may take longer than a worker idles by default.
      workers: { idleTimeout: 3_600 },
    });
    await this.forgetCalls();
    return client.queue(id);
  }

  fault(match: NonNullable<FaultInput["match"]>, act: FaultInput["act"]): Promise<void> {
    return this.service.fault({ match, act });
  }

  /** Every call since the last `forgetCalls`. */
  calls(): Promise<LoggedCall[]> {
    return this.service.log();
  }

  /** The calls in short: `POST /v2/pods`, `saveEndpoint`. */
  async sent(): Promise<string[]> {
    return (await this.calls()).map((call) =>
      call.interface === "graphql" ? call.operation : `${call.method} ${call.path}`,
    );
  }

  /** How often an operation of the queue was called. */
  count(operation: string): Promise<number> {
    return this.service.count(operation);
  }

  forgetCalls(): Promise<void> {
    return this.service.forgetCalls();
  }

  /** All collections, by name. */
  async state(): Promise<Record<string, StateRecord[]>> {
    return { ...(await this.service.state()) };
  }

  /** Empties the service, forgets its faults and calls. */
  async reset(): Promise<void> {
    await this.service.setState(Object.fromEntries(Object.keys(await this.state()).map((name) => [name, []])));
    await this.service.clearFaults();
    await this.forgetCalls();
  }

  async closeClients(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeClients();
    await this.emulator.stop();
  }

  /** The emulator's time, which the client then shares: to wait is to move the clock. */
  sharedClock(): Clock {
    let turn: Promise<unknown> = Promise.resolve();
    const now = () => systemClock.now() + this.service.movedMs;
    const advanceTo = async (wake: number) => {
      const ms = wake - now();
      if (ms <= 0) return;
      await this.service.advance(ms);
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

  /** Makes the emulator's time run faster, and answers a clock that runs with it. */
  async hurry(speed: number): Promise<Clock> {
    const from = performance.now();
    await this.service.speedUp(speed);
    return {
      now: () => from + (performance.now() - from) * speed,
      sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
    };
  }
}

/** A clock on which waiting takes no time, and which remembers how long it would have taken. @param time goes on besides */
export function impatient(time = systemClock.now): Clock & { waits: number[] } {
  let ahead = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => time() + ahead,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      ahead += ms;
    },
  };
}

/** A place, by default without quotas of calls. */
export function placeForAll(options: EmulatorOptions = {}): Place {
  const { emulator, service } = emulatorForAll({ ...WITHOUT_QUOTAS, ...options });
  const place = new Place(emulator, service);
  afterAll(() => place.closeClients());
  return place;
}
