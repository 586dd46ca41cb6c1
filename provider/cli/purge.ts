import { endpointArgs, withClient } from "./endpointCommand";
import { exitCodes, print, printJson } from "./output";

/** `pulumi-computecloud purge` */
export async function purge(argv: readonly string[]): Promise<number> {
  const { values, endpointId } = endpointArgs(argv, { json: { type: "boolean" } });
  const purged = await withClient((client, signal) => client.queue(endpointId).purgeQueue({ signal }));
  if (values.json) printJson(purged);
  else print(`removed ${purged.removed} waiting ${purged.removed === 1 ? "job" : "jobs"}`);
  return exitCodes.done;
}
