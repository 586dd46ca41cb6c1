import { expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { until } from "../harness/until";
import { ChaosError } from "./live";
import { LifeError, liveAll } from "./lives";

const LIMIT_MS = 500;

test("a life that fails after the time is up is a failure, and can be replayed", async () => {
  const said: string[] = [];
  const lived = liveAll({
    seed: 7,
    lives: 9,
    minutes: LIMIT_MS / 60_000,
    shrink: false,
    onLife: (line) => said.push(line),
    play: async () => {
      // biome-ignore lint/plugin: the limit of lives is one of real time
      const began = performance.now();
      // biome-ignore lint/plugin: as above
      await until(async () => performance.now() - began > LIMIT_MS);
      throw new ChaosError(["it broke"], []);
    },
  });
  const error = await lived.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(LifeError);
  expect(String(error)).toContain("--seed 7 --path 0 shows this again");
  expect(said).toEqual([expect.stringContaining("FAILED: it broke")]);
});

test("the command runs without jest", async () => {
  const args = ["--no-install", "tsx", "tests/chaos/main.ts", "--lives", "0"];
  const { exitCode, stdout } = await run("npx", args, { cwd: checkout });
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^seed \d+\n0 lives passed\n$/)]);
});
