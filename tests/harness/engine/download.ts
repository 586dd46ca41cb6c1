import { checkout } from "../checkout";
import { run } from "../process";
import { install } from "./install";
import { ENGINE_VERSION, type Way } from "./way";

const HOST = "https://get.pulumi.com";
const REACH_TIMEOUT_MS = 20_000;
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

export const download: Way = async (context) => {
  const unreachable = await reach();
  if (unreachable !== undefined) return { unavailable: `${HOST} cannot be reached (${unreachable})` };

  context.report(`downloading the Pulumi engine ${ENGINE_VERSION} from ${HOST}`);
  return install(context, "downloaded", async (folder) => {
    const installer = await run(process.execPath, ["-e", INSTALLER, folder, ENGINE_VERSION], {
      cwd: checkout,
      env: context.env,
      signal: context.signal,
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    });
    if (installer.exitCode === 0) return undefined;
    return {
      unavailable: `downloading from ${HOST} failed: ${installer.stderr.trim().split("\n").at(-1) || "timed out"}`,
    };
  });
};

async function reach(): Promise<string | undefined> {
  try {
    const answer = await fetch(`${HOST}/install.sh`, { method: "HEAD", signal: AbortSignal.timeout(REACH_TIMEOUT_MS) });
    return answer.ok ? undefined : `HTTP ${answer.status}`;
  } catch (error) {
    const { cause, message } = error instanceof Error ? error : new Error(String(error));
    return cause instanceof Error ? cause.message : message;
  }
}
