import { parseArgs } from "node:util";

export interface BenchOptions {
  /** Ends within 3 minutes. */
  readonly quick: boolean;
  readonly rounds: number;
  /** Numbers of resources. */
  readonly counts: readonly number[];
  /** Of the emulator's answers, in milliseconds. */
  readonly latencies: readonly number[];
  /** What to compare with the baseline; all when empty. */
  readonly sides: readonly string[];
  /** How many processes share an endpoint, and the jobs of each. */
  readonly crowd: { readonly processes: number; readonly jobs: number };
  /** How many inputs workers have, and how many kills of them and of the database there are. */
  readonly batch: {
    readonly inputs: number;
    readonly workers: number;
    readonly kills: number;
    readonly restarts: number;
  };
  /** The commit that the gate compares with. */
  readonly release: string;
}

const numbers = (text: string): number[] => text.split(",").map(Number);

/** @returns the options, and the benches to run, all when empty; undefined where help is asked for */
export function readOptions(argv: readonly string[]): { options: BenchOptions; benches: string[] } | undefined {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      help: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      rounds: { type: "string", default: "3" },
      counts: { type: "string" },
      latencies: { type: "string" },
      sides: { type: "string" },
      crowd: { type: "string", default: "20x200" },
      batch: { type: "string", default: "20000x8x20x1" },
      release: { type: "string", default: "v0.1.0" },
    },
  });
  if (values.help) return undefined;
  const [processes = 0, jobs = 0] = values.crowd.split("x").map(Number);
  const [inputs = 0, workers = 0, kills = 0, restarts = 0] = values.batch.split("x").map(Number);
  const { quick, rounds, counts = quick ? "25" : "6,100,400", latencies = quick ? "0" : "0,50", sides } = values;
  return {
    options: {
      quick,
      rounds: Number(rounds),
      counts: numbers(counts),
      latencies: numbers(latencies),
      crowd: { processes, jobs },
      batch: { inputs, workers, kills, restarts },
      release: values.release,
      sides: sides?.split(",") ?? (quick ? ["dynamic"] : []),
    },
    benches: positionals,
  };
}
