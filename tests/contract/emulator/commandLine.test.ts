import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { type Calls, callsTo } from "../../../tools/run/calls";
import { checkout } from "../../../tools/run/environment";
import { runOnTerminal, run as runToEnd } from "../../../tools/run/process";
import { folderForEach } from "../../harness/folder";

const MAIN = join(checkout, "dist/emulator/main.js");

const folder = folderForEach();
let running: ChildProcess[];
beforeEach(() => {
  running = [];
});
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
});

function run(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  return child;
}

async function firstLine(child: ChildProcess, stream: "stdout" | "stderr"): Promise<string> {
  const input = child[stream];
  if (input === null) throw new Error(`${stream} is not piped`);
  const [line] = await once(createInterface({ input }), "line");
  return String(line);
}

async function started(...args: string[]): Promise<{ child: ChildProcess; calls: Calls }> {
  const child = run(...args);
  return { child, calls: callsTo(JSON.parse(await firstLine(child, "stdout"))) };
}

it("computecloud-emulator says where it listens in one line of JSON, and takes the key that it was given", async () => {
  const { child, calls } = await started("--api-key", "mine");
  expect((await calls.rest("GET", "/v2/pods")).status).toBe(200);
  expect((await calls.rest("GET", "/v2/pods", undefined, { authorization: "Bearer other" })).status).toBe(401);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

it("computecloud-emulator still has every answered write after it was killed, and can be started again", async () => {
  const data = folder.at("data.jsonl");
  const names = ["a", "b", "c"];
  {
    const { child, calls } = await started("--data", data);
    for (const name of names) await calls.rest("POST", "/v2/templates", { name, image: "repo/image:1" });
    const second = run("--data", data);
    expect(await firstLine(second, "stderr")).toContain("is in use by the emulator with process id");
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  const { calls } = await started("--data", data);
  const { templates } = (await calls.rest("GET", "/v2/templates")).body;
  expect(templates.map(({ name }: { name: string }) => name)).toEqual(names);
});

it("computecloud-emulator on a terminal prints the environment of another terminal, to copy", async () => {
  const interrupt = new AbortController();
  const { stdout } = await runOnTerminal(process.execPath, [MAIN, "--api-key", "mi'ne"], {
    onLine: (line) => line.startsWith("Console: ") && interrupt.abort(),
    signal: interrupt.signal,
  });
  const exports = stdout.split("\r\n").filter((line) => line.startsWith("export "));
  expect(exports).toHaveLength(4);
  const { stdout: read } = await runToEnd("sh", ["-c", `${exports.join("\n")}\nprintf %s "$COMPUTECLOUD_API_KEY"`]);
  expect(read).toBe("mi'ne");
});

it("computecloud-emulator names the port that another program has", async () => {
  const { port } = new URL(JSON.parse(await firstLine(run(), "stdout")).baseUrl);
  expect(await firstLine(run("--port", port), "stderr")).toContain(`port ${port} is in use by another program`);
});

it.each([
  [["--port", "eighty"], "--port must be a whole number"],
  [["--speed", "3"], "--speed"],
])("computecloud-emulator refuses %j", async (args, message) => {
  const child = run(...args);
  expect(await firstLine(child, "stderr")).toContain(message);
  const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
  expect(code).toBe(2);
});
