import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { getEngine } from "../engine/engine";
import { pathWith } from "../run/environment";
import type { Figures } from "./compare";

export interface Meter {
  /** For the commands that are measured. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * What the commands since the last read took: seconds of CPU, in all and of each part, and the most memory of a process of
   * ours. CPU time tells more than the clock on a machine that others use as well.
   */
  read(): Promise<Figures>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function newMeter(): Promise<Meter> {
  const folder = await mkdtemp(join(tmpdir(), "computecloud-bench-"));
  const { folder: engineFolder } = await getEngine();
  const times = join(folder, "times");
  const script = `#!/bin/sh\n"${join(engineFolder, "pulumi")}" "$@"\ncode=$?\ntimes >>"${times}"\nexit $code\n`;
  await writeFile(join(folder, "pulumi"), script, { mode: 0o755 });
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
      const peak = (part: Usage["part"]) => Math.max(0, ...of(part).map(({ kilobytes }) => kilobytes)) / 1024;
      return {
        cpu,
        "engine cpu": cpu - secondsOf("program") - secondsOf("provider"),
        "program cpu": secondsOf("program"),
        "provider cpu": secondsOf("provider"),
        "peak, MB": peak("provider"),
        "program peak, MB": peak("program"),
      };
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true });
    },
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
