import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmulator } from "../emulator";
import { Control } from "../harness/control";
import { isErrno, signalGroup } from "../harness/process";
import { programOf, type Resources } from "../harness/scenario";
import { newStack, type Stack, type StateResource } from "../harness/stack";
import type { EngineEvent } from "../harness/update";
import { type HostileProxy, startHostileProxy } from "./hostileProxy";
import { type Batch, batchOf, type Run, SECRET } from "./schedules";

/** Schedules that share a stack; one engine run serves all of them. More cost time: the engine's grows with the state. */
export const BATCH_SIZE = 50;

/** How many clean runs may be needed after the faults have ended. */
const MOST_FURTHER_UPS = 3;

/** The account's one list of keys, which is no record of its own. */
const SSH_KEYS = "account";

/** How long a faulty run may show neither a call nor an event. Many times any wait of the provider: bounds a hang. */
const LONGEST_QUIET_MS = 240_000;

/** The same, where the engine is known to wait for ever. */
const STUCK_AFTER_MS = 10_000;

/** Who makes the resources: Pulumi's dynamic provider with ours in it, or the plugin. */
export type Host = "dynamic" | "native";

/** Stands in the command line of the process that makes resources. */
const PROCESSES: Readonly<Record<Host, string>> = { dynamic: "dynamic-provider", native: "engine/plugin/main" };

/** A schedule that did not end as it has to. */
export class ChaosError extends Error {
  override readonly name = "ChaosError";
}

export interface BatchReport {
  readonly seed: number;
  readonly host: Host;
  readonly schedules: number;
  readonly resources: number;
  /** Calls that met a fault. */
  readonly faults: number;
  /** Runs in which the engine or the provider was killed. */
  readonly kills: number;
  /** Clean runs that each program needed, the last of which changed nothing or ended well. */
  readonly furtherUps: readonly number[];
  readonly seconds: number;
}

/**
 * Runs the batch of a seed, which the plugin makes where it is even: two programs, each in a run full of faults, with
 * kills, and then without until it is green. Then the service has to hold exactly what the program declares, and the state
 * to name exactly that.
 *
 * @throws ChaosError with what differs, and all that is needed to see why
 */
export async function runBatch(seed: number, size: number): Promise<BatchReport> {
  const began = performance.now();
  const host = seed % 2 === 0 ? "native" : "dynamic";
  const batch = batchOf(seed, size);
  const emulator = await startEmulator({ apiKey: "chaos-key-of-nobody" });
  const service = new Control(emulator);
  const proxy = await startHostileProxy(emulator.baseUrl);
  const graphqlUrl = new URL(new URL(emulator.graphqlUrl).pathname, proxy.baseUrl).href;
  const stack = await newStack({
    program: "",
    emulator: { ...emulator, baseUrl: proxy.baseUrl, graphqlUrl },
    // Short, so that a schedule meets the end of the client's patience as well; kills and late work need no more.
    env: { COMPUTECLOUD_RETRY_TIMEOUT: "4s", PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true" },
  });
  const world: World = { host, batch, stack, service, proxy, output: [], kills: 0 };
  try {
    const furtherUps: number[] = [];
    for (const [index, phase] of (["first", "second"] as const).entries()) {
      const declared = Object.assign({}, ...batch.schedules.map((schedule) => schedule[phase])) as Resources;
      await stack.edit(programOf(host === "native" ? withProvider(declared) : declared));
      for (const run of batch.runs[index] ?? []) await faultyUp(world, run);
      furtherUps.push(await untilGreen(world, `${phase} program`));
      await compare(world, declared, `${phase} program`);
    }
    await expectNoDifference(world);
    await searchSecrets(world, emulator.apiKey);
    const resources = batch.schedules.flatMap(({ first, second }) => [...Object.keys(first), ...Object.keys(second)]);
    const seconds = (performance.now() - began) / 1000;
    return {
      seed,
      host,
      schedules: size,
      resources: resources.length,
      faults: proxy.met.length,
      kills: world.kills,
      furtherUps,
      seconds,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ChaosError(
      [
        `npm run chaos -- --schedules ${size} --batch ${size} --seed ${seed} shows this again:`,
        reason,
        "",
        "Met:",
        ...proxy.met,
        "",
        ...world.output,
      ].join("\n"),
      { cause: error },
    );
  } finally {
    await proxy[Symbol.asyncDispose]();
    await emulator.stop();
    await stack.remove();
  }
}

function withProvider(resources: Resources): Resources {
  const all = Object.entries(resources).map(([name, each]) => [name, { ...each, options: { provider: "$cloud" } }]);
  return { cloud: { kind: "Provider", args: {} }, ...Object.fromEntries(all) };
}

interface World {
  readonly host: Host;
  readonly batch: Batch;
  readonly stack: Stack;
  readonly service: Control;
  readonly proxy: HostileProxy;
  /** All that commands printed. */
  readonly output: string[];
  kills: number;
}

/**
 * A run whose calls meet their fates, and that may be killed. How it ends is of no matter.
 *
 * @throws Error when it doesn't end
 */
async function faultyUp(world: World, { kill, refresh, continueOnError }: Run): Promise<void> {
  const { host, batch, stack, proxy, output } = world;
  const eventLog = join(stack.folder, "faulty.json");
  await rm(eventLog, { force: true });
  const args = ["up", "--yes", "--skip-preview", "--non-interactive", "--event-log", eventLog];
  if (refresh) args.push("--refresh");
  if (continueOnError) args.push("--continue-on-error");
  const engine = spawn("pulumi", args, {
    cwd: stack.project,
    env: stack.env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pid = Number(engine.pid);
  const lines: string[] = [`$ pulumi ${args.join(" ")}\n`];
  for (const stream of [engine.stdout, engine.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => lines.push(text));
  }
  let lastCall = Date.now();
  let over = false;
  let killed = false;
  const killEngine = (why: string) => {
    killed = true;
    lines.push(`killed: the engine${why}\n`);
    signalGroup(pid, "SIGKILL");
  };
  proxy.fates = batch.schedules.map(({ fates }) => fates);
  proxy.onCall = (nth) => {
    lastCall = Date.now();
    if (nth !== kill?.atCall || over) return;
    world.kills += 1;
    if (kill.victim === "engine") killEngine("");
    else {
      lines.push("killed: the provider\n");
      void killProvider(pid, host);
    }
  };
  let hung = false;
  const watch = setInterval(async () => {
    const log = await readLog(eventLog);
    const quietMs = Date.now() - Math.max(lastCall, log.changedAt);
    if (over || killed) return;
    if (quietMs > STUCK_AFTER_MS && continueOnError && log.events.some(isStuckAfter)) {
      killEngine(", which waits for ever");
    }
    hung = quietMs > LONGEST_QUIET_MS;
    if (hung) killEngine(", for it shows no sign of life");
  }, 1_000);
  await once(engine, "close");
  over = true;
  clearInterval(watch);
  proxy.onCall = undefined;
  proxy.fates = undefined;
  output.push(lines.join(""));
  await proxy.idle();
  if (hung) throw new Error(`a faulty run showed neither a call nor an event for ${LONGEST_QUIET_MS / 1000} s`);
  // What a person does after a killed run: the lock is the dead engine's.
  if (killed) await stack.pulumi(["cancel", "--yes", stack.name]);
}

/**
 * With `--continue-on-error` the engine (3.250) never answers the program's registration when the delete of a
 * delete-before-replace fails: it drops the rest of that chain of steps without failing it. A person presses Ctrl-C.
 */
function isStuckAfter({ resOpFailedEvent }: EngineEvent): boolean {
  return resOpFailedEvent?.metadata.op === "delete-replaced";
}

/** The events that stand in a log which is still being written. */
async function readLog(path: string): Promise<{ events: EngineEvent[]; changedAt: number }> {
  try {
    const { mtimeMs: changedAt } = await stat(path);
    const text = await readFile(path, "utf8");
    return {
      events: text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
      changedAt,
    };
  } catch (error) {
    if (isErrno(error, "ENOENT")) return { events: [], changedAt: 0 };
    throw error;
  }
}

async function killProvider(engine: number, host: Host): Promise<void> {
  const { stdout } = await promisify(execFile)("ps", ["-axww", "-o", "pid=,ppid=,args="]);
  const processes = stdout.split("\n").flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
  const descends = (pid: number): boolean => {
    const parent = processes.find((each) => each.pid === pid)?.parent;
    return parent !== undefined && parent > 1 && (parent === engine || descends(parent));
  };
  const provider = processes.find(({ pid, command }) => command.includes(PROCESSES[host]) && descends(pid));
  if (provider !== undefined) process.kill(provider.pid, "SIGKILL");
}

/**
 * Nobody kills a clean run: its state is written once, at its end, which spares most of the engine's work. The faulty
 * runs before it leave theirs as every user's run does.
 */
const STATE_AT_END = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** Runs without faults, until one ends well. */
async function untilGreen({ stack, output }: World, what: string): Promise<number> {
  for (let ups = 1; ; ups += 1) {
    try {
      const { stdout, stderr } = await stack.up({ env: STATE_AT_END });
      output.push(stdout, stderr);
      return ups;
    } catch (error) {
      output.push(error instanceof Error ? error.message : String(error));
      if (ups === MOST_FURTHER_UPS) throw new Error(`${what}: still failing after ${ups} further ups`);
    }
  }
}

/** The service holds what the program declares and nothing else, and the state names exactly that. */
async function compare({ stack, service }: World, declared: Resources, what: string): Promise<void> {
  const recorded = (await stack.resources()).map((each) => ({ ...each, name: each.urn.split("::").pop() ?? "" }));
  const names = recorded.map(({ name }) => name).sort();
  const wanted = Object.keys(declared).sort();
  if (names.join() !== wanted.join()) throw new Error(`${what}: the state names ${names}, the program ${wanted}`);

  const { pods, clusters, endpoints, templates, networkVolumes, registries, delegations } = await service.state();
  const machines = pods.filter((pod) => pod.cluster === null);
  const there = [machines, clusters, endpoints, templates, networkVolumes, registries, delegations].flat();
  const kept = recorded.flatMap(({ name, ...resource }) => keptBy(resource).map((id) => ({ name, id })));
  const known = new Set(kept.map(({ id }) => id));
  const orphans = there.filter(({ id }) => !known.has(id));
  if (orphans.length > 0) {
    throw new Error(`${what}: nobody knows of ${orphans.map(({ id, name }) => `${name} (${id})`).join(", ")}`);
  }
  const missing = kept.filter(({ id }) => !there.some((each) => each.id === id));
  if (missing.length > 0) throw new Error(`${what}: the state names what is gone: ${JSON.stringify(missing)}`);
}

/** The ids of all that a resource is to the service. */
function keptBy({ type, id, outputs = {} }: StateResource): unknown[] {
  if (!type.endsWith(":ServerlessFleet")) return id === SSH_KEYS ? [] : [id];
  return [outputs.ids, outputs.templateIds].flatMap((ids) => Object.values({ ...(ids as object) }));
}

/** What the service holds is what the program declares, field by field. */
async function expectNoDifference({ stack, output }: World): Promise<void> {
  const preview = await stack.preview({ args: ["--refresh"] });
  output.push(preview.stdout, preview.stderr);
  const differing = preview.steps.filter(({ op }) => op !== "same" && op !== "refresh" && op !== "read");
  if (differing.length > 0) {
    throw new Error(`green, and yet a preview shows ${differing.map(({ op, name }) => `${op} ${name}`).join(", ")}`);
  }
}

/** No output, log or state holds a secret or the key in clear. */
async function searchSecrets({ stack, output }: World, apiKey: string): Promise<void> {
  const texts = await stack.written();
  for (const [where, text] of texts.set("what commands printed", output.join("\n"))) {
    for (const secret of [SECRET, apiKey]) {
      const at = text.indexOf(secret);
      if (at >= 0) throw new Error(`a secret stands in ${where}: …${text.slice(Math.max(0, at - 200), at + 60)}…`);
    }
  }
}
