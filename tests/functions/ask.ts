import { afterAll, beforeAll } from "@jest/globals";
import { type Client, createClient } from "../../client";
import { type Answer, Invocations } from "../../provider/engine/plugin/invocations";
import { emulatorForAll } from "../harness/account";

/** The functions in this process, on an emulator. */
export function functionsForAll() {
  const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true } });
  const invocations = new Invocations();
  let client: Client;
  beforeAll(() => {
    client = createClient(emulator);
  });
  afterAll(() => client?.close());
  const ask = (name: string, args: object = {}): Promise<Answer> =>
    invocations.answer(client, `computecloud:index:${name}`, args, new AbortController().signal);
  return {
    service,
    ask,
    /** The answer of a call that has no mistakes. */
    async values(name: string, args?: object): Promise<object> {
      const answer = await ask(name, args);
      if ("failures" in answer)
        throw new Error(answer.failures.map(({ property, reason }) => `${property} ${reason}`).join());
      return answer.values;
    },
  };
}
