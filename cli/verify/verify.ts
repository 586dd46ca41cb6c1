import { APPEARS_WITHIN_MS } from "../../client";
import { isRunning } from "../../common/isRunning";
import { markOf } from "../../provider/engine/account";
import { Bench, prefixOf, type Trial } from "./bench";
import { type Fact, type FactId, factIds, factOf } from "./facts";
import { named, remove, type TrialKind, trialKinds } from "./kinds";
import type { Entry, Ledger, Note } from "./ledger";
import { commonTrials, tagTrials } from "./trials/common";
import { containerTrials, volumeTrials, volumeUsd } from "./trials/containers";
import { endpointTrials, queueTrials } from "./trials/endpoints";
import { Differs, field, needStatus, Untried } from "./verdict";
import type { Wire } from "./wire";

/** The trial of each fact. The compiler demands one for every fact. */
const trials: Readonly<Record<FactId, Trial>> = {
  ...{ ...commonTrials, ...containerTrials, ...endpointTrials },
  ...{ ...queueTrials, ...tagTrials, ...volumeTrials },
};

const mostUsd: { readonly [Id in FactId]?: number } = volumeUsd;

export interface Finding extends Fact {
  readonly id: FactId;
  readonly result: "holds" | "differs" | "not tried";
  /** What was seen instead, or why it was not tried. */
  readonly why?: string;
}

export interface TrialPlan {
  readonly tried: readonly FactId[];
  readonly usd: number;
}

/**
 * Free trials come first. A trial that could exceed the limit, together with those before it, is left out.
 *
 * @param maxUsd limit for all trials together
 */
export function trialPlan(maxUsd: number): TrialPlan {
  const tried: FactId[] = [];
  let usd = 0;
  const costs = factIds.map((id) => ({ id, cost: mostUsd[id] ?? 0 }));
  for (const { id, cost } of costs.toSorted((a, b) => a.cost - b.cost)) {
    if (usd + cost > maxUsd) continue;
    usd += cost;
    tried.push(id);
  }
  return { tried, usd };
}

export interface Run {
  readonly wire: Wire;
  readonly entry: Entry;
  /** Ends the trials. What they made is still deleted. */
  readonly signal: AbortSignal;
  onTrial?(id: FactId, index: number): void;
}

/** Tries the facts of a plan one after another. Returns a finding for every fact, tried or not. */
export async function tryFacts({ tried }: TrialPlan, run: Run): Promise<Finding[]> {
  const leftOut = { result: "not tried", why: "it could exceed the limit of --max-usd" } as const;
  const outcomes = new Map<FactId, Pick<Finding, "result" | "why">>();
  for (const [index, id] of tried.entries()) {
    run.onTrial?.(id, index);
    outcomes.set(id, run.signal.aborted ? { result: "not tried", why: "interrupted" } : await tryFact(id, run));
  }
  return factIds.map((id) => ({ id, ...factOf(id), ...(outcomes.get(id) ?? leftOut) }));
}

async function tryFact(id: FactId, run: Run): Promise<Pick<Finding, "result" | "why">> {
  const { wire, entry, signal } = run;
  const bench = new Bench(wire.until(signal), wire, entry);
  try {
    await trials[id](bench);
    return { result: "holds" };
  } catch (error) {
    if (error instanceof Differs) return { result: "differs", why: error.message };
    if (error instanceof Untried) return { result: "not tried", why: error.message };
    if (signal.aborted) return { result: "not tried", why: "interrupted" };
    throw error;
  } finally {
    await bench.clear();
  }
}

/** The mark of the key's account; undefined if the key may not read it. @throws Untried when the key is refused */
export async function accountOf(wire: Wire): Promise<string | undefined> {
  const answer = await wire.ask({ method: "GET", path: "/v2/account" });
  if (answer.status === 401) needStatus(answer, 200);
  const id = field(answer.body, "id");
  return answer.status === 200 && typeof id === "string" ? markOf(id) : undefined;
}

export interface Swept {
  readonly deleted: number;
  /** One sentence for each resource that still exists, or may exist. */
  readonly left: readonly string[];
}

/** Deletes all resources of these kinds whose names begin with the run's prefix. */
async function sweep(wire: Wire, word: string, kinds: readonly TrialKind[]): Promise<Swept & { names: string[] }> {
  const left: string[] = [];
  const names: string[] = [];
  for (const kind of trialKinds.filter((each) => kinds.includes(each))) {
    try {
      for (const leftover of await named(wire, kind, prefixOf(word))) {
        await remove(wire, leftover);
        names.push(leftover.name);
      }
      const remaining = await named(wire, kind, prefixOf(word));
      if (remaining.length > 0) left.push(`${kind} ${remaining.map(({ id }) => id).join(", ")} is still there`);
    } catch (error) {
      if (!(error instanceof Untried)) throw error;
      left.push(`${kind}: ${error.message}`);
    }
  }
  return { deleted: names.length, left, names };
}

const PAUSE_MS = 5_000;

export interface CleanOptions {
  readonly wire: Wire;
  readonly ledger: Ledger;
  /** Called with the seconds in which the resource of an unanswered create may still appear. */
  onWait?(seconds: number): void;
}

/** Deletes what a run has left. Forgets the run when nothing is left and no unanswered create can still appear. */
export async function cleanRun({ wire, ledger, onWait }: CleanOptions, word: string, note: Note): Promise<Swept> {
  const { kinds } = note;
  let { open } = note;
  let deleted = 0;
  for (;;) {
    const swept = await sweep(wire, word, [...kinds, ...open.map(({ kind }) => kind)]);
    deleted += swept.deleted;
    open = open.filter(({ name }) => !swept.names.includes(name));
    const waitMs = Math.max(0, ...open.map(({ since }) => since + APPEARS_WITHIN_MS)) - wire.clock.now();
    if (swept.left.length > 0) return { deleted, left: swept.left };
    if (waitMs <= 0) break;
    onWait?.(Math.ceil(waitMs / 1000));
    await wire.clock.sleep(PAUSE_MS);
  }
  ledger.delete(word);
  return { deleted, left: [] };
}

export async function clean(options: CleanOptions, service: string): Promise<Swept> {
  const { wire, ledger } = options;
  const left: string[] = [];
  let deleted = 0;
  const account = await accountOf(wire);
  for (const [word, note] of ledger.all()) {
    const obstacle = obstacleTo(note, service, account);
    const swept = obstacle === undefined ? await cleanRun(options, word, note) : { deleted: 0, left: [obstacle] };
    deleted += swept.deleted;
    left.push(...swept.left.map((reason) => `${prefixOf(word)}*: ${reason}`));
  }
  return { deleted, left };
}

function obstacleTo(note: Note, service: string, account: string | undefined): string | undefined {
  if (isRunning(note.process)) return `process ${note.process} still works on it`;
  if (note.service !== service) return `it was made at ${note.service}: use its address`;
  const isOther = note.account !== undefined && account !== undefined && note.account !== account;
  return isOther ? "it was made with the key of another account: use that one" : undefined;
}
