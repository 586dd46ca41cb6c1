import { setTimeout as realDelay } from "node:timers/promises";
import type { Service } from "../service";
import type { JobRecord } from "../store/records";
import { jobShown } from "./shown";

const ATTEMPTS = 3;
const BETWEEN_ATTEMPTS_MS = 10_000;
/** Time limit of one call, in real time. */
const PATIENCE_MS = 10_000;

/** Calls a finished job's webhook, and retries twice after an answer other than 2xx. The job does not change. */
export function callWebhook(service: Service, job: JobRecord): void {
  if (job.webhook === undefined) return;
  const body = JSON.stringify({ ...jobShown(job), input: job.input, webhook: job.webhook });
  void attempt(service, job.webhook, body, ATTEMPTS);
}

async function attempt(service: Service, url: string, body: string, left: number): Promise<void> {
  if (await delivered(service, url, body)) return;
  if (left > 1) service.clock.after(BETWEEN_ATTEMPTS_MS, () => void attempt(service, url, body, left - 1));
}

/** Applies the faults of the interface `webhook`, then posts. Returns whether the answer was 2xx. */
async function delivered(service: Service, url: string, body: string): Promise<boolean> {
  const { pathname } = new URL(url);
  const acts = service.faults.take({ interface: "webhook", method: "POST", path: pathname, operation: "webhook" });
  let text = body;
  let isAnswered = true;
  for (const act of acts) {
    if ("delayMs" in act) await realDelay(act.delayMs);
    if ("status" in act || ("drop" in act && act.drop === "before")) return false;
    if ("drop" in act) isAnswered = false;
    if ("truncate" in act) text = body.slice(0, body.length >> 1);
    if ("malformed" in act) text = '{"malformed": ';
  }
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: text,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.body?.cancel();
    return response.ok && isAnswered;
  } catch {
    // No connection and a time-out count as a refusal.
    return false;
  }
}
