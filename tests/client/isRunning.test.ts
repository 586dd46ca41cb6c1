/* Files of a killed process are taken over, and those of one that goes on are left alone. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { isRunning } from "../../provider/client/values/isRunning";
import { until } from "../harness/until";

test("a process runs until it has ended", () => {
  expect(isRunning(process.pid)).toBe(true);
  expect(isRunning(process.ppid)).toBe(true);
  expect(isRunning(undefined)).toBe(false);
  expect(isRunning(spawnSync(process.execPath, ["--version"]).pid)).toBe(false);
});

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux("a zombie does not run: nobody has taken note of its end", async () => {
  // `sleep` takes the place of the shell and never asks after the child.
  const parent = spawn("sh", ["-c", "sh -c 'read _' <&3 & echo $!; exec sleep 600"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  try {
    const [line] = (await once(parent.stdout ?? parent, "data")) as [Buffer];
    const child = Number(line.toString());
    expect(isRunning(child)).toBe(true);
    parent.stdio[3]?.destroy();
    await until(() => / Z /.test(readFileSync(`/proc/${child}/stat`, "utf8")));
    expect(isRunning(child)).toBe(false);
  } finally {
    parent.kill("SIGKILL");
  }
});
