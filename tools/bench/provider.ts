/*
 * Whole runs of the engine: templates and endpoints on them, beside as many dynamic resources that do nothing. The
 * engine's own cost is the floor; what counts is the ratio to it.
 */
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
import { checkout } from "../run/checkout";
import { Control } from "../run/control";
import { type Program, programFiles } from "../run/program";
import { newStack, type Stack } from "../run/stack";
import type { Update } from "../run/update";
import { type Comparison, compare, type Figures, type Side, type Targets } from "./compare";
import { newMeter } from "./meter";
import type { BenchOptions } from "./options";
import { dynamic, floor, idle, native, type Shape } from "./programs";

type Subject = (shape: Shape) => Program;

const SUBJECTS: Readonly<Record<string, Subject>> = { idle, dynamic, native };

const TARGETS: Targets = {
  dynamic: { up: 1.25, destroy: 1.25, "no-op": 1.1, preview: 1.1, refresh: 1.15, "up state": 1.4 },
};

/** Most people's stacks have a handful of resources. */
const SMALL = 6;
const SMALL_TARGETS: Targets = {
  dynamic: { planned: 1.1, up: 1.1, "no-op": 1.1, preview: 1.1, refresh: 1.1, destroy: 1.1 },
};

export async function provider(
  { rounds, counts, latencies, sides }: BenchOptions,
  report: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  const chosen = Object.entries(SUBJECTS).filter(([name]) => sides.length === 0 || sides.includes(name));
  for (const count of counts) {
    for (const latencyMs of latencies) {
      const title = `${count} resources, ${latencyMs} ms`;
      const others = chosen.map(([name, subject]) => newSide(name, subject, count, latencyMs));
      // Waiting for the service is part of the work: no target holds for its ratio to a floor that calls nothing.
      const targets = latencyMs > 0 ? {} : count > SMALL ? TARGETS : SMALL_TARGETS;
      await report(await compare(title, rounds, [newSide("floor", floor, count, latencyMs), ...others], targets));
    }
  }
}

/** The same project, with the plugin of another build. */
function built(program: Program, release: string | undefined): Program {
  if (release === undefined || (typeof program === "object" && "folder" in program)) return program;
  const { "Pulumi.yaml": settings = "", ...others } = programFiles("test", program);
  return { files: { ...others, "Pulumi.yaml": settings.replaceAll(checkout, release) } };
}

async function installed({ project }: Stack, release: string): Promise<void> {
  const packages = join(project, "node_modules");
  await mkdir(packages);
  await symlink(release, join(packages, "pulumi-computecloud"));
}

interface SideOptions {
  /** The folder of another build of the package. Default: this checkout's. */
  readonly release?: string;
  readonly meter?: typeof newMeter;
}

export function newSide(
  name: string,
  subject: Subject,
  count: number,
  latencyMs: number,
  { release, meter: newMeterOf = newMeter }: SideOptions = {},
): Side {
  return {
    name,
    async round() {
      await using meter = await newMeterOf();
      const emulator = await startEmulator({ settings: { rateLimitExempt: true, latencyMs, requestLogSize: 20_000 } });
      try {
        const service = new Control(emulator);
        const programOf = (changed: number) => built(subject({ count, changed }), release);
        await using stack = await newStack({ program: programOf(1), emulator, env: meter.env });
        if (release !== undefined) await installed(stack, release);
        const measured = async (step: () => Promise<Update>): Promise<Figures> => {
          await service.forgetCalls();
          await meter.read();
          const { ms } = await step();
          const read = await meter.read();
          return { wall: ms / 1000, ...read, calls: (await service.calls()).length };
        };
        const planned = await measured(() => stack.preview());
        const up = await measured(() => stack.up());
        const state = Buffer.byteLength(await stack.stateText());
        const noOp = await measured(() => stack.up());
        const preview = await measured(() => stack.preview());
        const refresh = await measured(() => stack.refresh());
        await stack.edit(programOf(2));
        const update = await measured(() => stack.up());
        const destroy = await measured(() => stack.destroy());
        return { planned, up: { ...up, state }, "no-op": noOp, preview, refresh, update, destroy };
      } finally {
        await emulator.stop();
      }
    },
  };
}
