import type { Client, LogLine } from "../client";
import { printableLine } from "../client/printable";
import { lastLines } from "../lastLines";
import { endpointArgs, withClient } from "./endpointCommand";
import { exitCodes, print, printJson } from "./output";

const most = 5_000;

interface WorkerLine extends LogLine {
  workerId: string;
}

/** `pulumi-computecloud logs`: of one worker, or of all that the endpoint has now. */
export async function logs(argv: readonly string[]): Promise<number> {
  const { values, endpointId } = endpointArgs(argv, {
    worker: { type: "string" },
    tail: { type: "string", default: "100" },
    follow: { type: "boolean", short: "f" },
    json: { type: "boolean" },
  });
  const tail = Number(values.tail);
  if (!/^\d+$/.test(values.tail) || tail > most) throw new Error(`--tail takes a whole number from 0 to ${most}`);
  if (values.follow && values.json) throw new Error("--json makes one document of what is there: it can't --follow");

  await withClient(async (client, signal) => {
    const workers = values.worker === undefined ? await workerIds(client, endpointId, signal) : [values.worker];
    if (workers.length === 0) process.stderr.write(`endpoint ${endpointId} has no workers now\n`);
    const open = (workerId: string, ending: AbortSignal) =>
      client.serverless.workerLogs(endpointId, workerId, { tail, signal: ending });
    if (values.follow) {
      await Promise.all(workers.map((workerId) => follow(open(workerId, signal), workerId, signal)));
      return;
    }
    const histories = await Promise.all(
      workers.map(async (workerId) => {
        const history = tail === 0 ? [] : await lastLines((ending) => open(workerId, ending), tail, signal);
        return history.map((line) => ({ workerId, ...line }));
      }),
    );
    const lines = histories.flat().sort((a, b) => a.ts.localeCompare(b.ts));
    if (values.json) printJson({ endpointId, lines });
    else for (const line of lines) print(textOf(line));
  });
  return exitCodes.done;
}

async function workerIds(client: Client, endpointId: string, signal: AbortSignal): Promise<string[]> {
  const { workers } = await client.serverless.workers(endpointId, { signal });
  return (workers ?? []).map(({ id }) => id);
}

/** An interrupt is how following a log ends. */
async function follow(stream: AsyncIterable<LogLine>, workerId: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const line of stream) print(textOf({ workerId, ...line }));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function textOf({ ts, workerId, source, line }: WorkerLine): string {
  return [ts, workerId, source ?? "", line].map(printableLine).join(" ");
}
