import { access, constants, realpath } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import semver from "semver";
import { run } from "../run/process";
import { neededEnv } from "./environment";
import { isSealed } from "./seal";
import { ENGINE_VERSION, type Way } from "./way";

/** What the engine starts for a Node program with dynamic resources. */
export const COMPANIONS = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"] as const;

export const onPath: Way = async ({ env }) => {
  const folders = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const folder = await firstWith("pulumi", folders);
  if (folder === undefined) return { unavailable: "there is no pulumi on PATH" };

  const command = join(folder, "pulumi");
  const answer = await run(command, ["version"], {
    env: { ...neededEnv(env), PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeoutMs: 10_000,
  });
  const version = semver.parse(answer.stdout.trim());
  if (version === null) return { unavailable: `${command} does not tell its version` };
  if (version.compare(ENGINE_VERSION) < 0)
    return { unavailable: `${command} is ${version}, older than ${ENGINE_VERSION}` };

  // The engine looks for its companions beside itself, links resolved, as well as on PATH.
  const beside = dirname(await realpath(command));
  for (const companion of COMPANIONS) {
    if ((await firstWith(companion, [beside, ...folders])) === undefined) {
      return { unavailable: `${command} has no ${companion} with it` };
    }
  }
  return { folder, from: `found on PATH, version ${version}` };
};

export const inCache: Way = async ({ home }) => {
  const folder = join(home, "bin");
  if ((await firstWith("pulumi", [folder])) === undefined) return { unavailable: `there is none in ${home}` };
  const intact = checked.get(folder) ?? isSealed(folder);
  checked.set(folder, intact);
  if (await intact) return { folder, from: "kept from an earlier run" };
  checked.delete(folder);
  return { unavailable: `what is in ${home} is not what was put there` };
};

/** Reading 130 MB takes a moment: once a process is enough. */
const checked = new Map<string, Promise<boolean>>();

async function firstWith(program: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const isExecutable = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return folder;
  }
  return undefined;
}
