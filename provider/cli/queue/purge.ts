import type { Command } from "@commander-js/extra-typings";
import { explain, jsonOption } from "../help";
import { print, printJson } from "../output";
import { withClient } from "../withClient";

export function purge(command: Command): void {
  explain(command, { examples: ["purge 4kqwe7f0"], connects: true });
  command
    .argument("<endpointId>", "the endpoint's id")
    .option(...jsonOption)
    .action(async (endpointId, { json }) => {
      const purged = await withClient((client, signal) => client.queue(endpointId).purgeQueue({ signal }));
      if (json) printJson(purged);
      else
        print(
          `removed ${purged.isLeast ? "at least " : ""}${purged.removed} waiting ${purged.removed === 1 ? "job" : "jobs"}`,
        );
    });
}
