/* Files of a killed process are taken over, and those of one that goes on are left alone. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { isRunning } from "../../common/isRunning";
import { until } from "../harness/until";

test("a zombie does not run: nobody has taken note of its end", async () => {
  // `sleep` takes the place of the shell and never asks after the child.
  const parent = spawn("sh", ["-c", "sh -c 'read _' <&3 & echo $!; exec sleep 600"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  try {
    const [line] = (await once(parent.stdout ?? parent, "data")) as [Buffer];
    const child = Number(line.toString());
    expect(isRunning(child)).toBe(true);
    const onLinux = process.platform === "linux";
    // Until then the shell itself may take note of the end.
    if (onLinux) await until(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8") === "sleep\n");
    parent.stdio[3]?.destroy();
    if (onLinux) await until(() => / Z /.test(readFileSync(`/proc/${child}/stat`, "utf8")));
    // Other systems don't tell a zombie from a process.
    expect(isRunning(child)).toBe(!onLinux);
  } finally {
    parent.kill("SIGKILL");
  }
});
