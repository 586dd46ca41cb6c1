import { checkout } from "../run/checkout";
import { run } from "../run/process";
import { neededEnv } from "./environment";
import { install } from "./install";
import { ENGINE_VERSION, type Way } from "./way";

/** Of the whole download, 100 MB, once the host has answered. */
const DOWNLOAD_TIMEOUT_MS = 300_000;

// In a process of its own, because the Automation API's installer can be neither interrupted nor given a time limit.
const INSTALLER = `
  const { PulumiCommand } = require("@pulumi/pulumi/automation");
  const { SemVer } = require("semver");
  const [root, version] = process.argv.slice(1);
  PulumiCommand.install({ root, version: new SemVer(version) }).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
`;

/** Downloads with the Automation API's installer, once `host`, where that downloads from, is seen to answer. */
export function downloadFrom(host: string, reachTimeoutMs: number): Way {
  return async (context) => {
    const unreachable = await reach(host, reachTimeoutMs);
    if (unreachable !== undefined) return { unavailable: `${host} cannot be reached (${unreachable})` };

    context.report(`downloading the Pulumi engine ${ENGINE_VERSION} from ${host}`);
    return install(context, "downloaded", async (folder) => {
      const installer = await run(process.execPath, ["-e", INSTALLER, folder, ENGINE_VERSION], {
        cwd: checkout,
        env: neededEnv(context.env),
        signal: context.signal,
        timeoutMs: DOWNLOAD_TIMEOUT_MS,
      });
      if (installer.exitCode === 0) return undefined;
      const reason = installer.stderr.trim().split("\n").at(-1) || "it took too long";
      return { unavailable: `downloading from ${host} failed: ${reason}` };
    });
  };
}

async function reach(host: string, timeoutMs: number): Promise<string | undefined> {
  try {
    const answer = await fetch(host, { method: "HEAD", signal: AbortSignal.timeout(timeoutMs) });
    return answer.ok ? undefined : `HTTP ${answer.status}`;
  } catch (error) {
    const { cause, message } = error instanceof Error ? error : new Error(String(error));
    return cause instanceof Error ? cause.message : message;
  }
}
