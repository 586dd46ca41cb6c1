import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { nameOfUrn } from "../../common/urn";
import { isErrno, signalGroup } from "../../tools/run/process";
import { readEvents, type Stack } from "../../tools/run/stack";
import type { EngineEvent } from "../../tools/run/update";
import type { Trouble, Victim } from "./faults";
import type { HostileProxy } from "./hostileProxy";

/** How long a run may show neither a call nor an event. Many times any wait of the provider: bounds a hang. */
const LONGEST_QUIET_MS = 120_000;
/** The same, where the engine is known to hang. */
const STUCK_AFTER_MS = 5_000;

/** What the engine did, or was about to do, with one resource. */
export interface Op {
  readonly op: string;
  readonly urn: string;
  readonly paths: readonly string[];
}

export interface Run {
  readonly command: string;
  /** Undefined where the run was told to end: a destroy that is cancelled ends with 0, whatever it has left. */
  readonly exitCode: number | undefined;
  /** Somebody was killed, and may not have reported all. After one Ctrl-C or SIGTERM a run ends in good order. */
  readonly killed: Exclude<Victim, "Ctrl-C" | "SIGTERM"> | undefined;
  readonly output: string;
  /** What the preview said; empty without one. */
  readonly planned: readonly Op[];
  readonly done: readonly Op[];
  /** From `info` up. */
  readonly messages: readonly string[];
  /** Errors, each with the logical name of the resource that it is about. */
  readonly errors: readonly { readonly about: string; readonly message: string }[];
  /** What its calls met. */
  readonly met: readonly string[];
}

interface RunOptions {
  readonly trouble: Trouble;
  readonly env?: Readonly<Record<string, string>>;
  /** What somebody else does before the run's first write. */
  readonly meanwhile?: (() => Promise<void>) | undefined;
}

/**
 * A command of the engine, with the faults of its run.
 *
 * @throws Error when it doesn't end
 */
export async function runEngine(
  stack: Stack,
  proxy: HostileProxy,
  args: readonly string[],
  { trouble, env = {}, meanwhile }: RunOptions,
): Promise<Run> {
  const eventLog = join(stack.folder, `events-${stack.name}.json`);
  await rm(eventLog, { force: true });
  const whole = [...args, "--non-interactive", "--event-log", eventLog];
  const engine = spawn("pulumi", whole, {
    cwd: stack.project,
    env: { ...stack.env, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pid = Number(engine.pid);
  const printed: string[] = [];
  for (const stream of [engine.stdout, engine.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed.push(text);
      if (victim === "Ctrl-C twice" && text.includes("^C received; cancelling")) engine.kill("SIGINT");
    });
  }
  let victim: Victim | undefined;
  let over = false;
  proxy.begin(trouble, {
    kill() {
      if (over || victim !== undefined) return;
      victim = trouble.kill?.victim;
      if (victim === "engine") signalGroup(pid, "SIGKILL");
      else if (victim === "provider") void killProvider(pid);
      else engine.kill(victim === "SIGTERM" ? "SIGTERM" : "SIGINT");
    },
    firstWrite: async () => meanwhile?.(),
  });
  let hung = false;
  let quietSince = Date.now();
  let seen = 0;
  const watch = setInterval(async () => {
    const log = await readEvents(eventLog);
    if (log.length !== seen) quietSince = Date.now();
    seen = log.length;
    const quietMs = Date.now() - Math.max(proxy.lastCallAt, quietSince);
    const stuck = quietMs > STUCK_AFTER_MS && args.includes("--continue-on-error") && log.some(isStuckAfter);
    hung = !stuck && quietMs > LONGEST_QUIET_MS;
    if (over || !(stuck || hung)) return;
    victim = "engine";
    signalGroup(pid, "SIGKILL");
  }, 1_000);
  const [code] = await once(engine, "close");
  over = true;
  clearInterval(watch);
  await proxy.end();
  const output = printed.join("");
  if (hung) throw new Error(`pulumi ${args.join(" ")} showed neither a call nor an event for long:\n${output}`);
  // What a person does after a killed run, by `pulumi cancel`: the lock is the dead engine's.
  if (victim !== undefined && victim !== "provider")
    await rm(join(stack.folder, "backend", ".pulumi", "locks"), { recursive: true, force: true });
  const events = await readEvents(eventLog);
  const ops = (isPlanned: boolean): Op[] =>
    events.flatMap(({ resOutputsEvent: event }) => {
      if (event === undefined || (event.planning ?? false) !== isPlanned) return [];
      const { op, urn, type, detailedDiff } = event.metadata;
      return type.startsWith("pulumi:") ? [] : [{ op, urn, paths: Object.keys(detailedDiff ?? {}) }];
    });
  const said = events.flatMap(({ diagnosticEvent: each }) => (each && each.severity !== "debug" ? [each] : []));
  const killed = victim === "Ctrl-C" || victim === "SIGTERM" ? undefined : victim;
  return {
    command: `pulumi ${args.join(" ")}`,
    exitCode: killed === victim ? (code ?? undefined) : undefined,
    killed,
    output,
    planned: ops(true),
    done: ops(false),
    messages: said.map(({ message }) => message),
    errors: said.flatMap(({ severity, urn, message }) =>
      severity === "error" && urn !== undefined ? [{ about: nameOfUrn(urn), message }] : [],
    ),
    met: proxy.met,
  };
}

/**
 * With `--continue-on-error` the engine (3.250) never answers the program's registration when the delete of a
 * delete-before-replace fails: it drops the rest of that chain of steps without failing it. A person presses Ctrl-C.
 */
const isStuckAfter = ({ resOpFailedEvent }: EngineEvent): boolean =>
  resOpFailedEvent?.metadata.op === "delete-replaced";

/** The process that makes resources: Pulumi's dynamic provider, or the plugin. */
const PROVIDER = /dynamic-provider|engine\/plugin\/main/;

async function killProvider(engine: number): Promise<void> {
  const { stdout } = await promisify(execFile)("ps", ["-axww", "-o", "pid=,ppid=,args="]);
  const processes = stdout.split("\n").flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
  const descends = (pid: number): boolean => {
    const parent = processes.find((each) => each.pid === pid)?.parent;
    return parent !== undefined && parent > 1 && (parent === engine || descends(parent));
  };
  const provider = processes.find(({ pid, command }) => PROVIDER.test(command) && descends(pid));
  try {
    if (provider !== undefined) process.kill(provider.pid, "SIGKILL");
  } catch (error) {
    // It ended by itself meanwhile.
    if (!isErrno(error, "ESRCH")) throw error;
  }
}
