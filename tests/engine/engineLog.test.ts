import { Server, ServerCredentials } from "@grpc/grpc-js";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { engineLog } from "../../provider/engine/log";

/** The engine's side of the log, over real gRPC. */
let server: Server;
let address: string;
let said: { message: string; severity: number; ephemeral: boolean }[];
let waitForMessages: (count: number) => Promise<void>;

beforeEach(async () => {
  said = [];
  let wake = () => {};
  waitForMessages = async (count) => {
    while (said.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  server = new Server();
  server.addService(EngineService, {
    log: (call: { request: LogRequest }, answer: (error: null, reply: Empty) => void) => {
      const { message, severity, ephemeral } = call.request.toObject();
      said.push({ message, severity, ephemeral });
      answer(null, new Empty());
      wake();
    },
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  address = `127.0.0.1:${port}`;
});

afterEach(() => server.forceShutdown());

test("the engine's log takes what lasts and what passes", async () => {
  const log = engineLog(address);
  log.status("Pod p1", "PROVISIONING for 2 s");
  log.info("adopted");
  log.warn("not checked");
  await waitForMessages(3);
  const bySeverity = [...said].sort((a, b) => a.message.localeCompare(b.message));
  expect(bySeverity).toEqual([
    { message: "adopted", severity: LogSeverity.INFO, ephemeral: false },
    { message: "not checked", severity: LogSeverity.WARNING, ephemeral: false },
    { message: "Pod p1: PROVISIONING for 2 s", severity: LogSeverity.INFO, ephemeral: true },
  ]);
});

test("the engine's log hears each subject once in a while, so that waits don't fill a pipeline's output, and how it ended", async () => {
  const log = engineLog(address);
  for (let i = 0; i < 50; i++) {
    log.status("Pod p1", `poll ${i}`);
    log.status("Pod p2", `poll ${i}`);
  }
  log.status("Pod p2", "runs", true);
  log.status("Pod p3", "runs", true);
  log.info("the end");
  await waitForMessages(4);
  const messages = said.map(({ message }) => message).sort();
  expect(messages).toEqual(["Pod p1: poll 0", "Pod p2: poll 0", "Pod p2: runs", "the end"]);
});

test("the engine's log is silent without an engine", () => {
  expect(() => engineLog(undefined).warn("nobody listens")).not.toThrow();
  expect(() => engineLog("--not-an-address").status("a", "b")).not.toThrow();
});
