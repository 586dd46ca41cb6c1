import { homedir } from "node:os";
import { join } from "node:path";
import { build } from "./build";
import { downloadFrom } from "./download";
import { inCache, onPath } from "./find";
import { ENGINE_VERSION, type Engine, type EngineContext, type Way } from "./way";

/**
 * In the order in which they are tried: what is there already, then the build, whose every module go.sum pins, and last
 * the installer that Pulumi publishes, which nothing of ours can check before it runs.
 */
export const allWays: readonly Way[] = [
  onPath,
  inCache,
  build,
  downloadFrom("https://get.pulumi.com/install.sh", 20_000),
];

export interface EngineOptions {
  env?: NodeJS.ProcessEnv;
  report?: EngineContext["report"];
  signal?: AbortSignal;
  ways?: readonly Way[];
}

/** Finds a Pulumi engine on this machine, or gets one. Throws EngineUnavailableError when no way is open. */
export async function getEngine(options: EngineOptions = {}): Promise<Engine> {
  const env = options.env ?? process.env;
  const { report = () => undefined, signal } = options;
  const context: EngineContext = { env, home: engineHome(env), report, signal };
  const reasons: string[] = [];
  for (const way of options.ways ?? allWays) {
    const outcome = await way(context);
    if ("folder" in outcome) return outcome;
    signal?.throwIfAborted();
    reasons.push(outcome.unavailable);
  }
  throw new EngineUnavailableError(reasons);
}

/** No engine was found and none could be made. */
export class EngineUnavailableError extends Error {
  constructor(/** One for each way, in the order tried. */ readonly reasons: readonly string[]) {
    super(
      [
        `No Pulumi engine ${ENGINE_VERSION} or newer, and none could be made:`,
        ...reasons.map((reason) => `  - ${reason}`),
        "Install Pulumi (https://www.pulumi.com/docs/install) or Go 1.26.6 or newer (https://go.dev/dl), then run this again.",
      ].join("\n"),
    );
    this.name = "EngineUnavailableError";
  }
}

function engineHome(env: NodeJS.ProcessEnv): string {
  const cache = env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(cache, "pulumi-computecloud", `engine-${ENGINE_VERSION}-${process.platform}-${process.arch}`);
}
