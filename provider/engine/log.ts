import type { EngineLog } from "../lifecycle/run";
import { engineAddress } from "../memory/ledger";
import { delayExit, onCancel } from "./cancellation";
import type { EngineClient } from "./engineService";
import { currentUrn, engineText } from "./text";

/** Least time between two statuses of a subject. If the output is not a terminal, each becomes a line. */
const STATUS_PAUSE_MS = 10_000;

type Severity = "INFO" | "WARNING";

/**
 * The engine's log, at the address that the process for dynamic providers gets as its first argument. Without an address,
 * as in a test, messages are dropped. Text on stdout or stderr would end up in the closing diagnostics instead.
 */
export function engineLog(argument: string | undefined = process.argv[2]): EngineLog {
  const address = engineAddress(argument);
  if (address === undefined) {
    return { status: () => {}, info: () => {}, warn: () => {}, atEnd: () => {} };
  }
  let client: EngineClient | undefined;
  const lastSaid = new Map<string, number>();

  /** @param urn of a status: whose row shows it; empty for the stack's */
  const send = (severity: Severity, message: string, urn?: string): void => {
    // Loaded on first use: most operations log nothing.
    const { EngineClient, LogRequest, LogSeverity } = require("./engineService") as typeof import("./engineService");
    const { credentials } = require("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
    client ??= new EngineClient(address, credentials.createInsecure());
    const request = new LogRequest();
    request.setSeverity(LogSeverity[severity]);
    request.setMessage(engineText(message));
    if (urn !== undefined) request.setEphemeral(true).setUrn(urn);
    // The engine may have ended; a lost message is not a reason to fail the operation.
    delayExit(new Promise((resolve) => client?.log(request, () => resolve())));
  };

  return {
    status: (subject, message, isLast = false) => {
      const [now, before] = [performance.now(), lastSaid.get(subject)];
      if (isLast ? before === undefined : now - (before ?? Number.NEGATIVE_INFINITY) < STATUS_PAUSE_MS) return;
      if (isLast) lastSaid.delete(subject);
      else lastSaid.set(subject, now);
      const urn = currentUrn();
      send("INFO", urn === undefined ? `${subject}: ${message}` : message, urn ?? "");
    },
    info: (message) => send("INFO", message),
    warn: (message) => send("WARNING", message),
    atEnd: (warning) => {
      onCancel(() => {
        const message = warning();
        if (message !== undefined) send("WARNING", message);
      });
    },
  };
}
