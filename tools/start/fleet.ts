import { z } from "zod";
import { createClient } from "../../client";
import { Control } from "../run/control";
import type { Stack } from "../run/stack";
import type { Update } from "../run/update";
import type { EmulatorProcess } from "./emulator";

/** The closing table: what was done, in words, how long it took, and with how many calls. */
export type Rows = readonly (readonly [step: string, resources: string, seconds: string, calls: string])[];

interface Run {
  stack: Stack;
  emulator: EmulatorProcess;
  /** Stop before the fleet is destroyed. */
  keep: boolean;
  print: (line: string) => void;
  signal: AbortSignal;
}

/** The outputs of examples/fleet, as far as they are used here. */
const FleetOutputs = z.object({ endpointIds: z.object({ chat: z.string() }) });

/** Takes the fleet from nothing to running and back, and answers what each step took. */
export async function runFleet({ stack, emulator, keep, print, signal }: Run): Promise<Rows> {
  const calls = async () => (await new Control(emulator.addresses).calls()).length;
  const rows: Rows[number][] = [["step", "resources", "seconds", "API calls"]];
  const step = async (name: string, work: () => Promise<string>) => {
    print(`\n── ${name}`);
    const [started, before] = [performance.now(), await calls()];
    const resources = await work().catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
    signal.throwIfAborted();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    rows.push([name, resources, seconds, String((await calls()) - before)]);
  };
  const options = { signal, onLine: (line: string) => line.trim() !== "" && print(line) };

  await step("pulumi preview", async () => `${(await stack.preview(options)).changes.create ?? 0} to create`);
  await step("pulumi up", async () => inWords(await stack.up(options)));
  await step("smoke job", async () => {
    const { endpointIds } = FleetOutputs.parse(await stack.outputs());
    await using client = createClient({ ...emulator.addresses, signal });
    const queue = client.queue(endpointIds.chat);
    const { id } = await queue.run({ input: { prompt: "Are you there?" } });
    print(`COMPLETED ${JSON.stringify((await queue.wait(id)).output)}`);
    return "1 job completed";
  });
  await step("pulumi up again", async () => inWords(await stack.up(options)));
  if (!keep) await step("pulumi destroy", async () => inWords(await stack.destroy(options)));
  return rows;
}

const DONE: Readonly<Record<string, string>> = {
  create: "created",
  update: "updated",
  delete: "deleted",
  same: "unchanged",
};

function inWords({ changes }: Update): string {
  return Object.entries(changes)
    .map(([kind, count]) => `${count} ${DONE[kind] ?? kind}`)
    .join(", ");
}
