import type { Command } from "@commander-js/extra-typings";
import { explain, jsonOption } from "../help";
import { print, printJson } from "../output";
import { withClient } from "../withClient";

export function health(command: Command): void {
  explain(command, { examples: ["health 4kqwe7f0", "health 4kqwe7f0 --json"], connects: true });
  command
    .argument("<endpointId>", "the endpoint's id")
    .option(...jsonOption)
    .action(async (endpointId, { json }) => {
      const gauges = await withClient((client, signal) => client.queue(endpointId).health({ signal }));
      if (json) printJson(gauges);
      else for (const [name, counts] of Object.entries(gauges)) print(`${name.padEnd(8)}${line(counts)}`);
    });
}

function line(counts: Readonly<Record<string, number | undefined>>): string {
  return Object.entries(counts)
    .map(([state, count]) => `${state} ${count ?? 0}`)
    .join("  ");
}
