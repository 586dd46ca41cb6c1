import { type EndpointWorkers, isRefusal, needed } from "../../../client";
import { DEFAULT_FLASH_BOOT, MOST_WORKERS } from "../../../common/defaults";
import { milliseconds } from "../../../common/duration";
import { z } from "../../../common/zod";
import { shares, shareTable, sumOf, workerQuota } from "../../cost/quota";
import type { Context } from "../../lifecycle/definition";
import { initially, named } from "../../lifecycle/fields/fields";
import { waitUntil } from "../../lifecycle/make/wait";
import { perRun } from "../../lifecycle/perRun";
import { CrashLoopWatch } from "../../smoke/crashLoop";
import { logTail } from "../logTail";

/** The service lowers the maximum after days without requests. If the program leaves it out, that is not drift. */
export const mostWorkers = initially(MOST_WORKERS, z.int().min(0)).describe(
  "Most workers at a time. Left out, the service may lower it.",
);

export const flashBoot = named("FlashBoot", z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"])).describe(
  "How fast stopped workers come back.",
);

/** If the program leaves it out, an adopted endpoint keeps its own. */
export const wantedFlashBoot = initially(DEFAULT_FLASH_BOOT, flashBoot).describe(
  "How fast stopped workers come back. Left out, an adopted endpoint keeps what it has.",
);

/**
 * Waits until an endpoint has its minimum of workers ready. The wait ends early if they crash in a loop.
 *
 * @throws Error after createTimeout or in a crash loop: the endpoint exists and may be billed
 */
export async function workersReady(context: Context, id: string, wanted: number, timeout: string): Promise<void> {
  const { client, log } = context;
  const ready = (workers: EndpointWorkers) => {
    const { running = 0, idle = 0 } = needed(`Endpoint ${id}`, workers, "summary");
    return running + idle;
  };
  const watch = new CrashLoopWatch();
  await waitUntil(context, {
    poll: async () => {
      const workers = await client.serverless.workers(id);
      if (!watch.isLoop(workers.summary ?? {}, client.clock.now())) return workers;
      throw new Error(
        await notReady(context, id, "the workers crash again and again: look at the image, its command and the log"),
      );
    },
    done: (workers) => ready(workers) >= wanted,
    progress: (workers, _, isLast) =>
      log.status(`Endpoint ${id}`, `${ready(workers)} of ${wanted} workers are ready`, isLast),
    timeoutMs: milliseconds(timeout),
    late: () => notReady(context, id, `it does not have ${wanted} workers ready within createTimeout (${timeout})`),
  });
}

async function notReady(context: Context, id: string, why: string): Promise<string> {
  const { client } = context;
  const { summary = {}, workers = [] } = await client.serverless.workers(id);
  const [worker] = workers.filter(({ status }) => status === "UNHEALTHY").concat(workers);
  const logs =
    worker === undefined
      ? ""
      : await logTail(context, (options) => client.serverless.workerLogs(id, worker.id, options));
  return (
    `Endpoint ${id}: ${why} (${countsOf(summary)}). It exists, may be billed and stays in the state: \`pulumi up\` ` +
    `waits again.${logs}`
  );
}

function countsOf({ total, ...states }: NonNullable<EndpointWorkers["summary"]>): string {
  const present = Object.entries(states).filter(([, count]) => count !== undefined && count > 0);
  return total === 0 ? "no worker at all" : present.map(([state, count]) => `${count} ${state}`).join(", ");
}

/** How long the account's quota is waited for. */
const PATIENCE_MS = 10_000;
/** How many refusals a run checks. The first ones may have another reason than the quota. */
const MOST_LOOKS = 3;
const quotaOf = perRun(() => ({ refusals: 0, isReported: false }));

/**
 * Warns who uses the account's quota of workers, once in a run, after a refusal that the quota explains. The refusal has
 * no code of its own. So the sum of the maxima decides, and the real reason may be another.
 *
 * @param id of the endpoint that was to be updated; undefined for a create
 */
export async function warnAboutQuota(context: Context, error: unknown, workersMax: number, id?: string): Promise<void> {
  if (!isRefusal(error)) return;
  const { client, log, signal } = context;
  const quota = quotaOf(context);
  quota.refusals += 1;
  if (quota.refusals > MOST_LOOKS) return;
  try {
    const options = { signal, timeoutMs: PATIENCE_MS };
    const [accountQuota, all] = await Promise.all([workerQuota(client, options), shares(client, options)]);
    const others = sumOf(all.filter((each) => each.id !== id));
    const { limit } = accountQuota;
    if (limit === undefined || others + workersMax <= limit || quota.isReported) return;
    quota.isReported = true;
    log.warn(
      `The account's endpoints may have ${limit} workers together. This one asks for ${workersMax}, and the others have ` +
        `${others} already, so ${Math.max(0, limit - others)} are left for it. Lower its maximum, or that of one of these:\n` +
        `${shareTable(all, accountQuota)}\n\`npx pulumi-computecloud plan\` shows this before the first call.`,
    );
  } catch {
    // The refusal is reported in any case.
  }
}
