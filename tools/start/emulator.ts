import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { EmulatorAddresses } from "../run/environment";
import { signalGroup } from "../run/process";

/** How long the emulator may take to close its connections before it is killed. */
const STOP_GRACE_MS = 5_000;

/** The emulator as its users run it: a process of its own. */
export class EmulatorProcess {
  private constructor(
    readonly pid: number,
    readonly addresses: EmulatorAddresses & { controlUrl: string; consoleUrl: string },
    private readonly ended: Promise<unknown>,
  ) {}

  /** Resolves when it takes requests. What it has to complain about goes to `emulator.log` in `folder`. */
  static async start(command: string, folder: string): Promise<EmulatorProcess> {
    const path = join(folder, "emulator.log");
    await using log = await open(path, "w");
    // Detached, so that a Ctrl-C in the terminal leaves it to whoever started it.
    const child = spawn(process.execPath, [command], { stdio: ["ignore", "pipe", log.fd], detached: true });
    const { stdout } = child;
    if (stdout === null) throw new Error("the emulator has no output to read");
    const ended = once(child, "exit");
    const line = await Promise.race([
      once(createInterface({ input: stdout }), "line"),
      ended.then(() => Promise.reject(new Error(`the emulator did not start; see ${path}`))),
    ]);
    stdout.destroy();
    child.unref();
    return new EmulatorProcess(child.pid ?? 0, JSON.parse(String(line[0])), ended);
  }

  async stop(): Promise<void> {
    if (!signalGroup(this.pid, "SIGTERM")) return;
    const kill = setTimeout(() => signalGroup(this.pid, "SIGKILL"), STOP_GRACE_MS);
    await this.ended;
    clearTimeout(kill);
  }
}
