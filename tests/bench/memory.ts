import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createClient } from "../../provider/client";

/**
 * What calls with signals that live for long leave on the heap: `node -r ts-node/register/transpile-only
 * tests/bench/memory.ts` makes 100,000.
 */
export async function heapAfterCalls(calls: number): Promise<{ bytesACall: number; listeners: number }> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const server = createServer((_, response) => response.end('{"keys":[]}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [ofClient, ofCalls] = [new AbortController().signal, new AbortController().signal];
  const addresses = { baseUrl: address, serverlessUrl: address, graphqlUrl: address };
  const client = createClient({ apiKey: "key", ...addresses, signal: ofClient });
  const make = async (count: number) => {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await client.sshKeys.get({ signal: ofCalls });
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  };
  const heap = async () => {
    for (let round = 0; round < 4; round += 1) {
      await new Promise(setImmediate);
      collect();
    }
    return process.memoryUsage().heapUsed;
  };
  // What is made once, compiled code among it, is not a leak.
  await make(2_000);
  const before = await heap();
  await make(calls);
  const bytesACall = ((await heap()) - before) / calls;
  const listeners = [ofClient, ofCalls].flatMap((signal) => getEventListeners(signal, "abort")).length;
  await client.close();
  await new Promise((resolve) => server.close(resolve));
  return { bytesACall, listeners };
}

if (require.main === module) {
  const calls = 100_000;
  void heapAfterCalls(calls).then(({ bytesACall, listeners }) =>
    process.stdout.write(
      `${calls} calls with two signals: ${bytesACall.toFixed(1)} bytes a call kept, ${listeners} listeners left\n`,
    ),
  );
}
