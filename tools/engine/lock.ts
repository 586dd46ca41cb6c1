import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isErrno } from "../run/process";

export interface LockOptions {
  /** A holder that has not shown life for this long is dead. */
  staleMs?: number;
  pollMs?: number;
  /** Called once, when someone else holds the lock. */
  onWait?: () => void;
  /** Ends the waiting. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs `work` while holding a lock that all processes of the machine see: a folder, which only one of them can make.
 *
 * Two processes that find the same dead holder at the same instant may both go on. So `work` must be harmless when done
 * twice; the lock only saves doing it twice.
 */
export async function withLock<T>(folder: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const { staleMs = 30_000, pollMs = 250, signal } = options;
  await mkdir(dirname(folder), { recursive: true });
  for (let waited = false; !(await tryLock(folder)); waited = true) {
    if (!waited) options.onWait?.();
    if (await isStale(folder, staleMs)) await breakLock(folder);
    else await delay(pollMs, undefined, { signal });
  }
  const heartbeat = setInterval(() => void utimes(folder, new Date(), new Date()).catch(() => undefined), staleMs / 5);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(folder, { recursive: true, force: true });
  }
}

async function tryLock(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  }
}

async function isStale(folder: string, staleMs: number): Promise<boolean> {
  try {
    return Date.now() - (await stat(folder)).mtimeMs > staleMs;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    throw error;
  }
}

async function breakLock(folder: string): Promise<void> {
  const aside = `${folder}.${randomUUID()}`;
  try {
    await rename(folder, aside);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
  }
  await rm(aside, { recursive: true, force: true });
}
