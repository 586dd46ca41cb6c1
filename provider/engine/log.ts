import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { EngineLog } from "../lifecycle/run";
import { beforeTheEnd, onCancel } from "./cancellation";
import { engineText } from "./text";

/** Where the engine's output is not a terminal, every status becomes a line. */
const STATUS_PAUSE_MS = 10_000;

type Severity = "INFO" | "WARNING";

/**
 * The engine's own log, at the address that it gives the dynamic provider's process as first argument. Without an
 * address (in a test, outside the engine) messages go nowhere. What is written to stdout or stderr instead would stay
 * in the closing diagnostics as noise.
 */
export function engineLog(address: string | undefined = process.argv[2]): EngineLog {
  if (address === undefined || !/^[\w.[\]:-]+:\d+$/.test(address)) {
    return { status: () => {}, info: () => {}, warn: () => {}, atEnd: () => {} };
  }
  let client: EngineClient | undefined;
  const lastSaid = new Map<string, number>();

  const send = (severity: Severity, message: string, ephemeral: boolean): void => {
    // Loaded on first use: most operations say nothing.
    const { EngineClient } =
      require("@pulumi/pulumi/proto/engine_grpc_pb") as typeof import("@pulumi/pulumi/proto/engine_grpc_pb");
    const { LogRequest, LogSeverity } =
      require("@pulumi/pulumi/proto/engine_pb") as typeof import("@pulumi/pulumi/proto/engine_pb");
    const { credentials } = require("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
    client ??= new EngineClient(address, credentials.createInsecure());
    const request = new LogRequest();
    request.setSeverity(LogSeverity[severity]);
    request.setMessage(engineText(message));
    request.setEphemeral(ephemeral);
    // The engine may be gone already; a lost status line is not a reason to fail the operation.
    beforeTheEnd(new Promise((resolve) => client?.log(request, () => resolve())));
  };

  return {
    status: (subject, message) => {
      const now = performance.now();
      if (now - (lastSaid.get(subject) ?? Number.NEGATIVE_INFINITY) < STATUS_PAUSE_MS) return;
      lastSaid.set(subject, now);
      send("INFO", `${subject}: ${message}`, true);
    },
    info: (message) => send("INFO", message, false),
    warn: (message) => send("WARNING", message, false),
    atEnd: (warning) => {
      let isSaid = false;
      onCancel(() => {
        if (isSaid) return;
        isSaid = true;
        const message = warning();
        if (message !== undefined) send("WARNING", message, false);
      });
    },
  };
}
