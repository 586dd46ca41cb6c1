import type { z } from "zod";
import { APPEARS_WITHIN_MS } from "../../../client";
import { isRecord } from "../../../common/json";
import type { Change, Context, Judged, Verdict } from "../../lifecycle/definition";
import type { Difference } from "../../lifecycle/fields/difference";
import type { Properties } from "../../lifecycle/fields/values";
import { pauseFor } from "../../lifecycle/make/wait";
import { differences } from "../../lifecycle/plan/diff";

/** Beside the time for retries. Generous: a run that is not killed notes how it went. */
const LONGEST_CHANGE_MS = 600_000;

/**
 * The numbers of workers of an endpoint, which not only its program changes: a schedule sets them by the clock, a job may raise
 * the maximum for a while, and a delete begins by setting it to 0. If a run is killed or fails meanwhile, the endpoint keeps a
 * maximum that no state shows. The note of it makes the next comparison find a difference, and the update restore what is
 * declared. Putting an endpoint to rest does not change what it does, so it gets no new revision and no proof.
 */
export class WorkerNumbers {
  /** @param paths where a kind has its numbers of workers: two arguments, which may be inside a third */
  constructor(
    private readonly schema: z.ZodObject,
    private readonly paths: { readonly min: string; readonly max: string },
  ) {}

  /** The clock's change of workers is no new revision, because the endpoint does what it did. */
  differences(changes: readonly Difference[], { schedule }: Properties): readonly Difference[] {
    const { min, max } = this.paths;
    if (schedule === undefined) return changes;
    return changes.map((each) => (each.path === min || each.path === max ? { ...each, keepsRevision: true } : each));
  }

  /** What a killed or failed run has left, which it reports. Jobs on the endpoint learn whether it has a schedule. */
  judge(context: Context, { id, subject, old, next }: Judged): Verdict {
    const { log, ledger } = context;
    if (next.schedule !== undefined) ledger.workers.schedules(id);
    const workersMax = ledger.workers.leftoverMaximum(id);
    const left = this.#left(context, id, old, next);
    const scaledToNone = `${subject} was scaled to 0 workers by a run that was to delete it and failed`;
    if (left === undefined) {
      if (workersMax === 0) log.warn(`${scaledToNone}. Declare its maximum of workers to give it workers again.`);
      return {};
    }
    ledger.workers.scalesBack(id);
    log.info(
      workersMax === 0
        ? `${scaledToNone}: an update gives it its workers again.`
        : `${subject} may start up to ${workersMax} workers, because a run was killed during its job: this update scales it to 0.`,
    );
    return { left: [left] };
  }

  /** Runs an update that also restores what a killed or failed run has left. */
  async updated<Inputs, Live>(
    context: Context,
    id: string,
    wanted: Properties,
    change: Change<Inputs>,
    update: (change: Change<Inputs>) => Promise<Live>,
  ): Promise<Live> {
    const left = this.#left(context, id, change.old, wanted);
    if (left !== undefined) await awaitLateChanges(context, id);
    const live = await update(left === undefined ? change : withDifference(change, left));
    context.ledger.workers.restored(id);
    return live;
  }

  /** Ends the note of what is deleted. */
  async deleted({ ledger }: Context, id: string, deleting: Promise<boolean>): Promise<boolean> {
    const deleted = await deleting;
    ledger.workers.restored(id);
    return deleted;
  }

  /** The difference between the maximum that is left and the declared one. */
  #left({ ledger }: Context, id: string, old: Properties, next: Properties): Difference | undefined {
    const workersMax = ledger.workers.leftoverMaximum(id);
    if (workersMax === undefined) return undefined;
    const [outer = "", inner] = this.paths.max.split(".");
    const whole = isRecord(old[outer]) ? old[outer] : {};
    const now = { ...old, [outer]: inner === undefined ? workersMax : { ...whole, [inner]: workersMax } };
    return differences(this.schema, now, next).find(({ path }) => path === this.paths.max);
  }
}

/**
 * Waits until no change of a killed run can arrive any more: it would undo this run's. What that run had sent before its end
 * arrives soon, however long it would have gone on.
 *
 * @throws InterruptedError
 */
export async function awaitLateChanges(context: Context, id: string): Promise<void> {
  const { client, ledger, log } = context;
  const waitMs = Math.min(ledger.workers.mayChangeUntil(id) - client.clock.now(), APPEARS_WITHIN_MS);
  // mutant late-change-of-a-killed-run: true
  if (waitMs <= 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  log.status(
    `Endpoint ${id}`,
    `waiting ${seconds} s: a change by an interrupted run may still arrive and undo this one`,
  );
  await pauseFor(waitMs, context);
}

/** When a change that is about to be sent can't arrive any more: retries, waits for a quota and a slow last attempt included. */
export const mayArriveUntil = ({ client, settings }: Context): number =>
  client.clock.now() + settings.retryBudgetMs + LONGEST_CHANGE_MS;

function withDifference<Inputs>(change: Change<Inputs>, difference: Difference): Change<Inputs> {
  const others = change.differences.filter(({ path }) => path !== difference.path);
  const changed: ReadonlySet<string> = new Set([...change.changed, difference.field]);
  return { ...change, changed: changed as Change<Inputs>["changed"], differences: [...others, difference] };
}
