/*
 * Whole runs of the engine: templates and endpoints on them, beside as many dynamic resources that do nothing. The
 * engine's own cost is the floor; what counts is the ratio to it.
 */
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
import { Control } from "../run/control";
import { type Program, programFiles } from "../run/program";
import { newStack, type Stack } from "../run/stack";
import type { Update } from "../run/update";
import { type Comparison, compare, type Figures, type Side, type Targets } from "./compare";
import { newMeter } from "./meter";
import type { BenchOptions } from "./options";
import { dynamic, floor, idle, native, type Shape } from "./programs";

type Subject = (shape: Shape) => Program;

/** `quick-start` is `dynamic` with the package's quick start. */
const SUBJECTS: Readonly<Record<string, Subject>> = { idle, dynamic, "quick-start": dynamic, native };

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
      const side = (name: string, subject: Subject) =>
        newSide(name, (changed) => subject({ count, changed }), { latencyMs, isQuick: name === "quick-start" });
      const others = chosen.map(([name, subject]) => side(name, subject));
      // Waiting for the service is part of the work: no target holds for its ratio to a floor that calls nothing.
      const targets = latencyMs > 0 ? {} : count > SMALL ? TARGETS : SMALL_TARGETS;
      await report(await compare(title, rounds, [side("floor", floor), ...others], targets));
    }
  }
}

/** With the plugin of a build of this package. */
function withPlugin(program: Program, build: string): Program {
  if (typeof program === "object" && "folder" in program) return program;
  const { "Pulumi.yaml": settings = "{}", ...others } = programFiles(program);
  const plugins = { providers: [{ name: "computecloud", path: join(build, "provider/bin") }] };
  return { files: { ...others, "Pulumi.yaml": JSON.stringify({ ...JSON.parse(settings), plugins }) } };
}

/** In the order in which they are measured. */
const STEPS: Readonly<Record<string, (stack: Stack) => Promise<Update>>> = {
  planned: (stack) => stack.preview(),
  up: (stack) => stack.up(),
  "no-op": (stack) => stack.up(),
  preview: (stack) => stack.preview(),
  refresh: (stack) => stack.refresh(),
  update: (stack) => stack.up(),
  destroy: (stack) => stack.destroy(),
};

export interface SideOptions {
  readonly latencyMs?: number;
  /** The folder of a build of this package. Default: this checkout. */
  readonly build?: string | undefined;
  /** Whether Pulumi's processes preload the package's quick start. */
  readonly isQuick?: boolean;
}

/** @param programOf gets what every tenth resource declares: 1, and in the step `update` 2 */
export function newSide(
  name: string,
  programOf: (changed: number) => Program,
  { latencyMs = 0, build, isQuick = false }: SideOptions = {},
): Side {
  const project = (changed: number) =>
    build === undefined ? programOf(changed) : withPlugin(programOf(changed), build);
  return {
    name,
    async round() {
      await using meter = await newMeter();
      await using cloud = await newCloud(latencyMs);
      const { emulator, service } = cloud;
      const NODE_OPTIONS = `${meter.env.NODE_OPTIONS}${isQuick ? " --require=pulumi-computecloud/quick-start" : ""}`;
      const env = { ...meter.env, NODE_OPTIONS };
      await using stack = await newStack({ program: project(1), emulator, env, asUsers: true });
      if (build !== undefined) {
        const packages = join(stack.project, "node_modules");
        await mkdir(packages);
        await symlink(build, join(packages, "pulumi-computecloud"));
      }
      const figures: Record<string, Figures> = {};
      for (const [step, command] of Object.entries(STEPS)) {
        if (step === "update") await stack.edit(project(2));
        await service.forgetCalls();
        await meter.read();
        const { ms } = await command(stack);
        const read = await meter.read();
        figures[step] = {
          wall: ms / 1000,
          ...read,
          calls: (await service.calls()).length,
          ...(step === "up" && { state: Buffer.byteLength(await stack.stateText()) }),
        };
      }
      return figures;
    },
  };
}

/** The service for as many workers as anyone declares. */
async function newCloud(latencyMs = 0) {
  const settings = { rateLimitExempt: true, workerQuota: 1_000_000 - 1, latencyMs, requestLogSize: 20_000 };
  const emulator = await startEmulator({ settings });
  return { emulator, service: new Control(emulator), [Symbol.asyncDispose]: () => emulator.stop() };
}
