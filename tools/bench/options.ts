import { resolve } from "node:path";
import { parseArgs } from "node:util";

/** Of the command line; `HELP` says what each is for. */
export type BenchOptions = Omit<ReturnType<typeof readOptions>, "help" | "benches">;

export const HELP = `
  --rounds 3            of each side
  --counts 6,100,400    numbers of resources of the provider
  --latencies 0,50      of the emulator's answers, in milliseconds
  --sides dynamic       of the provider: idle, dynamic, quick-start, native; default all
  --official FOLDER     one side more, the service's own provider: a folder with its executable pulumi-resource-runpod,
                        and its compiled package for Node as sdk
  --release v0.1.0      the commit that the gate compares with`;

const numbers = (text: string): number[] => text.split(",").map(Number);

export function readOptions(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: "boolean", default: false },
      rounds: { type: "string", default: "3" },
      counts: { type: "string", default: "6,100,400" },
      latencies: { type: "string", default: "0,50" },
      sides: { type: "string" },
      official: { type: "string" },
      release: { type: "string", default: "v0.1.0" },
    },
  });
  const { help, release, official } = values;
  return {
    help,
    /** All when empty. */
    benches: positionals,
    release,
    official: official === undefined ? undefined : resolve(official),
    rounds: Number(values.rounds),
    counts: numbers(values.counts),
    latencies: numbers(values.latencies),
    /** All when empty. */
    sides: values.sides?.split(",") ?? [],
  };
}
