import { APPEARS_WITHIN_MS, needed, type SavedEndpoint } from "../../../client";
import { inSeconds } from "../../../common/duration";
import type { Context } from "../../lifecycle/definition";
import { waitUntil } from "../../lifecycle/make/wait";
import { readable } from "./templateCopy";
import { mayArriveUntil } from "./workerNumbers";

/** How long workers may take to stop; they finish the job that they have. */
const PATIENCE_MS = 300_000;

/** What the state holds of an endpoint and no interface shows. */
interface Recorded {
  /** A save through GraphQL resets it unless it is sent again. */
  readonly flashboot: SavedEndpoint["flashboot"];
  readonly templateId: string | undefined;
}

/**
 * Deletes an endpoint after its workers are scaled to 0. GraphQL refuses to delete an endpoint that has workers or may
 * start some, and REST would cancel their jobs. Over GraphQL both are one call. The endpoint is looked up first, because it may
 * have changed since the state was written; the endpoints that a destroy deletes share one list.
 *
 * Queued jobs are not waited for. If a later step fails, the endpoint stays at a maximum of 0, and a note makes the next run
 * that keeps it give it its workers again.
 *
 * @returns false if the endpoint was already gone
 * @throws Error if workers have not stopped in time
 */
export async function deleteEndpoint(
  context: Context,
  id: string,
  { flashboot, templateId }: Recorded,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  const { account, client, ledger } = context;
  const listed = await client.endpoints.read(id);
  if (listed === undefined) return false;
  // The list may be half a minute old. What has no workers in it may have got some since, and REST would cancel their jobs.
  const live = mayWork(listed) ? listed : await client.endpoints.find(id);
  if (live === undefined) return false;
  let scaledDown: SavedEndpoint | undefined;
  // mutant no-scale-to-zero: false
  if (mayWork(live)) {
    scaledDown = { ...live, flashboot, workers: { ...live.workers, min: 0, max: 0 } };
    ledger.workers.changed(id, 0, account.knownMark, mayArriveUntil(context));
  }
  const idle = () => {
    if (scaledDown !== undefined)
      ledger.workers.changed(id, 0, account.knownMark, client.clock.now() + APPEARS_WITHIN_MS);
    return workersGone(context, live, patienceMs);
  };
  await client.endpoints.delete(id, { scaledDown, idle });
  if (client.endpoints.through() === "rest" && templateId !== undefined)
    await noteTemplate(context, live.name ?? id, templateId);
  return true;
}

const mayWork = ({ workers }: SavedEndpoint) => workers?.min !== 0 || workers.max !== 0;

/**
 * Remembers or reports a template that REST may have deleted. REST deletes, along with an endpoint, the template that
 * GraphQL has bound to it.
 */
async function noteTemplate({ client, log, ledger }: Context, name: string, templateId: string): Promise<void> {
  // Else the program deletes it next, or it never belonged to the program.
  const isHeld = ledger.ids.isHeld(templateId);
  if (isHeld && (await readable(client.templates.read(templateId))) !== undefined) return;
  // Its absence is expected from now on, also by the next run.
  ledger.changes.deleted(templateId);
  if (!isHeld) return;
  log.warn(
    `Template ${templateId}, which this program declares, was deleted by the service along with ServerlessEndpoint ${name}. ` +
      "REST does that with a template that GraphQL has bound. Other endpoints keep their copies of it. " +
      "`pulumi up --refresh` creates the template again.",
  );
}

/** Waits until an endpoint has no workers. @returns false if it had none */
async function workersGone(context: Context, { id, name = id }: SavedEndpoint, timeoutMs: number): Promise<boolean> {
  let had = false;
  await waitUntil(context, {
    poll: async () => {
      const summary = needed(`Endpoint ${id}`, await context.client.serverless.workers(id), "summary");
      return needed(`Endpoint ${id}`, summary, "total");
    },
    done: (total) => {
      had ||= total > 0;
      return total === 0;
    },
    progress: (total, _, isLast) =>
      context.log.status(
        `ServerlessEndpoint ${name}`,
        isLast ? "its workers have stopped" : `waiting for ${total} workers to stop`,
        isLast,
      ),
    timeoutMs,
    late: async (total) => {
      const { inProgress, inQueue } = (await context.client.queue(id).health()).jobs;
      return (
        `ServerlessEndpoint ${name} (${id}) is scaled to 0, but ${total} of its workers have not stopped within ` +
        `${inSeconds(timeoutMs)}, and the service deletes no endpoint with workers. They are finishing their ` +
        `jobs: ${inProgress} in progress, ${inQueue} queued. Cancel those jobs (\`jobs.cancel\`, or \`computecloud ` +
        `purge ${id}\` for the queued ones) or wait, then run the same command again. To keep it instead, declare it with its ` +
        "workersMax and run `pulumi up --refresh`, which gives it its workers again."
      );
    },
  });
  return had;
}
