import type { ClientOptions, Clock, Queue } from "../../provider/client";
import { systemClock } from "../../provider/client/clock";
import { type EmulatorOptions, startEmulator } from "../emulator";
import { Control } from "./control";
import { endpoint, Stage } from "./stage";

/** The emulator and a client that shares its time: to wait is to move the clock. */
export class Place extends Stage {
  #endpoints = 0;

  static async start(options: EmulatorOptions = {}): Promise<Place> {
    return new Place(await startEmulator({ settings: { rateLimitExempt: true }, ...options }));
  }

  get service(): Control {
    return new Control(this.emulator);
  }

  /** The queue of a new endpoint whose workers run this handler of the emulator. */
  async queue(handler: string, env: Record<string, string> = {}, options: Partial<ClientOptions> = {}): Promise<Queue> {
    const client = this.client({ clock: this.sharedClock(), ...options });
    this.#endpoints += 1;
    const { id } = await client.serverless.create({
      ...endpoint(`${handler}-${this.#endpoints}`),
      image: `emulator/${handler}:1`,
      env,
    });
    await this.forgetCalls();
    return client.queue(id);
  }

  /** Makes the emulator's time run faster, and answers a clock that runs with it. */
  async hurry(speed: number): Promise<Clock> {
    const from = performance.now();
    await this.control("POST", "/clock", { speed });
    return {
      now: () => from + (performance.now() - from) * speed,
      sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** How often an operation of the queue was called. */
  async count(operation: string): Promise<number> {
    return (await this.service.calls()).filter((name) => name === operation).length;
  }
}

/** Resolves when the condition holds; looks at it after each turn of the event loop. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate);
}
