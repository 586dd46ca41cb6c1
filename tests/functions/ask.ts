import { type Client, createClient } from "../../client";
import { type Emulator, startEmulator } from "../../emulator";
import { type Answer, Invocations } from "../../provider/engine/plugin/invocations";
import { Control } from "../../tools/run/control";

/** The functions in this process, on an emulator. */
export class Functions {
  readonly #invocations = new Invocations();

  private constructor(
    private readonly emulator: Emulator,
    private readonly client: Client,
    readonly service: Control,
  ) {}

  static async start(): Promise<Functions> {
    const emulator = await startEmulator({ settings: { rateLimitExempt: true } });
    return new Functions(emulator, createClient(emulator), new Control(emulator));
  }

  ask(name: string, args: object = {}): Promise<Answer> {
    return this.#invocations.answer(this.client, `computecloud:index:${name}`, args, new AbortController().signal);
  }

  /** The answer of a call that has no mistakes. */
  async values(name: string, args?: object): Promise<object> {
    const answer = await this.ask(name, args);
    if ("failures" in answer)
      throw new Error(answer.failures.map(({ property, reason }) => `${property} ${reason}`).join());
    return answer.values;
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.emulator.stop();
  }
}
