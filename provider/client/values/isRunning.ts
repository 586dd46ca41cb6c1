/**
 * Whether the process that wrote a note still runs: what it notes is its own matter.
 *
 * @param process its id; notes of earlier versions have none
 */
export function isRunning(id: number | undefined): boolean {
  if (id === undefined) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // It belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
