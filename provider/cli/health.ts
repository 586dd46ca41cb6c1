import { endpointArgs, withClient } from "./endpointCommand";
import { exitCodes, print, printJson } from "./output";

/** `pulumi-computecloud health` */
export async function health(argv: readonly string[]): Promise<number> {
  const { values, endpointId } = endpointArgs(argv, { json: { type: "boolean" } });
  const gauges = await withClient((client, signal) => client.queue(endpointId).health({ signal }));
  if (values.json) printJson(gauges);
  else for (const [name, counts] of Object.entries(gauges)) print(`${name.padEnd(8)}${line(counts)}`);
  return exitCodes.done;
}

function line(counts: Readonly<Record<string, number | undefined>>): string {
  return Object.entries(counts)
    .map(([state, count]) => `${state} ${count ?? 0}`)
    .join("  ");
}
