/*
 * Whose CPU time a run takes: of the engine, of Node, of Pulumi's SDK and what it loads, and ours. From a CPU profile of each
 * of Node's processes, beside the same for resources that do nothing.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Comparison, compare, type Figures } from "./compare";
import { type Meter, newMeter } from "./meter";
import type { BenchOptions } from "./options";
import { dynamic, idle, native } from "./programs";
import { newSide } from "./provider";

export async function owners(
  { rounds, counts }: BenchOptions,
  report: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  for (const count of counts) {
    const side = (name: string, subject: typeof dynamic) => newSide(name, subject, count, 0, { meter: newProfiler });
    const sides = [side("idle", idle), side("dynamic", dynamic), side("native", native)] as const;
    const { rows, ...comparison } = await compare(`CPU seconds by owner, ${count} resources`, rounds, sides);
    const names = ["engine", "Node", ...OWNERS.map(([name]) => name)];
    await report({ ...comparison, rows: rows.filter(({ measure }) => names.includes(measure)) });
  }
}

/** A meter that tells the owners. */
async function newProfiler(): Promise<Meter> {
  const meter = await newMeter();
  const folder = await mkdtemp(join(tmpdir(), "computecloud-owners-"));
  const preload = join(folder, "profile.cjs");
  await writeFile(preload, PROFILES);
  return {
    env: { ...meter.env, NODE_OPTIONS: `--require=${preload}`, BENCH_PROFILES: folder },
    read: async () => readOwners(folder, (await meter.read()).cpu ?? 0),
    async [Symbol.asyncDispose]() {
      await meter[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** By the path of a function's file, the first that fits. */
const OWNERS: readonly (readonly [owner: string, files: RegExp])[] = [
  ["gRPC, protobuf", /node_modules\/(@grpc|google-protobuf|@protobufjs|protobufjs|long)\//],
  ["zod", /node_modules\/zod\//],
  ["undici, graphql", /node_modules\/(undici|graphql|graphql-request|dataloader)\//],
  ["Pulumi's SDK", /node_modules\//],
  ["this package", /\/dist\/(sdk|provider)\//],
];

/** All that is left of the commands' time is the engine's. */
async function readOwners(folder: string, cpu: number): Promise<Figures> {
  const figures: Record<string, number> = { engine: cpu, Node: 0 };
  for (const [owner] of OWNERS) figures[owner] = 0;
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".profile"))) {
    const { seconds, byFile } = JSON.parse(await readFile(join(folder, file), "utf8")) as Profile;
    figures.engine = (figures.engine ?? 0) - seconds;
    let left = seconds;
    // A profile has the time on the clock: of a process that waits for a core it has too much.
    const all = Object.values(byFile).reduce((sum, each) => sum + each, 0);
    for (const [path, each] of Object.entries(byFile)) {
      const owner = OWNERS.find(([, files]) => files.test(path))?.[0];
      if (owner === undefined) continue;
      const share = each * Math.min(1, seconds / all);
      figures[owner] = (figures[owner] ?? 0) + share;
      left -= share;
    }
    // Its start, collection of garbage, timers, and threads that the profile does not see.
    figures.Node = (figures.Node ?? 0) + left;
    await rm(join(folder, file));
  }
  return figures;
}

interface Profile {
  readonly seconds: number;
  readonly byFile: Readonly<Record<string, number>>;
}

/** The engine kills its providers, so that each process writes down what it has while it runs. */
const PROFILES = `
  const [, script = ""] = process.argv;
  if (/cmd[\\\\/]run|dynamic-provider|engine[\\\\/]plugin/.test(script)) {
    const { Session } = require("node:inspector");
    const { renameSync, writeFileSync } = require("node:fs");
    const file = require("node:path").join(process.env.BENCH_PROFILES, process.pid + ".profile");
    const session = new Session();
    session.connect();
    const byFile = {};
    const note = () => {
      session.post("Profiler.stop", (error, { profile }) => {
        const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
        for (const node of profile.nodes) for (const id of node.children ?? []) nodes.get(id).parent = node;
        // What Node does, it does for the module that called it: loading counts as the loader's.
        const isFile = ({ callFrame }) => callFrame.url !== "" && !callFrame.url.startsWith("node:");
        const fileOf = (node) => (isFile(node) ? node.callFrame.url : node.parent && fileOf(node.parent));
        profile.samples.forEach((id, index) => {
          const node = nodes.get(id);
          if (node.callFrame.functionName === "(idle)") return;
          const path = fileOf(node) || "node";
          byFile[path] = (byFile[path] || 0) + profile.timeDeltas[index] / 1e6;
        });
      });
      const { userCPUTime, systemCPUTime } = process.resourceUsage();
      writeFileSync(file + ".new", JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, byFile }));
      renameSync(file + ".new", file);
      session.post("Profiler.start");
    };
    session.post("Profiler.enable");
    session.post("Profiler.start");
    setInterval(note, 200).unref();
    process.on("exit", note);
  }
`;
