import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, delimiter, join, relative } from "node:path";
import { parse } from "yaml";
import { getEngine } from "../engine/engine";
import { checkout, type EmulatorAddresses, linkPackage, scratch, stackEnv } from "./environment";
import { run } from "./process";
import { type Program, programFiles } from "./program";
import { type EngineEvent, readUpdate, type Update } from "./update";
import { IN_VAULT, startVault, type Vault } from "./vault";

export interface StackOptions {
  program: Program;
  /** The service to talk to; without it the program's resources must not need one. */
  emulator?: EmulatorAddresses;
  /** Added to the environment of every command. */
  env?: Readonly<Record<string, string>>;
  /** Stack configuration, such as `"computecloud:baseUrl"`. */
  config?: Readonly<Record<string, string | { secret: string }>>;
  /** Nothing is spared its commands: they are timed, or its state is kept. */
  asUsers?: boolean;
}

export interface CommandOptions {
  /** Further arguments of the command, such as `["--target", urn]`. */
  args?: readonly string[];
  /** Added to the environment of this command. */
  env?: Readonly<Record<string, string>>;
  /** The command must fail; without this it must succeed. */
  fails?: boolean;
  /** Interrupts the command as Ctrl-C would. */
  signal?: AbortSignal;
  /** Called for each line of the command's output. */
  onLine?: (line: string) => void;
}

/** A resource as the engine's state holds it. */
export interface StateResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Readonly<Record<string, unknown>>;
  outputs?: Readonly<Record<string, unknown>>;
  /** The line of the program, such as `project:///index.js#3,11`. */
  sourcePosition?: string;
  stackTrace?: readonly { sourcePosition?: string }[];
}

/** A Pulumi command ended otherwise than the test said it would. */
export class PulumiCommandError extends Error {
  constructor(
    readonly command: string,
    readonly exitCode: number | undefined,
    output: string,
  ) {
    super(`pulumi ${command} ended with exit code ${exitCode}:\n${output}`);
    this.name = "PulumiCommandError";
  }
}

/** The engine's mark of values that are not what they are in JSON: secrets, assets, references. */
const SPECIAL = "4dabf18193072939515e22adb298388d";

const QUICK_START = { NODE_OPTIONS: `--require=${JSON.stringify(join(checkout, "tools/run/deferUnused.cjs"))}` };

/** For `env` of commands that wait long: the provider's time, not the engine's, runs this many times faster, and ahead. */
export function hurried(speed: number, aheadMs = 0): Readonly<Record<string, string>> {
  const hurry = join(checkout, "tests/chaos/hurry.cjs");
  return {
    NODE_OPTIONS: `${QUICK_START.NODE_OPTIONS} --require=${JSON.stringify(hurry)}`,
    CHAOS_TIME: `${Date.now()}:${speed}:${aheadMs}`,
  };
}

/** Spares every command what no test reads. */
async function leanEnvironment({ PATH }: NodeJS.ProcessEnv, folder: string, vault: Vault): Promise<NodeJS.ProcessEnv> {
  // Here the search for a repository ends, whose last commit and `git status` the engine would record.
  await mkdir(join(folder, ".git"));
  // A file in place of the folder for logs: at level debug, compressed and encrypted.
  await mkdir(join(folder, "home"));
  await writeFile(join(folder, "home", "logs"), "");
  return {
    ...QUICK_START,
    ...vault.env,
    PATH: [join(checkout, "tools/run/host"), PATH].join(delimiter),
    // A third of a command's own CPU time would be garbage collection, which is useless in so short a process.
    GOGC: "off",
    GOMEMLIMIT: "512MiB",
  };
}

/** Makes a project with a stack of its own under the checkout's scratch folder, for the real engine to work on. */
export async function newStack(options: StackOptions): Promise<Stack> {
  const { folder: engineFolder } = await getEngine();
  const folder = await newProjectFolder();
  const baseEnv = stackEnv({ engineFolder, folder, emulator: options.emulator });
  const vault = options.asUsers ? undefined : await startVault();
  const env = { ...baseEnv, ...(vault && (await leanEnvironment(baseEnv, folder, vault))), ...options.env };
  const stack = new Stack({ folder, project: folder, name: "dev", env }, vault);
  await stack.edit(options.program);
  await writeStack(stack, options.config);
  return stack;
}

export interface StackPlace {
  /** Keeps the backend and the event log; `remove` removes it. */
  folder: string;
  /** The project's folder, where the commands run. */
  project: string;
  name: string;
  /** What every command runs with. */
  env: Readonly<NodeJS.ProcessEnv>;
}

export class Stack {
  /** @param vault goes with the stack */
  constructor(
    readonly place: StackPlace,
    private readonly vault?: Vault,
  ) {}

  get folder(): string {
    return this.place.folder;
  }

  get project(): string {
    return this.place.project;
  }

  get name(): string {
    return this.place.name;
  }

  get env(): Readonly<NodeJS.ProcessEnv> {
    return { ...this.place.env, PULUMI_STACK: this.place.name };
  }

  /** Makes the stack, empty, in a backend of its own. */
  async init(): Promise<void> {
    await mkdir(join(this.folder, "backend"), { recursive: true });
    await this.pulumi(["stack", "init", this.name, "--no-select"]);
  }

  /** Replaces the program; the state stays. */
  async edit(program: Program): Promise<void> {
    if (typeof program === "object" && "folder" in program) {
      const filter = (path: string) => !/(^node_modules|^Pulumi\..+\.yaml)$/.test(basename(path));
      await cp(join(checkout, program.folder), this.project, { recursive: true, filter });
    } else {
      for (const [name, text] of Object.entries(programFiles(program))) await writeFile(join(this.project, name), text);
    }
  }

  preview(options?: CommandOptions): Promise<Update> {
    return this.#update("preview", [], options);
  }

  up(options?: CommandOptions): Promise<Update> {
    return this.#update("up", ["--yes", "--skip-preview"], options);
  }

  /** Compares the state with the service and takes over what changed there. Does not run the program. */
  refresh(options?: CommandOptions): Promise<Update> {
    return this.#update("refresh", ["--yes", "--skip-preview"], options);
  }

  destroy(options?: CommandOptions): Promise<Update> {
    return this.#update("destroy", ["--yes", "--skip-preview"], options);
  }

  /** The stack's outputs, secrets in clear. */
  async outputs(): Promise<Record<string, unknown>> {
    const root = (await this.#recorded()).find(({ type }) => type === "pulumi:pulumi:Stack");
    // The state holds what the command would show, except secrets; reading it is faster than the command.
    if (root?.outputs !== undefined && !JSON.stringify(root.outputs).includes(SPECIAL)) return { ...root.outputs };
    return JSON.parse(await this.pulumi(["stack", "output", "--json", "--show-secrets"]));
  }

  /** The checkpoint as it lies in the backend: secrets are encrypted. */
  async stateText(): Promise<string> {
    const stacks = join(this.folder, "backend", ".pulumi", "stacks");
    const [project = ""] = await readdir(stacks);
    return readFile(join(stacks, project, `${this.name}.json`), "utf8");
  }

  /**
   * All that commands wrote, by path: states, their copies and history, events. Without the program itself, and without
   * events of level debug, in which Pulumi's own SDK logs whole answers, secrets included, whatever the provider does.
   */
  async written(): Promise<Map<string, string>> {
    const files = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const texts = files
      .filter((file) => file.isFile() && file.name !== "index.js")
      .map(async ({ parentPath, name }): Promise<[string, string]> => {
        const path = join(parentPath, name);
        const lines = (await readFile(path, "utf8")).split("\n");
        return [relative(this.folder, path), lines.filter((line) => !line.includes('"severity":"debug"')).join("\n")];
      });
    return new Map(await Promise.all(texts));
  }

  /** The resources in the state, without the stack itself and the engine's own providers. */
  async resources(): Promise<StateResource[]> {
    return (await this.#recorded()).filter(({ type }) => !type.startsWith("pulumi:"));
  }

  async #recorded(): Promise<readonly StateResource[]> {
    return JSON.parse(await this.stateText()).checkpoint.latest?.resources ?? [];
  }

  /** The one resource with this logical name. */
  async resource(name: string): Promise<StateResource> {
    const matches = (await this.resources()).filter(({ urn }) => urn.endsWith(`::${name}`));
    const [only] = matches;
    if (only === undefined || matches.length > 1) throw new Error(`${matches.length} resources are named ${name}`);
    return only;
  }

  async setConfig(key: string, value: string | { secret: string }): Promise<void> {
    const [kind, text] = typeof value === "string" ? ["--plaintext", value] : ["--secret", value.secret];
    await this.pulumi(["config", "set", kind, key, text]);
  }

  /** Runs any other command, which must succeed, and answers what it printed. */
  async pulumi(args: readonly string[], options: Pick<CommandOptions, "env"> = {}): Promise<string> {
    const env = { ...this.env, ...options.env };
    const result = await run("pulumi", [...args, "--non-interactive"], { cwd: this.project, env });
    if (result.exitCode === 0) return result.stdout;
    throw new PulumiCommandError(args.join(" "), result.exitCode, result.stdout + result.stderr);
  }

  /** Forgets the stack; what it deployed stays. */
  async remove(): Promise<void> {
    await this.vault?.[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.remove();
  }

  async #update(command: string, flags: readonly string[], options: CommandOptions = {}): Promise<Update> {
    const log = join(this.folder, "events.json");
    await rm(log, { force: true });
    const args = [command, ...flags, ...(options.args ?? []), "--non-interactive", "--event-log", log];
    const result = await run("pulumi", args, {
      cwd: this.project,
      env: { ...this.env, ...options.env },
      signal: options.signal,
      ...(options.onLine && { onLine: options.onLine }),
    });
    const failed = result.exitCode !== 0;
    if (failed !== (options.fails ?? false)) {
      throw new PulumiCommandError(command, result.exitCode, result.stdout + result.stderr);
    }
    return readUpdate(result, await readEvents(log));
  }
}

/** Of the passphrase in `stackEnv`; to make one is a derivation of a fifth of a second. */
const BY_PASSPHRASE = { encryptionsalt: "v1:wA5hiHIYpe0=:v1:511wka0FVQHPsEaA:VveSDXrJLWHDL4naSJ+WUyd5wLGW0w==" };

/** What `pulumi stack init` and `pulumi config set` would write, without half a second of CPU for each of them. */
export async function writeStack(stack: Stack, config: StackOptions["config"] = {}): Promise<void> {
  const { name: project } = parse(await readFile(join(stack.project, "Pulumi.yaml"), "utf8")) as { name: string };
  const backend = join(stack.folder, "backend", ".pulumi");
  await mkdir(join(backend, "stacks", project), { recursive: true });
  await writeFile(join(backend, "meta.yaml"), "version: 1\n");
  const checkpoint = { version: 3, checkpoint: { stack: `organization/${project}/${stack.name}` } };
  await writeFile(join(backend, "stacks", project, `${stack.name}.json`), JSON.stringify(checkpoint));

  const plain = Object.entries(config)
    .filter(([, value]) => typeof value === "string")
    .map(([key, value]) => [key.includes(":") ? key : `${project}:${key}`, value]);
  const settings = { ...(stack.env.VAULT_SERVER_URL ? IN_VAULT : BY_PASSPHRASE), config: Object.fromEntries(plain) };
  await writeFile(join(stack.project, `Pulumi.${stack.name}.yaml`), JSON.stringify(settings));
  for (const [key, value] of Object.entries(config)) if (typeof value === "object") await stack.setConfig(key, value);
}

/**
 * Directly under the scratch folder: there a program finds the checkout's packages, and an example has the same
 * relative paths as in its own folder.
 */
async function newProjectFolder(): Promise<string> {
  await linkPackage(checkout);
  return mkdtemp(join(scratch, "test-"));
}

/** The events in a log that may still be written. */
export async function readEvents(log: string): Promise<EngineEvent[]> {
  const lines = existsSync(log) ? (await readFile(log, "utf8")).split("\n").slice(0, -1) : [];
  return lines.map((line) => JSON.parse(line));
}
