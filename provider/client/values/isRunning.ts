import { readFileSync } from "node:fs";

/**
 * Whether the process that wrote a file still runs. If so, its files must not be touched. Not certain: the system may have
 * given the id to another process.
 *
 * @param id the process's id; files of earlier versions have none
 */
export function isRunning(id: number | undefined): boolean {
  if (id === undefined) return false;
  try {
    process.kill(id, 0);
  } catch (error) {
    // With EPERM the process exists, but belongs to another user.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return !isZombie(id);
}

/**
 * Whether a process has ended without its parent taking note. A provider whose engine was killed gets the container's first
 * process as its parent, and one that is no init leaves it a zombie for as long as the container lives.
 */
function isZombie(id: number): boolean {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // The state follows the name, which is in parentheses and may hold any character.
    return stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
  } catch {
    // Only Linux has this file.
    return false;
  }
}
