import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { isErrno, run } from "../run/process";
import { neededEnv } from "./environment";
import { ENGINE_VERSION } from "./way";

/** Beside the programs: which version they are, and what each of them is, by its SHA-256. */
const SEAL = "sums.json";

/**
 * Records what was put into a folder, once it is seen to be the version that was asked for.
 *
 * @returns what is wrong with it, or undefined
 */
export async function seal(folder: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { stdout } = await run(join(folder, "pulumi"), ["version"], {
    env: { ...neededEnv(env), PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeoutMs: 30_000,
  });
  if (stdout.trim().replace(/^v/, "") !== ENGINE_VERSION) return `says it is version "${stdout.trim()}"`;
  await writeFile(join(folder, SEAL), await contents(folder));
  return undefined;
}

/** Whether a folder holds what was recorded, byte by byte. 130 MB are read again when a file has changed since. */
export async function isSealed(folder: string): Promise<boolean> {
  try {
    const recorded = await readFile(join(folder, SEAL), "utf8");
    const seen = `${folder}.seen`;
    const changes = recorded + (await lastChanges(folder));
    if ((await readFile(seen, "utf8").catch(() => undefined)) === changes) return true;
    if (recorded !== (await contents(folder))) return false;
    // A cache that can't be written is read each time.
    await writeFile(seen, changes).catch(() => undefined);
    return true;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    throw error;
  }
}

/** Of each program, what no write leaves as it was. */
async function lastChanges(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort();
  const each = await Promise.all(
    names.map(async (name) => {
      const { ino, size, ctimeNs } = await stat(join(folder, name), { bigint: true });
      return [name, ino, size, ctimeNs].join(" ");
    }),
  );
  return each.join("\n");
}

async function contents(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== SEAL).sort();
  const sums = await Promise.all(names.map(async (name) => [name, await sum(join(folder, name))]));
  return JSON.stringify({ version: ENGINE_VERSION, sha256: Object.fromEntries(sums) });
}

async function sum(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
