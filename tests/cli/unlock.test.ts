/* Whose lock `unlock` frees. That it does so beside a real update: tests/pipelines/pipelines.test.ts. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { beforeAll, expect, test } from "@jest/globals";
import { run } from "../../tools/run/process";
import { MAIN, scriptedEngine } from "../harness/commandLine";
import { folderForAll } from "../harness/folder";

const here = hostname();
const ENDED = 4_194_304; // Above the most that Linux gives.
const soon = new Date(Date.now() + 60_000).toISOString();
/** Others don't tell when a process began. */
const isLinux = process.platform === "linux";
const EARLIER = "2026-01-01T00:00:00+01:00";
const LOCKED = "error: the stack is currently locked by 1 lock(s). Either wait …";

const folder = folderForAll();
let engine: NodeJS.ProcessEnv;
beforeAll(async () => {
  const pulumi = `case "$1" in
  whoami) echo "Backend URL: $BACKEND" ;;
  cancel) echo "$@" >> cancelled ;;
  *) [ "$2" = rename ] || { echo dev; exit; }; cat locks >&2; exit 255 ;;
esac`;
  engine = await scriptedEngine(folder.path, pulumi);
  await writeFile(folder.at("up.pid"), `${ENDED}\n`);
});

const lock = (host: string, pid: number, at = soon, place = "s3://states/.pulumi/locks/organization/gpu/dev") =>
  `${LOCKED}\n  ${place}/7d6d-1f.json?region=eu: created by ACME\\Jo Doe@${host} (pid ${pid}) at ${at}\n`;

async function unlock(said: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  await writeFile(folder.at("locks"), said);
  await rm(folder.at("cancelled"), { force: true });
  const result = await run(process.execPath, [MAIN, "unlock", ...args], {
    cwd: folder.path,
    env: { ...process.env, CI: "", BACKEND: "s3://states", ...engine, ...env },
  });
  const cancelled = await readFile(folder.at("cancelled"), "utf8").catch(() => undefined);
  return { ...result, isFreed: cancelled === "cancel dev --yes --non-interactive\n" };
}

const RUN = ["--run", "up.pid"];
// finds mutant running-lock-freed
test.each<[string, string, readonly string[], string, boolean]>([
  ["of an ended process on this machine", lock(here, ENDED), [], "", true],
  ["of an ended process, where runners share a name", lock(here, ENDED), [], "true", false],
  ["of a running process on this machine, also when it is named", lock(here, process.pid), ["7d6d-1f"], "", false],
  ["of an ended process whose id another one has", lock(here, process.pid, EARLIER), [], "", false],
  ["of such a process, when it is named", lock(here, process.pid, EARLIER), ["7d6d-1f"], "", isLinux],
  ["of another machine", lock("elsewhere", ENDED), [], "", false],
  ["of another machine, when it is named", lock("elsewhere", ENDED), ["7d6d-1f"], "true", true],
  ["of this job's update", lock(here, ENDED), RUN, "true", true],
  ["of another process, in a job", lock(here, ENDED + 1), RUN, "true", false],
  ["of another machine, in a job", lock("elsewhere", ENDED), RUN, "true", false],
  ["from before this job's update", lock(here, ENDED, EARLIER), RUN, "true", false],
  ["in a database", lock(here, ENDED, soon, "postgres://****:****@db/states/.pulumi/locks/dev"), [], "", true],
])("judges the lock %s", async (_, said, args, CI, isFreed) =>
  expect(await unlock(said, args, { CI })).toMatchObject({ isFreed, exitCode: isFreed ? 0 : 1 }),
);

test("names the command that frees a lock in the folder and the stack that it was asked for", async () => {
  const { stdout } = await unlock(lock("elsewhere", ENDED), ["--stack", "prod", "--cwd", "."]);
  expect(stdout).toContain("npx pulumi-computecloud unlock 7d6d-1f --stack prod\n");
  const { stdout: elsewhere } = await unlock(lock("elsewhere", ENDED), ["--cwd", `${folder.path}/`]);
  expect(elsewhere).toContain(`unlock 7d6d-1f --stack dev --cwd ${folder.path}/\n`);
});

test("frees nothing where one of several locks is another run's, and names the command that frees both", async () => {
  const both = `${lock(here, ENDED)}${lock("elsewhere", 7).replaceAll("7d6d", "8e7e").split("\n")[1]}\n`;
  const refused = await unlock(both);
  expect(refused).toMatchObject({ isFreed: false, exitCode: 1 });
  const [, args = ""] = /certain: npx pulumi-computecloud unlock (.*)/.exec(refused.stdout) ?? [];
  expect(await unlock(both, args.split(" "))).toMatchObject({ isFreed: true, exitCode: 0 });
});

test.each([
  ["the stack is not locked", "error: a stack named dev already exists", [], {}, "is not locked", 0],
  ["the update had not begun", lock(here, ENDED), ["--run", "none.pid"], {}, "had not begun", 0],
  ["the state is in Pulumi Cloud", lock(here, ENDED), [], { BACKEND: "https://app.pulumi.com/jo" }, "by itself", 0],
  ["the backend does not answer", "error: no credentials", [], {}, "can't be read:\nerror: no credentials", 2],
])("says so, and frees nothing, where %s", async (_, said, args, env, message, exitCode) => {
  const result = await unlock(said, args, env);
  expect(result).toMatchObject({ isFreed: false, exitCode });
  expect(result.stdout + result.stderr).toContain(message);
});
