import type { Command } from "@commander-js/extra-typings";
import type { Client, LogLine } from "../../client";
import { lastLines } from "../../common/lastLines";
import { messageOf } from "../../common/messageOf";
import { printableLine } from "../../common/printable";
import { explain, jsonOption, print, printJson, tell } from "../output";
import { wholeNumber } from "../values";
import { withClient } from "../withClient";

const MOST = 5_000;

interface WorkerLine extends LogLine {
  workerId: string;
}

export function logs(command: Command): void {
  explain(command, {
    examples: ["logs 4kqwe7f0 --tail 20", "logs 4kqwe7f0 --follow", "logs 4kqwe7f0 --worker w1 --json"],
    connects: true,
  });
  command
    .argument("<endpointId>", "the endpoint's id")
    .option("--worker <id>", "the logs of this worker only; default: all workers of the endpoint")
    .option("--tail <n>", `at most this many past lines of each worker: ${MOST}`, wholeNumber("--tail", MOST), 100)
    .option("-f, --follow", "keep printing new lines until interrupted")
    .option(...jsonOption)
    .action(async (endpointId, { worker, tail, follow: following, json }) => {
      if (following && json)
        throw new Error("--follow has no end, and --json prints one document. Leave one of them out.");

      await withClient(async (client, signal) => {
        const workers = worker === undefined ? await workerIds(client, endpointId, signal) : [worker];
        if (workers.length === 0) tell(`endpoint ${endpointId} has no workers now`);
        const open = (workerId: string, ending: AbortSignal) =>
          client.serverless.workerLogs(endpointId, workerId, { tail, signal: ending });
        const historyOf = async (workerId: string): Promise<WorkerLine[]> =>
          (await lastLines((ending) => open(workerId, ending), tail, signal)).map((line) => ({ workerId, ...line }));
        const histories: WorkerLine[] = [];
        const outcomes = await Promise.all(
          workers.map(async (workerId) => {
            try {
              if (following) await follow(open(workerId, signal), workerId, signal);
              else if (tail > 0) histories.push(...(await historyOf(workerId)));
              return undefined;
            } catch (error) {
              // One worker may have gone in the meantime; the others' logs are still shown.
              if (workers.length > 1) tell(`worker ${workerId}: ${messageOf(error)}`);
              return { error };
            }
          }),
        );
        const [first] = outcomes;
        if (first !== undefined && outcomes.every((outcome) => outcome !== undefined)) throw first.error;
        if (following) return;
        const lines = histories.sort((a, b) => a.ts.localeCompare(b.ts));
        if (json) printJson({ endpointId, lines });
        else for (const line of lines) print(textOf(line));
      });
    });
}

async function workerIds(client: Client, endpointId: string, signal: AbortSignal): Promise<string[]> {
  const { workers } = await client.serverless.workers(endpointId, { signal });
  return (workers ?? []).map(({ id }) => id);
}

/** Follows a log. An interrupt is its usual end, not an error. */
async function follow(stream: AsyncIterable<LogLine>, workerId: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const line of stream) print(textOf({ workerId, ...line }));
    tell(`worker ${workerId}: its log has ended`);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function textOf({ ts, workerId, source, line }: WorkerLine): string {
  return [ts, workerId, source ?? "", line].map(printableLine).join(" ");
}
