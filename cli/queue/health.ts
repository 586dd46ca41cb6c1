import type { Command } from "@commander-js/extra-typings";
import { explain, jsonOption, print, printJson } from "../output";
import { withClient } from "../withClient";
import { refuseLoadBalancer } from "./refuseLoadBalancer";

export function health(command: Command): void {
  explain(command, { examples: ["health 4kqwe7f0", "health 4kqwe7f0 --json"], connects: true });
  command
    .argument("<endpointId>", "the endpoint's id")
    .option(...jsonOption)
    .action(async (endpointId, { json }) => {
      const gauges = await withClient(async (client, signal) => {
        const counts = client.queue(endpointId).health({ signal });
        await Promise.all([counts, refuseLoadBalancer(client, endpointId, signal)]);
        return counts;
      });
      if (json) printJson(gauges);
      else for (const [name, counts] of Object.entries(gauges)) print(`${name.padEnd(8)}${line(counts)}`);
    });
}

function line(counts: Readonly<Record<string, number | undefined>>): string {
  return Object.entries(counts)
    .map(([state, count]) => `${state} ${count ?? 0}`)
    .join("  ");
}
