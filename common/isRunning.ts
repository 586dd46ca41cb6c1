import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { once } from "./cached";

/** A process, as a file names it. */
export interface ProcessMark {
  process: number;
  host: string;
  /** The boot of the system and the container, where the system tells them: only there the process's id has a meaning. */
  machine?: string | undefined;
  /** When the process began, in ticks of the system, where it tells. */
  started?: string | undefined;
}

/** The mark of this process. */
export const ownMark = once((): ProcessMark => {
  const { pid } = process;
  return { process: pid, started: startOf(pid), host: hostname(), machine: ownMachine() };
});

function ownMachine(): string | undefined {
  const boot = ifThere(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"))?.trim();
  return boot && `${boot} ${ifThere(() => readlinkSync("/proc/self/ns/pid"))}`;
}

/** When a process began, in ticks of the system; undefined where it doesn't tell, or if there is no such process. */
export const startOf = (id: number): string | undefined => statOf(id)?.started;

/** When a process began, in milliseconds by this one's clock; NaN where the system doesn't tell. Linux counts in 10 ms. */
export function beganAt(id: number): number {
  return performance.timeOrigin + (Number(startOf(id)) - Number(startOf(process.pid))) * 10;
}

/** Whether both processes run in the same container of the same machine, so that one sees whether the other runs. */
export function isBeside(a: Pick<ProcessMark, "host" | "machine">, b: ProcessMark): boolean {
  return a.host === b.host && (a.machine === undefined || b.machine === undefined || a.machine === b.machine);
}

/** Whether a process of this host ended with an earlier boot of it. */
export function isOfEarlierBoot(a: Pick<ProcessMark, "host" | "machine">, now: ProcessMark): boolean {
  const bootOf = (machine: string | undefined) => machine?.split(" ", 1)[0];
  return a.host === now.host && bootOf(a.machine) !== bootOf(now.machine);
}

/** The same of this process and a marked one. */
export const ranHere = (mark: Pick<ProcessMark, "host" | "machine">): boolean => isBeside(mark, ownMark());

/**
 * Whether the process that wrote a file still runs. If so, its files must not be touched. Without `started` this is not
 * certain: the system may have given the id to another process.
 *
 * @param started when it began, by its mark
 */
export function isRunning(id: number, started?: string): boolean {
  try {
    process.kill(id, 0);
  } catch (error) {
    // With EPERM the process exists, but belongs to another user.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  const stat = statOf(id);
  // A zombie has ended without its parent taking note. A provider whose engine was killed gets the container's first process
  // as its parent, and one that is no init leaves it a zombie for as long as the container lives.
  return stat === undefined || (stat.state !== "Z" && (started === undefined || started === stat.started));
}

/** Only Linux tells. */
function statOf(id: number): { state: string | undefined; started: string | undefined } | undefined {
  const stat = ifThere(() => readFileSync(`/proc/${id}/stat`, "utf8"));
  if (stat === undefined) return undefined;
  // The fields follow the name, which is in parentheses and may hold any character.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0], started: fields[19] };
}

function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
