import { expect } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { run } from "../../harness/process";

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

/** Makes a queue endpoint whose workers behave as this image of the emulator; returns its id. */
export async function queueEndpoint(
  emulator: Pick<Emulator, "baseUrl" | "apiKey">,
  image: string,
  env: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(`${emulator.baseUrl}/v2/serverless`, {
    method: "POST",
    headers: { authorization: `Bearer ${emulator.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      name: image.replace("/", "-"),
      type: "QUEUE",
      image,
      env,
      gpu: { pools: ["ADA_24"] },
      workers: { min: 0, max: 1, idleTimeout: 5 },
      scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
    }),
  });
  const { id }: { id: string } = JSON.parse(await response.text());
  return id;
}
