import { expect, test } from "@jest/globals";
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { engineLog } from "../../provider/engine/log";
import { logServerForEach } from "../harness/logServer";

const server = logServerForEach();

test("the engine's log takes what lasts and what passes", async () => {
  const log = engineLog(server.address);
  log.status("Pod p1", "PROVISIONING for 2 s");
  log.info("adopted");
  log.warn("not checked");
  await server.hears(3);
  const bySeverity = [...server.said].sort((a, b) => a.message.localeCompare(b.message));
  expect(bySeverity).toEqual([
    { message: "adopted", severity: LogSeverity.INFO, ephemeral: false },
    { message: "not checked", severity: LogSeverity.WARNING, ephemeral: false },
    { message: "Pod p1: PROVISIONING for 2 s", severity: LogSeverity.INFO, ephemeral: true },
  ]);
});

test("the engine's log hears each subject once in a while, so that waits don't fill a pipeline's output, and how it ended", async () => {
  const log = engineLog(server.address);
  for (let i = 0; i < 50; i++) {
    log.status("Pod p1", `poll ${i}`);
    log.status("Pod p2", `poll ${i}`);
  }
  log.status("Pod p2", "runs", true);
  log.status("Pod p3", "runs", true);
  log.info("the end");
  await server.hears(4);
  const messages = server.said.map(({ message }) => message).sort();
  expect(messages).toEqual(["Pod p1: poll 0", "Pod p2: poll 0", "Pod p2: runs", "the end"]);
});

test("the engine's log is silent without an engine", () => {
  expect(() => engineLog(undefined).warn("nobody listens")).not.toThrow();
  expect(() => engineLog("--not-an-address").status("a", "b")).not.toThrow();
});
