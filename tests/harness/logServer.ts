import { Server, ServerCredentials } from "@grpc/grpc-js";
import { afterEach, beforeEach } from "@jest/globals";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

/** The engine's side of the log, over real gRPC, and what it has heard. */
export function logServerForEach() {
  const log = {
    address: "",
    said: [] as { message: string; severity: number; ephemeral: boolean }[],
    /** Resolves once there are so many messages. */
    async hears(count: number) {
      while (log.said.length < count) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
  let wake = () => {};
  let server: Server;
  beforeEach(async () => {
    log.said = [];
    server = new Server();
    server.addService(EngineService, {
      log: (call: { request: LogRequest }, answer: (error: null, reply: Empty) => void) => {
        const { message, severity, ephemeral } = call.request.toObject();
        log.said.push({ message, severity, ephemeral });
        answer(null, new Empty());
        wake();
      },
    });
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    log.address = `127.0.0.1:${port}`;
  });
  afterEach(() => server.forceShutdown());
  return log;
}
