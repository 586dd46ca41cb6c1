import type { z } from "zod";
import { ComputeCloudError } from "../errors";
import { conform, parseJson } from "../json";
import type { Operation } from "../operation";
import type { CallOptions } from "../options";
import { LogLine, type LogQuery } from "../schemas/logs";
import { readEvents } from "../sse";
import type { Rest } from "./rest";

export interface LogOptions extends z.infer<typeof LogQuery>, CallOptions {
  /** Resume after this line (its `ts`). Beats `since` and `tail`. */
  lastEventId?: string | undefined;
}

/**
 * A log, line by line, as it grows. Ends when the service ends it, the signal aborts it or the loop is left. A dropped
 * connection is taken up after the last line seen.
 */
export async function* followLogs(
  rest: Rest,
  operation: Operation<undefined, undefined, z.infer<typeof LogQuery>>,
  params: Readonly<Record<string, string>>,
  { signal, lastEventId, ...query }: LogOptions = {},
): AsyncGenerator<LogLine, void, undefined> {
  let cursor = lastEventId;
  for (;;) {
    const resume: Record<string, string> = cursor === undefined ? {} : { "last-event-id": cursor };
    const headers = { accept: "text/event-stream", ...resume };
    const call = { ...rest.wire(operation, { params, query, signal }), headers };
    const chunks = await rest.transport.open(call);
    let progressed = false;
    try {
      for await (const event of readEvents(chunks)) {
        const line = conform(LogLine, parseJson(event.data), call);
        cursor = event.id ?? line.ts;
        progressed = true;
        yield line;
      }
      return;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ComputeCloudError) throw error;
      if (!progressed) throw rest.transport.errorOf(error, call);
    }
  }
}
