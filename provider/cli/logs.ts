import type { Client, LogLine } from "../client";
import { lastLines } from "../client/lastLines";
import { printableLine } from "../client/printable";
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
    const historyOf = async (workerId: string): Promise<WorkerLine[]> =>
      (await lastLines((ending) => open(workerId, ending), tail, signal)).map((line) => ({ workerId, ...line }));
    const histories: WorkerLine[] = [];
    const outcomes = await Promise.all(
      workers.map(async (workerId) => {
        try {
          if (values.follow) await follow(open(workerId, signal), workerId, signal);
          else if (tail > 0) histories.push(...(await historyOf(workerId)));
          return undefined;
        } catch (error) {
          // One worker that is gone says nothing of the others.
          if (workers.length > 1) process.stderr.write(`worker ${workerId}: ${printableLine(messageOf(error))}\n`);
          return { error };
        }
      }),
    );
    const [first] = outcomes;
    if (first !== undefined && outcomes.every((outcome) => outcome !== undefined)) throw first.error;
    if (values.follow) return;
    const lines = histories.sort((a, b) => a.ts.localeCompare(b.ts));
    if (values.json) printJson({ endpointId, lines });
    else for (const line of lines) print(textOf(line));
  });
  return exitCodes.done;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
