// @long: lives in a real Postgres and a real S3.
/* A life with kills, of runs and of the backend itself, in the states that teams use: nothing exists twice, and nothing is lost. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { bin } from "../../package.json";
import { checkout } from "../../tools/run/environment";
import { freePort } from "../../tools/run/freePort";
import { Postgres } from "../../tools/run/postgres";
import { run } from "../../tools/run/process";
import { newStack } from "../../tools/run/stack";
import { folderForAll } from "../harness/folder";
import { Place } from "../harness/place";
import { staysUnchanged } from "../harness/scenario";
import { until } from "../harness/until";

type Backend = AsyncDisposable & Pick<Postgres, "url" | "start" | "kill">;

/** Of npm, and not a dependency: it brings a hundred packages. */
const S3 = ["--yes", "s3rver@3.7.1"];
const hasS3 = spawnSync("npx", [...S3, "--version"], { cwd: checkout }).status === 0;
const folder = folderForAll();

async function startS3(): Promise<Backend> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const args = [...S3, "-d", folder.path, "-a", "127.0.0.1", "-p", String(port), "--configure-bucket", "states"];
  let server: ChildProcess | undefined;
  const start = async () => {
    server = spawn("npx", args, { cwd: checkout, detached: true, stdio: "ignore" });
    await until(() => fetch(address).then(Boolean, () => false));
  };
  const kill = async () => {
    const ended = server && once(server, "exit");
    process.kill(-Number(server?.pid), "SIGKILL");
    await ended;
  };
  await start();
  const url = `s3://states?region=us-east-1&endpoint=${address}&use_path_style=true`;
  return { url, start, kill, [Symbol.asyncDispose]: kill };
}

const program = (volumes: number, size: number) => `
  const { NetworkVolume } = require("pulumi-computecloud");
  for (let n = 0; n < ${volumes}; n += 1) new NetworkVolume("v" + n, { size: ${size}, dataCenter: "EU-RO-1" });`;

async function surviveKills(begin: () => Promise<Backend>): Promise<void> {
  await using place = await Place.start();
  const { service } = place;
  await using backend = await begin();
  const keys = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };
  const PULUMI_BACKEND_URL = backend.url.replace(/^postgres.*/, "$&?sslmode=disable");
  // In a pipeline `unlock` frees nothing by itself: its runners may share a name.
  const env = { ...keys, PULUMI_BACKEND_URL, COMPUTECLOUD_EXISTING: "", CI: "" };
  await using stack = await newStack({ program: program(4, 10), emulator: place.emulator, env });
  await stack.pulumi(["stack", "init", "dev"]);

  const ids = async () => (await service.state()).networkVolumes.map(({ id }) => id).toSorted();
  /** Begins an update whose creates take long, and kills once all of them are on their way. */
  const killDuring = async (creates: number, kill: (engine: ChildProcess) => unknown) => {
    await service.forgetCalls();
    await service.fault({ match: { operation: "createNetworkVolume", times: creates }, act: { delayMs: 3_000 } });
    const before = (await ids()).length;
    const args = ["up", "--yes", "--skip-preview", "--non-interactive"];
    const engine = spawn("pulumi", args, { cwd: stack.project, env: stack.env, detached: true, stdio: "ignore" });
    const ended = once(engine, "exit");
    await until(async () => (await place.count("createNetworkVolume")) === creates);
    await kill(engine);
    await ended;
    await until(async () => (await ids()).length === before + creates);
    await service.clearFaults();
  };
  const unlock = async () => {
    const args = [join(checkout, bin["pulumi-computecloud"]), "unlock", "--stack", "dev"];
    const { exitCode } = await run(process.execPath, args, { cwd: stack.project, env: stack.env });
    return exitCode === 0;
  };

  await killDuring(4, ({ pid }) => process.kill(-Number(pid), "SIGKILL"));
  await expect(stack.up()).rejects.toThrow("currently locked");
  await until(unlock);
  await stack.up();
  const createdIds = await ids();
  expect(createdIds).toHaveLength(4);
  await staysUnchanged(stack, service);

  await stack.edit(program(4, 20));
  const elsewhere = { PULUMI_HOME: join(stack.folder, "another-home") };
  expect((await stack.up({ env: elsewhere })).changes).toMatchObject({ update: 4 });
  expect(await ids()).toEqual(createdIds);

  await stack.edit(program(6, 20));
  await killDuring(2, () => backend.kill());
  await backend.start();
  await until(unlock);
  // What the run has made is in no state, and its notes end once the engine could have saved it.
  await stack.up({ env: { COMPUTECLOUD_EXISTING: "adopt" } });
  expect(await ids()).toHaveLength(6);
  await stack.destroy();
  expect(await ids()).toEqual([]);
}

const LIVES = "lives through a killed run, a new machine, and an end of its own during a run";
test(`a state in Postgres ${LIVES}`, () => surviveKills(() => Postgres.start()));
(hasS3 ? test : test.skip)(`a state in S3, which needs npx and a registry, ${LIVES}`, () => surviveKills(startS3));
