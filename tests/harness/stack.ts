import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { checkout, pathWith, scratch } from "./checkout";
import { getEngine } from "./engine/engine";
import { isErrno, run } from "./process";
import { type Program, programFiles } from "./program";
import { type EngineEvent, readUpdate, type Update } from "./update";

export interface StackOptions {
  program: Program;
  /** The service to talk to; without it the program's resources must not need one. */
  emulator?: { baseUrl: string; serverlessUrl: string; graphqlUrl: string; apiKey: string };
  /** Added to the environment of every command. */
  env?: Readonly<Record<string, string>>;
  /** Stack configuration, such as `"computecloud:baseUrl"`. */
  config?: Readonly<Record<string, string | { secret: string }>>;
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
}

/** A resource as the engine's state holds it. */
export interface StateResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Readonly<Record<string, unknown>>;
  outputs?: Readonly<Record<string, unknown>>;
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

/** Makes a project with a stack of its own under the checkout's scratch folder, for the real engine to work on. */
export async function newStack(options: StackOptions): Promise<Stack> {
  const engine = await getEngine();
  const folder = await newProjectFolder();
  const stack = new Stack(folder, {
    ...inheritedEnv(),
    PATH: pathWith(engine.folder),
    PULUMI_HOME: join(scratch, "pulumi-home"),
    PULUMI_BACKEND_URL: `file://${folder}/backend`,
    PULUMI_CONFIG_PASSPHRASE: "passphrase",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DEBUG_COMMANDS: "true", // for --event-log
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    ...(options.emulator && {
      COMPUTECLOUD_API_KEY: options.emulator.apiKey,
      COMPUTECLOUD_BASE_URL: options.emulator.baseUrl,
      COMPUTECLOUD_SERVERLESS_URL: options.emulator.serverlessUrl,
      COMPUTECLOUD_GRAPHQL_URL: options.emulator.graphqlUrl,
    }),
    ...options.env,
  });
  await stack.edit(options.program);
  await stack.pulumi(["stack", "init", STACK]);
  for (const [key, value] of Object.entries(options.config ?? {})) await stack.setConfig(key, value);
  return stack;
}

const STACK = "dev";
const PROJECT = "test";

export class Stack {
  constructor(
    /** The project's folder; the program stands in it. */
    readonly folder: string,
    /** What every command of this stack runs with. */
    readonly env: Readonly<NodeJS.ProcessEnv>,
  ) {}

  /** Replaces the program; the state stays. */
  async edit(program: Program): Promise<void> {
    if (typeof program === "object" && "folder" in program) {
      const filter = (path: string) => !/(^node_modules|^Pulumi\..+\.yaml)$/.test(basename(path));
      await cp(join(checkout, program.folder), this.folder, { recursive: true, filter });
    } else {
      for (const [name, text] of Object.entries(programFiles(PROJECT, program))) {
        await writeFile(join(this.folder, name), text);
      }
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
    return JSON.parse(await this.pulumi(["stack", "output", "--json", "--show-secrets"]));
  }

  /** The checkpoint as it lies in the backend: secrets are encrypted. */
  async stateText(): Promise<string> {
    return readFile(join(this.folder, "backend", ".pulumi", "stacks", await this.#project(), `${STACK}.json`), "utf8");
  }

  /** The resources in the state, without the stack itself and the engine's own providers. */
  async resources(): Promise<StateResource[]> {
    const { checkpoint } = JSON.parse(await this.stateText()) as {
      checkpoint: { latest?: { resources?: StateResource[] } };
    };
    return (checkpoint.latest?.resources ?? []).filter(({ type }) => !type.startsWith("pulumi:"));
  }

  /** The one resource with this logical name. */
  async resource(name: string): Promise<StateResource> {
    const found = (await this.resources()).filter(({ urn }) => urn.endsWith(`::${name}`));
    const [only] = found;
    if (only === undefined || found.length > 1) throw new Error(`${found.length} resources are named ${name}`);
    return only;
  }

  async setConfig(key: string, value: string | { secret: string }): Promise<void> {
    const [kind, text] = typeof value === "string" ? ["--plaintext", value] : ["--secret", value.secret];
    await this.pulumi(["config", "set", kind, key, text]);
  }

  /** Runs any other command, which must succeed, and answers what it printed. */
  async pulumi(args: readonly string[], options: Pick<CommandOptions, "env"> = {}): Promise<string> {
    const env = { ...this.env, ...options.env };
    const result = await run("pulumi", [...args, "--non-interactive"], { cwd: this.folder, env });
    if (result.exitCode === 0) return result.stdout;
    throw new PulumiCommandError(args.join(" "), result.exitCode, result.stdout + result.stderr);
  }

  /** Forgets the stack; what it deployed stays. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.remove();
  }

  async #update(command: string, flags: readonly string[], options: CommandOptions = {}): Promise<Update> {
    const log = join(this.folder, "events.json");
    await rm(log, { force: true });
    const args = [
      command,
      ...flags,
      ...(options.args ?? []),
      "--stack",
      STACK,
      "--non-interactive",
      "--event-log",
      log,
    ];
    const result = await run("pulumi", args, {
      cwd: this.folder,
      env: { ...this.env, ...options.env },
      signal: options.signal,
    });
    const failed = result.exitCode !== 0;
    if (failed !== (options.fails ?? false)) {
      throw new PulumiCommandError(command, result.exitCode, result.stdout + result.stderr);
    }
    return readUpdate(result, await readEvents(log));
  }

  async #project(): Promise<string> {
    const yaml = await readFile(join(this.folder, "Pulumi.yaml"), "utf8");
    return /^name: *(\S+)/m.exec(yaml)?.[1] ?? PROJECT;
  }
}

/**
 * Straight under the scratch folder, because there a program finds the checkout's packages, and an example the same
 * relative paths as in its own place.
 */
async function newProjectFolder(): Promise<string> {
  const packages = join(scratch, "node_modules");
  await mkdir(packages, { recursive: true });
  await symlink(checkout, join(packages, "pulumi-computecloud")).catch((error: unknown) => {
    if (!isErrno(error, "EEXIST")) throw error;
  });
  const folder = await mkdtemp(join(scratch, "test-"));
  await mkdir(join(folder, "backend"));
  return folder;
}

/** The environment without what would lead the engine or the provider elsewhere. */
function inheritedEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PULUMI|COMPUTECLOUD)_/.test(name)));
}

async function readEvents(log: string): Promise<EngineEvent[]> {
  try {
    const text = await readFile(log, "utf8");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}
