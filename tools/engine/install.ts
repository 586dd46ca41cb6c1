import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { inCache } from "./find";
import { withLock } from "./lock";
import { seal } from "./seal";
import type { Closed, Engine, EngineContext } from "./way";

/**
 * Fills the machine's cache once: `fill` works in a folder of its own, which takes its place in the cache whole or not
 * at all. Whoever comes second while that runs waits for it.
 */
export async function install(
  context: EngineContext,
  from: string,
  fill: (folder: string) => Promise<Closed | undefined>,
): Promise<Engine | Closed> {
  const { home, report, signal } = context;
  const onWait = () => report("waiting: another process is getting the Pulumi engine");
  return withLock(
    `${home}.lock`,
    async () => {
      const cached = await inCache(context);
      if ("folder" in cached) return cached;

      const staging = await mkdtemp(`${home}.new-`);
      try {
        const failure = await fill(staging);
        if (failure !== undefined) return failure;
        const wrong = await seal(join(staging, "bin"), context.env);
        if (wrong !== undefined) return { unavailable: `what was ${from} ${wrong}` };
        await rm(home, { recursive: true, force: true });
        await rename(staging, home);
      } finally {
        await rm(staging, { recursive: true, force: true });
      }
      return { folder: join(home, "bin"), from };
    },
    { onWait, signal },
  );
}
