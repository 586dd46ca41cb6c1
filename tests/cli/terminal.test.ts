/* What a hostile service can do to the terminal that the command line prints on: nothing. */
import type { RequestListener } from "node:http";
import { expect, test } from "@jest/globals";
import { run, runOnTerminal } from "../../tools/run/process";
import { MAIN } from "../harness/commandLine";
import { ATTACK, RAW, serviceThat } from "./hostileService";

const worker = { id: "w1", status: "RUNNING", isStale: false, gpuCount: 1 };
const summary = { running: 1, idle: 0, initializing: 0, throttled: 0, unhealthy: 0, total: 1 };

/** Workers whose logs speak to the terminal. */
const logs =
  (lines: number): RequestListener =>
  (request, response) => {
    if (request.url?.includes("/logs") !== true)
      return void response.end(JSON.stringify({ workers: [worker], summary }));
    response.writeHead(200, { "content-type": "text/event-stream" });
    const event = { source: "container", line: ATTACK, ts: "2026-01-01T00:00:00Z" };
    for (let i = 0; i < lines; i++) response.write(`id: ${i}\ndata: ${JSON.stringify(event)}\n\n`);
  };

test("text of the service in a log is one line of plain text, and in --json every byte of it", async () => {
  await using service = await serviceThat(logs(1));
  const plain = await run(process.execPath, [MAIN, "logs", "e"], { env: service.environment });
  expect(plain).toMatchObject({ exitCode: 0, stderr: "" });
  expect(plain.stdout.trimEnd()).not.toMatch(RAW);
  expect(plain.stdout.trimEnd()).not.toContain("\n");
  expect(plain.stdout).toContain("\\x1b]0;title\\x07");

  const { stdout } = await run(process.execPath, [MAIN, "logs", "e", "--json"], { env: service.environment });
  expect(JSON.parse(stdout).lines).toEqual([expect.objectContaining({ line: ATTACK })]);
});

test("text of the service in a worker's id is plain text, where that worker's log can't be read", async () => {
  await using service = await serviceThat((request, response) => {
    if (request.url?.includes("/logs") !== true)
      response.end(JSON.stringify({ workers: [{ ...worker, id: ATTACK }, worker], summary }));
    else response.writeHead(200, { "content-type": "text/event-stream" }).end();
  });
  for (const options of [[], ["--follow"]]) {
    const { stderr } = await run(process.execPath, [MAIN, "logs", "e", ...options], { env: service.environment });
    expect(stderr).toContain("worker \\x1b]0;title");
    expect(stderr).not.toMatch(RAW);
  }
});

test("text of the service in an error is plain text on the error's line", async () => {
  await using service = await serviceThat((_, response) => {
    const problem = { title: "Not Found", status: 404, detail: ATTACK, errors: [ATTACK] };
    response.writeHead(404, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
  });
  for (const command of ["health", "logs"]) {
    const { stderr, exitCode } = await run(process.execPath, [MAIN, command, "e"], { env: service.environment });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("\\x1b]0;title");
    expect(stderr.trimEnd()).not.toMatch(RAW);
    expect(stderr.trimEnd()).not.toContain("\n");
  }
});

test.each(["cost", "plan"])("on a terminal, %s does not wait for somebody to type a preview", async (command) => {
  const { exitCode, stdout } = await runOnTerminal(process.execPath, [MAIN, command]);
  expect(exitCode).toBe(2);
  expect(stdout).toContain("Name a file, or pipe `pulumi preview --json` into this command.");
});

test("a reader that leaves early ends the command, and is not a failure", async () => {
  await using service = await serviceThat(logs(5_000));
  for (const options of ["--tail 5000", "--follow"]) {
    const script = `"${process.execPath}" "${MAIN}" logs e ${options} | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await run("bash", ["--norc", "-c", script], { env: service.environment });
    expect(stdout.split("\n")).toEqual([expect.stringContaining("container"), "0", ""]);
    expect(stderr).toBe("");
  }
});

// Only Linux has a device that is always full.
(process.platform === "linux" ? test : test.skip)("a full disk is not taken for a command's result", async () => {
  const toFull = `"${process.execPath}" "${MAIN}" version > /dev/full`;
  const { exitCode, stderr } = await run("sh", ["-c", toFull]);
  expect([exitCode, stderr]).toEqual([2, "The output can't be written (ENOSPC). Check the disk that it goes to.\n"]);
});
