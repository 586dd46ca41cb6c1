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
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
