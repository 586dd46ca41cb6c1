/*
 * Whole runs of the engine: templates and endpoints on them, beside as many dynamic resources that do nothing. The
 * engine's own cost is the floor; what counts is the ratio to it.
 */
import { existsSync } from "node:fs";
import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
import { Control } from "../run/control";
import type { EmulatorAddresses } from "../run/environment";
import { type Program, programFiles } from "../run/program";
import { newStack, type Stack } from "../run/stack";
import type { Update } from "../run/update";
import { type Comparison, compare, type Figures, type Side, type Targets } from "./compare";
import { newMeter } from "./meter";
import type { BenchOptions } from "./options";
import { dynamic, floor, idle, native, official, type Shape } from "./programs";

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
  { rounds, counts, latencies, sides, official: folder }: BenchOptions,
  report: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  const chosen = Object.entries(SUBJECTS).filter(([name]) => sides.length === 0 || sides.includes(name));
  const theirs = folder === undefined ? undefined : officialIn(folder);
  for (const count of counts) {
    for (const latencyMs of latencies) {
      const title = `${count} resources, ${latencyMs} ms`;
      const side = (name: string, subject: Subject, installed?: Installed) =>
        newSide(name, (changed) => subject({ count, changed }), {
          latencyMs,
          installed,
          isQuick: name === "quick-start",
        });
      const others = chosen.map(([name, subject]) => side(name, subject));
      if (theirs !== undefined) others.push(side("official", official, theirs));
      // Waiting for the service is part of the work: no target holds for its ratio to a floor that calls nothing.
      const targets = latencyMs > 0 ? {} : count > SMALL ? TARGETS : SMALL_TARGETS;
      await report(await compare(title, rounds, [side("floor", floor), ...others], targets));
    }
  }
}

/** Another provider or build of the package, for a project to use. */
export interface Installed {
  readonly plugin: { readonly name: string; readonly path: string };
  /** Puts the package for programs into a folder `node_modules`. */
  install(packages: string): Promise<void>;
  env?(emulator: EmulatorAddresses): Readonly<Record<string, string>>;
}

/** @param folder of a build of this package */
export const releaseIn = (folder: string): Installed => ({
  plugin: { name: "computecloud", path: join(folder, "provider/bin") },
  install: (packages) => symlink(folder, join(packages, "pulumi-computecloud")),
});

/**
 * The service's own provider `@runpod/pulumi`, built elsewhere. Its plugin is no process of Node, so that `cpu` has its CPU time,
 * and `engine cpu` too, but no column its memory.
 *
 * @param folder with the executable `pulumi-resource-runpod` and the compiled package for programs as `sdk`
 */
function officialIn(folder: string): Installed {
  const sdk = join(folder, "sdk");
  for (const path of [join(folder, "pulumi-resource-runpod"), join(sdk, "package.json")])
    if (!existsSync(path))
      throw new Error(
        `${path} is missing: --official needs a folder with the executable pulumi-resource-runpod and, as sdk, ` +
          "the compiled package @runpod/pulumi",
      );
  return {
    plugin: { name: "runpod", path: folder },
    // A copy, because a link's modules would look for Pulumi's SDK beside its target.
    install: (packages) => cp(sdk, join(packages, "@runpod/pulumi"), { recursive: true }),
    env: ({ apiKey, graphqlUrl }) => ({ RUNPOD_API_KEY: apiKey, RUNPOD_API_URL: graphqlUrl }),
  };
}

function withPlugin(program: Program, plugin: Installed["plugin"]): Program {
  if (typeof program === "object" && "folder" in program) return program;
  const { "Pulumi.yaml": settings = "{}", ...others } = programFiles(program);
  const plugins = { providers: [plugin] };
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
  /** Default: this checkout. */
  readonly installed?: Installed | undefined;
  /** Whether Pulumi's processes preload the package's quick start. */
  readonly isQuick?: boolean;
}

/** @param programOf gets what every tenth resource declares: 1, and in the step `update` 2 */
export function newSide(
  name: string,
  programOf: (changed: number) => Program,
  { latencyMs = 0, installed, isQuick = false }: SideOptions = {},
): Side {
  const project = (changed: number) =>
    installed === undefined ? programOf(changed) : withPlugin(programOf(changed), installed.plugin);
  return {
    name,
    async round() {
      await using meter = await newMeter();
      await using cloud = await newCloud(latencyMs);
      const { emulator, service } = cloud;
      const NODE_OPTIONS = `${meter.env.NODE_OPTIONS}${isQuick ? " --require=pulumi-computecloud/quick-start" : ""}`;
      const env = { ...meter.env, NODE_OPTIONS, ...installed?.env?.(emulator) };
      await using stack = await newStack({ program: project(1), emulator, env, asUsers: true });
      if (installed !== undefined) {
        const packages = join(stack.project, "node_modules");
        await mkdir(packages);
        await installed.install(packages);
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
