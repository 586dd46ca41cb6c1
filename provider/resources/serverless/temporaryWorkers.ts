import {
  APPEARS_WITHIN_MS,
  ComputeCloudError,
  type Endpoint,
  NotFoundError,
  needed,
  wasRefused,
} from "../../../client";
import { getOrCreate } from "../../../common/getOrCreate";
import { messageOf } from "../../../common/messageOf";
import type { Context } from "../../lifecycle/definition";
import { Unseen } from "../../lifecycle/make/unseen";
import { perRun } from "../../lifecycle/perRun";
import { GRACE_MS } from "../../smoke/watch";
import { awaitLateChanges, mayArriveUntil } from "./workerNumbers";
import { warnAboutQuota } from "./workers";

/** By id of the endpoint. */
const temporaryOf = perRun(() => new Map<string, TemporaryWorkers>());

/**
 * Runs a job or requests on an endpoint, with this maximum of workers if it is at rest. Without a maximum only an endpoint whose
 * schedule may set 0 workers now gets one worker: a gate that is skipped at night would be none, and a job without workers
 * fails whatever the image. One that has no workers for another reason stays as it is, so its job fails: it serves nothing.
 */
export function withWorkers<T>(
  context: Context,
  id: string,
  workersMax: number | undefined,
  proof: () => Promise<T>,
): Promise<T> {
  if (workersMax === undefined && !context.ledger.workers.isScheduled(id)) return proof();
  return getOrCreate(temporaryOf(context), id, () => new TemporaryWorkers(id)).during(context, workersMax, proof);
}

/**
 * Raises the maximum of an endpoint at rest while proofs use it, and sets it back to 0 after the last one. A permanent maximum
 * would count in the account's quota, and the service lowers it after a week without requests.
 *
 * Setting it back is not guaranteed: the call may fail, or the run may be killed. Then the endpoint may start workers,
 * which are billed. A note makes the next run on this machine scale it back. It says until when a request of the raise may
 * still arrive: a run that is killed has no time to say so later. Nor are proofs of other processes counted.
 */
class TemporaryWorkers {
  #proofs = 0;
  /** Their maximum, once it is raised, and what a change asks for that may not have been made. */
  #max = 0;
  #most = 0;
  /** As it was before the proofs; undefined while it certainly is so. */
  #endpoint: Endpoint | undefined;
  /** It was at rest, and what workers it has since may be ours. */
  #isOurs = false;
  /** Changes come one after another, because two requests at once may arrive in another order. */
  #lastChange: Promise<void> = Promise.resolve();

  constructor(private readonly id: string) {}

  async during<T>(context: Context, workersMax: number | undefined, proof: () => Promise<T>): Promise<T> {
    this.#proofs += 1;
    try {
      await this.#inTurn(() => this.#raise(context, workersMax));
      return await proof();
    } finally {
      this.#proofs -= 1;
      await this.#inTurn(() => this.#scaleBack(context));
    }
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const turn = this.#lastChange.then(change);
    this.#lastChange = turn.catch(() => {});
    return turn;
  }

  async #raise(context: Context, workersMax: number | undefined): Promise<void> {
    const { account, client, ledger, log } = context;
    const { id } = this;
    const max = workersMax ?? 1;
    if (max <= this.#max) return;
    await awaitLateChanges(context, id);
    const endpoint = await readSoon(context, id);
    const { max: present } = needed(`Endpoint ${id}`, endpoint, "workers");
    this.#isOurs ||= present === 0 || ledger.workers.leftoverMaximum(id) !== undefined;
    // Somebody else gave it workers, which it must not lose afterwards.
    // mutant live-endpoint-scaled-to-none: false
    if (!this.#isOurs) {
      if (workersMax !== undefined)
        log.warn(
          `Endpoint ${id} has a maximum of ${present} workers, which it keeps: workersMax is for one with a maximum of 0. If it ` +
            "should have none, as a candidate after a killed run on another machine, run `pulumi up --refresh`.",
        );
      return;
    }
    // mutant no-note-of-the-candidate: gone
    ledger.workers.changed(id, max, account.knownMark, mayArriveUntil(context));
    const before = this.#endpoint;
    this.#endpoint = endpoint;
    this.#most = max;
    let attempts = 0;
    const onResponse = ({ attempt }: { readonly attempt: number }) => {
      attempts = attempt;
    };
    try {
      await client.serverless.update(id, withMost(endpoint, max), { onResponse });
      const until = attempts > 1 ? client.clock.now() + APPEARS_WITHIN_MS : undefined;
      ledger.workers.changed(id, max, account.knownMark, until);
    } catch (error) {
      const isUnchanged = error instanceof ComputeCloudError && error.attempts === 1 && wasRefused(error);
      // mutant failed-change-is-none: true
      if (isUnchanged) this.#endpoint = before;
      if (isUnchanged && present === 0) ledger.workers.restored(id);
      await warnAboutQuota(context, error, max, id);
      throw error;
    }
    this.#max = max;
  }

  async #scaleBack({ client, ledger, log }: Context): Promise<void> {
    // mutant workers-taken-from-a-proof: false
    if (this.#proofs > 0) return;
    const [id, endpoint, max] = [this.id, this.#endpoint, this.#most];
    if (endpoint === undefined) return;
    this.#endpoint = undefined;
    this.#max = 0;
    try {
      // mutant candidate-awake: gone
      await client.serverless.update(id, withMost(endpoint, 0));
      ledger.workers.restored(id);
      this.#isOurs = false;
    } catch (error) {
      log.warn(
        `Endpoint ${id} could not be scaled back to 0 workers: it may still start up to ${max} workers (${messageOf(error)}). Run ` +
          "`pulumi up` again on this machine, or set workers.max to 0 by hand.",
      );
    }
  }
}

/** Reads an endpoint that may be so new that it is not shown yet. Its queue is waited for as long. */
function readSoon(context: Context, id: string): Promise<Endpoint> {
  return new Unseen(context, `Endpoint ${id}`, () => GRACE_MS).find(
    () => context.client.serverless.get(id),
    (error) => error instanceof NotFoundError,
  );
}

/**
 * `workers` is sent whole. The exclusions are sent along, because the service was seen to drop them when they were left
 * out.
 */
function withMost(endpoint: Endpoint, max: number) {
  const { pools, excludedTypes = [] } = endpoint.gpu ?? {};
  return {
    workers: { ...needed(`Endpoint ${endpoint.id}`, endpoint, "workers"), min: 0, max },
    ...(pools !== undefined && excludedTypes.length > 0 && { gpu: { pools, excludedTypes } }),
  };
}
