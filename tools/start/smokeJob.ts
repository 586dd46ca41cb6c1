import { createClient } from "../../client";
import type { EmulatorAddresses } from "../run/environment";

/** Sends one job through an endpoint's queue and answers its output; throws when it ends otherwise than completed. */
export async function smokeJob(service: EmulatorAddresses, endpointId: string, input: unknown, signal: AbortSignal) {
  const client = createClient({ ...service, signal });
  try {
    const queue = client.queue(endpointId);
    const { id } = await queue.run({ input });
    return (await queue.wait(id)).output;
  } finally {
    await client.close();
  }
}
