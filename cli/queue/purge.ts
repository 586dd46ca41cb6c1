import type { Command } from "@commander-js/extra-typings";
import { agree, mustBeAskable } from "../agree";
import { explain, jsonOption, print, printJson } from "../output";
import { withClient } from "../withClient";
import { refuseLoadBalancer } from "./refuseLoadBalancer";

export function purge(command: Command): void {
  explain(command, { examples: ["purge 4kqwe7f0", "purge 4kqwe7f0 --yes"], connects: true });
  command
    .description("Removes the jobs that wait in the queue, for good, after a confirmation. Those that run go on.")
    .argument("<endpointId>", "the endpoint's id")
    .option("--yes", "don't ask")
    .option(...jsonOption)
    .action(async (endpointId, { yes, json }) => {
      // mutant purge-unasked: false
      if (!yes) mustBeAskable("purge");
      await withClient(async (client, signal) => {
        const queue = client.queue(endpointId);
        await refuseLoadBalancer(client, endpointId, signal);
        if (!yes) {
          const { jobs } = await queue.health({ signal });
          const question = `Endpoint ${endpointId} has ${waiting(jobs.inQueue)}. Remove for good? `;
          if (!(await agree(question, signal)))
            return json ? printJson({ removed: 0, isLeast: false }) : print("removed nothing");
        }
        const { removed, isLeast = false } = await queue.purgeQueue({ signal });
        if (json) printJson({ removed, isLeast });
        else print(`removed ${isLeast ? "at least " : ""}${waiting(removed)}`);
      });
    });
}

const waiting = (jobs: number): string => `${jobs} waiting ${jobs === 1 ? "job" : "jobs"}`;
