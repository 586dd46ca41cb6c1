import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { isRunning } from "../../common/isRunning";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import type { Stack } from "../../tools/run/stack";
import { MAIN } from "../harness/commandLine";
import { until } from "../harness/until";

/** Runs an update as Pulumi's releases do, and kills its engine, which says good-bye to nobody, when the condition holds. */
export async function killWhen(stack: Stack, condition: () => Promise<boolean>): Promise<void> {
  const PATH = [join(checkout, "tests/engine/released"), stack.env.PATH].join(delimiter);
  const engine = spawn("pulumi", ["up", "--yes", "--skip-preview", "--non-interactive"], {
    cwd: stack.project,
    env: { ...stack.env, PATH },
    detached: true,
    stdio: "ignore",
  });
  const ended = once(engine, "exit");
  await until(condition);
  // A checkpoint that is cut off is another story, and the engine's.
  const readState = async () => JSON.parse(await stack.stateText());
  await until(() => readState().then(Boolean, () => false));
  process.kill(-Number(engine.pid), "SIGKILL");
  await ended;
  // Until a provider has seen that its engine is gone, its notes are those of a run under way.
  await until(async () => !(await notedProcesses(stack)).some((id) => isRunning(id)));
  await stack.pulumi(["cancel", "--yes", "dev"]);
}

/** The processes that have notes about something under way. */
async function notedProcesses({ env }: Stack): Promise<number[]> {
  const folder = join(String(env.PULUMI_HOME), "computecloud", "ledger");
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const written = files.filter((file) => file.endsWith(".jsonl")).map((file) => readFile(join(folder, file), "utf8"));
  const texts = (await Promise.allSettled(written)).flatMap((each) =>
    each.status === "fulfilled" ? [each.value] : [],
  );
  return texts.flatMap((text) => Array.from(text.matchAll(/"process":(\d+)/g), ([, id]) => Number(id)));
}

/** The command `orphans`. */
export async function orphans({ project, env }: Stack, ...args: string[]) {
  const { exitCode, stdout, stderr } = await run(process.execPath, [MAIN, "orphans", ...args], { cwd: project, env });
  return { exitCode, stdout, stderr };
}
