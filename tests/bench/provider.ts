/*
 * Whole runs of the engine: templates and endpoints on them, beside as many dynamic resources that do nothing. The
 * engine's own cost is the floor; what counts is the ratio to it.
 */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startEmulator } from "../emulator";
import { pathWith } from "../harness/checkout";
import { Control } from "../harness/control";
import { getEngine } from "../harness/engine/engine";
import type { Program } from "../harness/program";
import { newStack } from "../harness/stack";
import type { Update } from "../harness/update";
import { type Comparison, compare, type Figures, type Side, type Targets } from "./compare";
import type { BenchOptions } from "./options";
import { closure, dynamic, floor, idle, native, type Shape } from "./programs";

type Subject = (shape: Shape) => Program;

const SUBJECTS: Readonly<Record<string, Subject>> = { idle, dynamic, native, closure };

const TARGETS: Targets = {
  dynamic: { up: 1.25, destroy: 1.25, "no-op": 1.1, preview: 1.1, refresh: 1.15, "up state": 1.4 },
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
      const targets = latencyMs === 0 ? TARGETS : {};
      await report(await compare(title, rounds, [newSide("floor", floor, count, latencyMs), ...others], targets));
    }
  }
}

function newSide(name: string, subject: Subject, count: number, latencyMs: number): Side {
  return {
    name,
    async round() {
      await using meter = await newMeter();
      const emulator = await startEmulator({ settings: { rateLimitExempt: true, latencyMs, requestLogSize: 20_000 } });
      try {
        const service = new Control(emulator);
        await using stack = await newStack({ program: subject({ count, changed: 1 }), emulator, env: meter.env });
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
        await stack.edit(subject({ count, changed: 2 }));
        const update = await measured(() => stack.up());
        const destroy = await measured(() => stack.destroy());
        return { planned, up: { ...up, state }, "no-op": noOp, preview, refresh, update, destroy };
      } finally {
        await emulator.stop();
      }
    },
  };
}

interface Meter {
  /** For the commands that are measured. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * What the commands since the last read took: seconds of CPU, in all and of each part, and the most memory of a process
   * that runs providers. CPU time tells more than the clock on a machine that others use as well.
   */
  read(): Promise<Figures>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function newMeter(): Promise<Meter> {
  const folder = await mkdtemp(join(tmpdir(), "computecloud-bench-"));
  const { folder: engineFolder } = await getEngine();
  const times = join(folder, "times");
  await writeFile(
    join(folder, "pulumi"),
    `#!/bin/sh\n"${join(engineFolder, "pulumi")}" "$@"\ncode=$?\ntimes >>"${times}"\nexit $code\n`,
  );
  await chmod(join(folder, "pulumi"), 0o755);
  const preload = join(folder, "usage.cjs");
  await writeFile(preload, NOTES_USAGE);
  const env = {
    PATH: `${folder}${delimiter}${pathWith(engineFolder)}`,
    NODE_OPTIONS: `--require=${preload}`,
    BENCH_USAGES: folder,
  };
  return {
    env,
    async read() {
      const cpu = cpuSeconds(await readFile(times, "utf8").catch(() => ""));
      const files = (await readdir(folder)).filter((file) => file.endsWith(".usage"));
      const usages = await Promise.all(
        files.map(async (file) => JSON.parse(await readFile(join(folder, file), "utf8")) as Usage),
      );
      for (const file of [...files, "times"]) await rm(join(folder, file), { force: true });
      const of = (wanted: Usage["part"]) => usages.filter(({ part }) => part === wanted);
      const secondsOf = (part: Usage["part"]) => of(part).reduce((sum, { seconds }) => sum + seconds, 0);
      return {
        cpu,
        "engine cpu": cpu - secondsOf("program") - secondsOf("provider"),
        "program cpu": secondsOf("program"),
        "provider cpu": secondsOf("provider"),
        "peak, MB": Math.max(0, ...of("provider").map(({ kilobytes }) => kilobytes)) / 1024,
      };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** Each line of `times` is user and system time, such as `0m1.20s 0m0.30s`: of the shell, and of what it ran. */
function cpuSeconds(text: string): number {
  const all = [...text.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  );
  return all.reduce((sum, each) => sum + each, 0);
}

interface Usage {
  readonly part: "program" | "provider";
  readonly seconds: number;
  readonly kilobytes: number;
}

/** The engine kills its providers, so that each process notes what it used while it runs. */
const NOTES_USAGE = `
  const [, script = ""] = process.argv;
  const part = /cmd[\\/]run/.test(script) ? "program" : /dynamic-provider|engine[\\/]plugin/.test(script) && "provider";
  if (part) {
    const { renameSync, writeFileSync } = require("node:fs");
    const { join } = require("node:path");
    const file = join(process.env.BENCH_USAGES, process.pid + ".usage");
    const note = () => {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      writeFileSync(file + ".new", JSON.stringify({ part, seconds: (userCPUTime + systemCPUTime) / 1e6, kilobytes: maxRSS }));
      renameSync(file + ".new", file);
    };
    setInterval(note, 50).unref();
    process.on("exit", note);
  }
`;
