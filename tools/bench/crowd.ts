/*
 * Many processes with one key on one endpoint, as on many machines: each runs a batch within the documented limits, which the
 * emulator keeps. None of them knows of the others, so that refusals alone tell them their share.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createClient } from "../../dist/client";
import { startEmulator } from "../../emulator";
import { checkout } from "../run/checkout";
import { type Comparison, compare, type Side } from "./compare";
import type { BenchOptions } from "./options";

const GOAL = { "refused %": 5, "failed inputs": 0 };

/** What one process did. */
interface Tally {
  readonly calls: number;
  readonly refused: number;
  readonly failed: readonly string[];
}

const BATCH = `
  const { createQueue } = require("./dist/client");
  const { ENDPOINT, ADDRESS, API_KEY, JOBS } = process.env;
  const told = { calls: 0, refused: 0, failed: [] };
  const onResponse = ({ status }) => {
    told.calls += 1;
    if (status === 429) told.refused += 1;
  };
  const queue = createQueue({ endpointId: ENDPOINT, serverlessUrl: ADDRESS, apiKey: API_KEY, onResponse });
  (async () => {
    const inputs = Array.from({ length: Number(JOBS) }, (_, n) => ({ n }));
    for await (const { error } of queue.runMany(inputs, { concurrency: inputs.length, timeoutMs: 900_000 }))
      if (error) told.failed.push(error.message);
    await queue.close();
    console.log(JSON.stringify(told));
  })();`;

export async function crowd(
  { crowd: { processes, jobs } }: BenchOptions,
  report: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  const emulator = await startEmulator({ settings: { rateLimitExempt: false, quotas: PLENTY } });
  const client = createClient(emulator);
  try {
    const { id } = await client.serverless.create({
      name: "crowd",
      type: "QUEUE",
      image: "emulator/echo:1",
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      workers: { min: 5, max: 20 },
    });
    const env = {
      ...process.env,
      ENDPOINT: id,
      ADDRESS: emulator.serverlessUrl,
      API_KEY: emulator.apiKey,
      JOBS: String(jobs),
    };
    const entered: Side = {
      name: "crowd",
      async round() {
        const began = performance.now();
        const all = await Promise.all(
          Array.from({ length: processes }, async (): Promise<Tally> => {
            const { stdout } = await promisify(execFile)(process.execPath, ["-e", BATCH], { cwd: checkout, env });
            return JSON.parse(stdout);
          }),
        );
        const [calls, refused] = [sum(all, "calls"), sum(all, "refused")];
        const failed = all.flatMap((each) => each.failed);
        if (failed.length > 0) console.error(failed.slice(0, 5).join("\n"));
        const seconds = (performance.now() - began) / 1000;
        return {
          batch: { "refused %": (100 * refused) / calls, "failed inputs": failed.length, calls, refused, seconds },
        };
      },
    };
    const goal: Side = { name: "goal", round: async () => ({ batch: { ...GOAL, calls: 0, refused: 0, seconds: 0 } }) };
    await report(await compare(`${processes} processes, ${jobs} jobs each`, 1, [goal, entered]));
  } finally {
    await client.close();
    await emulator.stop();
  }
}

const PLENTY = { minute: 1e6, hour: 1e7, day: 1e8 };

const sum = (all: readonly Tally[], name: "calls" | "refused"): number =>
  all.reduce((total, each) => total + each[name], 0);
