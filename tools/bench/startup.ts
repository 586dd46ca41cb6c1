/* What a program, the plugin and the dynamic provider wait for before the first of anything is done; ratios to a budget. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CheckRequest, ConfigureRequest, InvokeRequest } from "@pulumi/pulumi/proto/provider_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { extract } from "tar";
import { startEmulator } from "../../emulator";
import { bundle, makePlugin, ownPlatform } from "../release/plugin";
import { addressVariables, checkout } from "../run/environment";
import { runOrThrow } from "../run/process";
import { type Comparison, compare, type Figures, type Side, type Targets } from "./compare";
import type { BenchOptions } from "./options";

const BUDGET: Readonly<Record<string, Figures>> = {
  require: { ms: 60, mb: 10 },
  plugin: { ms: 400 },
  executable: { ms: 400, mb: 60 },
  provider: { ms: 150 },
};
/** The package's own, which needs Node; the executable of a release has it inside. */
const PLUGIN = "provider/bin/pulumi-resource-computecloud";
/** A round takes seconds. */
const LEAST_ROUNDS = 5;
const TARGETS: Targets = {
  start: { "require ms": 1, "require mb": 1, "plugin ms": 1, "executable ms": 1, "executable mb": 1, "provider ms": 1 },
};

export async function startup(
  { rounds }: BenchOptions,
  report: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  const emulator = await startEmulator({ settings: { rateLimitExempt: true } });
  const home = await mkdtemp(join(tmpdir(), "computecloud-bench-"));
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, PULUMI_HOME: home, ...addressVariables(emulator) };
  try {
    const archive = await makePlugin(ownPlatform(), await bundle(), home);
    await extract({ file: archive, cwd: home });
    const executable = join(home, "pulumi-resource-computecloud");
    const mb = (await stat(archive)).size / 2 ** 20;
    // A machine's first process compiles what the later ones find compiled.
    await firstOperation(env);
    await firstInvoke(PLUGIN, env);
    await firstInvoke(executable, env);
    const budget: Side = { name: "budget", round: async () => BUDGET };
    const start: Side = {
      name: "start",
      round: async () => ({
        require: await requireSdk(),
        plugin: await firstInvoke(PLUGIN, env),
        executable: { ...(await firstInvoke(executable, env)), mb },
        provider: await firstOperation(env),
      }),
    };
    await report(
      await compare("start-up, beside its budget", Math.max(rounds, LEAST_ROUNDS), [budget, start], TARGETS),
    );
  } finally {
    await emulator.stop();
    await rm(home, { recursive: true });
  }
}

/** What the package adds to a program that has loaded Pulumi. */
async function requireSdk(): Promise<Figures> {
  const script = `
    require("@pulumi/pulumi");
    global.gc();
    const before = process.memoryUsage().rss;
    const began = performance.now();
    require("pulumi-computecloud");
    const ms = performance.now() - began;
    console.log(JSON.stringify({ ms, mb: (process.memoryUsage().rss - before) / 2 ** 20 }));`;
  return JSON.parse(await runOrThrow(process.execPath, ["--expose-gc", "-e", script], { cwd: checkout }));
}

/** From the start of the plugin's process to its first answer. */
async function firstInvoke(plugin: string, env: NodeJS.ProcessEnv): Promise<Figures> {
  const began = performance.now();
  const request = new InvokeRequest().setTok("computecloud:index:getGpuTypes").setArgs(struct({}));
  const started = spawn(plugin, [], { cwd: checkout, env });
  const { answeredAt } = await firstAnswer(started, (client, done) => client.invoke(request, done));
  return { ms: answeredAt - began };
}

/** From the moment in which the engine can reach the dynamic provider's process to its first answer. */
async function firstOperation(env: NodeJS.ProcessEnv): Promise<Figures> {
  const file = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
  const news = struct({
    __provider: 'exports.handler=()=>require("pulumi-computecloud/provider").template',
    name: "worker",
    image: "repo/worker:1",
  });
  const request = new CheckRequest().setOlds(struct({})).setNews(news);
  const started = spawn(process.execPath, [file, "127.0.0.1:1"], { cwd: checkout, env });
  const { reachableAt, answeredAt } = await firstAnswer(started, (client, done) => client.check(request, done));
  return { ms: answeredAt - reachableAt };
}

/** Configures a provider, asks it something, and ends it. */
async function firstAnswer(
  started: ChildProcess,
  ask: (client: ResourceProviderClient, done: (error: Error | null, answer: unknown) => void) => unknown,
): Promise<{ reachableAt: number; answeredAt: number }> {
  if (started.stdout === null) throw new Error("the process has no output to read its port from");
  const [port] = await Promise.race([once(createInterface(started.stdout), "line"), ended(started)]);
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const reachableAt = performance.now();
  try {
    await promisify((done) => client.configure(new ConfigureRequest().setArgs(struct({})), done))();
    await promisify((done) => ask(client, done))();
    return { reachableAt, answeredAt: performance.now() };
  } finally {
    client.close();
    started.kill("SIGINT");
    if (started.exitCode === null) await once(started, "exit");
  }
}

async function ended(started: ChildProcess): Promise<never> {
  const [code] = await once(started, "exit");
  throw new Error(`the process ended with exit code ${code} before it could be asked`);
}

const struct = (values: Record<string, JavaScriptValue>): Struct => Struct.fromJavaScript(values);
