import { expect } from "@jest/globals";
import { run } from "../../../tools/run/process";
import type { Account } from "../../harness/account";
import { openEndpoint } from "../emulator/jobPlane";

/** What a program said about each of its cases: nothing, or what went wrong. */
export type Cases = Readonly<Record<string, string | null>>;

/** Runs a program that prints a line of JSON, `{"case":"name","error":null}`, for each of its cases. */
export async function casesOf(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Cases> {
  const { exitCode, stdout, stderr } = await run(command, args, {
    env: { PATH: process.env.PATH, ...env },
    timeoutMs: 90_000,
  });
  const cases = stdout
    .split("\n")
    .filter((line) => line.startsWith('{"case"'))
    .map((line) => JSON.parse(line));
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  return Object.fromEntries(cases.map((each: { case: string; error: string | null }) => [each.case, each.error]));
}

/** Every case passed, and there are as many as there should be. */
export function expectAllPassed(cases: Cases, count: number): void {
  expect(Object.fromEntries(Object.entries(cases).filter(([, error]) => error !== null))).toEqual({});
  expect(Object.keys(cases)).toHaveLength(count);
}

/** The ids of endpoints whose workers behave as these images of the emulator. */
export async function queueEndpoints(cloud: Account): Promise<Record<"ECHO" | "STREAM" | "SLOW" | "FAIL", string>> {
  return {
    ECHO: (await openEndpoint(cloud)).id,
    STREAM: (await openEndpoint(cloud, { image: "emulator/stream" })).id,
    SLOW: (await openEndpoint(cloud, { image: "emulator/delay", env: { EMULATOR_DELAY_MS: "600000" } })).id,
    FAIL: (await openEndpoint(cloud, { image: "emulator/fail" })).id,
  };
}
