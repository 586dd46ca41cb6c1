import type { Answer } from "../../../tools/run/calls";
import type { Account } from "../../harness/account";
import { until } from "../../harness/until";

export type JobPlane = Awaited<ReturnType<typeof openEndpoint>>;

/** A queue endpoint of one worker that echoes, unless told otherwise, and its job plane. */
export async function openEndpoint(cloud: Account, overrides: Record<string, unknown> = {}) {
  const { id }: { id: string } = await cloud.create("/v2/serverless", {
    name: "smoke",
    type: "QUEUE",
    image: "emulator/echo",
    gpu: { pools: ["AMPERE_16"] },
    workers: { min: 0, max: 1, idleTimeout: 5 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    ...overrides,
  });
  const get = (path: string) => cloud.queue("GET", `${id}/${path}`);
  const post = (path: string, body?: unknown) => cloud.queue("POST", `${id}/${path}`, body);
  return {
    id,
    get,
    post,
    /** Submits a job; returns its id. */
    run: async (input: unknown, rest: Record<string, unknown> = {}): Promise<string> => {
      const { body } = await post("run", { input, ...rest });
      return body.id;
    },
    status: async (jobId: string): Promise<Answer["body"]> => (await get(`status/${jobId}`)).body,
    health: async (): Promise<Answer["body"]> => (await get("health")).body,
    workers: async (): Promise<Answer["body"]> => (await cloud.rest("GET", `/v2/serverless/${id}/workers`)).body,
    update: (patch: unknown) => cloud.rest("PATCH", `/v2/serverless/${id}`, patch),
  };
}

/** An endpoint whose jobs take so long. */
export const slow = (ms: number) => ({ image: "emulator/delay", env: { EMULATOR_DELAY_MS: String(ms) } });

/** An endpoint that streams so many chunks, one after so long each. */
export const streaming = (chunks: number, ms = 0, env: Record<string, string> = {}) => ({
  image: "emulator/stream",
  env: { EMULATOR_CHUNKS: String(chunks), EMULATOR_DELAY_MS: String(ms), ...env },
});

/** Sends a call that is going to be held open; comes back when it has arrived, with the answer to come. */
export async function begin<T>(cloud: Account, send: () => Promise<T>): Promise<{ readonly answer: Promise<T> }> {
  const arrived = async () => (await cloud.service.log()).length;
  const before = await arrived();
  const answer = send();
  await until(async () => (await arrived()) > before);
  return { answer };
}
