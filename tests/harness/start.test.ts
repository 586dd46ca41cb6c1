// @long: the first command of README, from the start.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { checkout } from "../../tools/run/environment";
import { type ProcessOptions, run } from "../../tools/run/process";

function start(args: readonly string[] = [], options: ProcessOptions = {}) {
  return run(process.execPath, [join(checkout, "dist", "tools", "start", "main.js"), ...args], options);
}

/** Figures of the closing table, by step. */
function closingTable(output: string): Record<string, { resources: string; apiCalls: number }> {
  const rows = output.slice(output.lastIndexOf("\nstep ")).matchAll(/^(\S.+?) {2,}(\d.+?) {2,}[\d.]+ {2,}(\d+)$/gm);
  return Object.fromEntries(
    [...rows].map(([, step = "", resources = "", calls]) => [step, { resources, apiCalls: Number(calls) }]),
  );
}

function leftovers(output: string): string[] {
  const [, stack = ""] = /Previewing update \((\S+)\)/.exec(output) ?? [];
  expect(stack).not.toBe("");
  return [join(checkout, `Pulumi.${stack}.yaml`)].filter((path) => existsSync(path));
}

const queueAddress = (output: string): string => /chat *: "(http:\S+)\/v2\//.exec(output)?.[1] ?? "";

it("npm start takes the fleet from nothing to running and back, while another leaves emulator and stack to plain pulumi", async () => {
  const [whole, withKeep] = await Promise.all([start(), start(["--keep"])]);
  const steps = {
    "pulumi preview": { resources: "6 to create" },
    "pulumi up": { resources: "6 created" },
    "smoke job": { resources: "1 job completed" },
    "pulumi up again": { resources: "6 unchanged", apiCalls: 0 },
  };
  expect(whole.exitCode).toBe(0);
  const table = closingTable(whole.stdout);
  expect(table).toMatchObject({ ...steps, "pulumi destroy": { resources: "6 deleted" } });
  expect(table["pulumi up"]?.apiCalls).toBeGreaterThanOrEqual(6);

  expect(closingTable(withKeep.stdout)).toMatchObject(steps);
  const exports = withKeep.stdout.split("\n").filter((line) => line.startsWith("export "));
  const ending = withKeep.stdout.split("\n").find((line) => line.startsWith("pulumi destroy")) ?? "";
  const byHand = (command: string) =>
    run("bash", ["-c", [...exports, command].join("\n")], { cwd: checkout, env: { PATH: "/usr/bin:/bin" } });
  try {
    expect((await byHand("pulumi up --yes --skip-preview --non-interactive")).stdout).toContain("7 unchanged");
  } finally {
    await byHand(ending);
  }
  for (const { stdout } of [whole, withKeep]) {
    expect(leftovers(stdout)).toEqual([]);
    await expect(fetch(queueAddress(stdout))).rejects.toThrow();
  }
});

it("npm start leaves no process and no file when it is interrupted", async () => {
  const interrupt = new AbortController();
  const onLine = (line: string) => line.includes("smoke job") && interrupt.abort();
  const { exitCode, stdout, stderr } = await start([], { signal: interrupt.signal, onLine });

  expect({ exitCode, stderr: stderr.trim() }).toEqual({ exitCode: 130, stderr: "interrupted by SIGINT" });
  expect(leftovers(stdout)).toEqual([]);
  await expect(fetch(queueAddress(stdout))).rejects.toThrow();
});

it("npm start leaves nothing behind when its reader goes away", async () => {
  const main = join(checkout, "dist", "tools", "start", "main.js");
  const script = `"${process.execPath}" "${main}" | sed '/Previewing update/q'; echo "exit code \${PIPESTATUS[0]}"`;
  const { stdout } = await run("bash", ["-c", script]);
  expect(stdout).toContain("exit code 130");
  expect(leftovers(stdout)).toEqual([]);
  const { stdout: processes } = await run("ps", ["-A", "-o", "command"]);
  const [, stack = ""] = /Previewing update \((\S+)\)/.exec(stdout) ?? [];
  expect(processes).not.toContain(stack);
});
