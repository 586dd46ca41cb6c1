import type { Context, Listed } from "../lifecycle/definition";
import { perRun } from "../lifecycle/perRun";
import type { BegunCreate } from "../memory/entries";
import { isElsewhere } from "../memory/notes";

/** The longest that a run waits for lists which only a warning needs. */
const PATIENCE_MS = 10_000;
const MOST_REPORTED = 20;
/**
 * The note of a create that made nothing is kept this long. Each run checks it until then, because the program may no
 * longer declare the resource.
 */
const FORGOTTEN_AFTER_MS = 7 * 24 * 3_600_000;

/**
 * Warns, at the end of this run, of what killed runs have left at places that its program does not declare. The lists are
 * read now, because no call is possible at the end. Without notes of killed runs nothing is read. Resolves when the lists
 * are read, or after a while without them.
 */
export const reportLeftovers = perRun(async (context: Context): Promise<void> => {
  const { account, ledger } = context;
  await patiently(context, reportAwakeEndpoints(context));
  const begun = ledger.creates.killed();
  if (begun.size === 0) return;
  const { describeLeftover, leftoversOf } =
    require("../lifecycle/make/leftovers") as typeof import("../lifecycle/make/leftovers");
  const listed = new Map<string, readonly Listed[]>();
  context.log.atEnd(() => {
    // A create under another name has put the note that was at its place elsewhere.
    const begunTimes = new Set([...begun.values()].map((note) => note.begun));
    const isStill = (note: BegunCreate) => begunTimes.has(note.begun) && !isElsewhere(note, account.knownMark);
    const still = new Map([...ledger.creates.killed()].filter(([, note]) => isStill(note)));
    const recorded = (id: string) => ledger.ids.recorded(id);
    const leftovers = leftoversOf(
      still,
      account.knownMark,
      (kind) => listed.get(kind),
      recorded,
      context.client.clock.now(),
    );
    for (const { seed, begun, ids, wasAsked } of leftovers) {
      if (ids.length > 1) ledger.creates.markUnclear(seed);
      if (wasAsked && ids.length === 0 && begun.getTime() < context.client.clock.now() - FORGOTTEN_AFTER_MS)
        ledger.creates.settle(seed);
    }
    const lines = leftovers.map(describeLeftover).filter((line) => line !== undefined);
    return lines.length === 0 ? undefined : warning(lines);
  });
  const lists = [...new Set([...begun.values()].map(({ kind }) => kind))].map(async (kind) => {
    // The operations of this run will report why a list fails.
    await list(kind, context).then(
      (all) => listed.set(kind, all),
      () => {},
    );
  });
  await patiently(context, Promise.all([readAccount(account), ...lists]));
});

/** A failure is reported by the run's operations, which need the account, too. */
const readAccount = (account: Context["account"]) => account.mark().catch(() => {});

/** Waits for work, but no longer than that. Its timer ends with it, because it would keep the process. */
async function patiently({ client, signal }: Context, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const late = client.clock.sleep(PATIENCE_MS, AbortSignal.any([signal, done.signal])).catch(() => {});
  await Promise.race([work, late]).finally(() => done.abort());
}

/**
 * A job that names an endpoint by its id may have left it awake. No resource of the program then finds the difference.
 * The note of an endpoint that was deleted elsewhere ends. Stacks of the same program may be in other accounts.
 */
async function reportAwakeEndpoints({ account, client, log, ledger }: Context): Promise<void> {
  if (ledger.workers.leftoverIds().length === 0) return;
  await readAccount(account);
  const left = ledger.workers.leftoverIds(account.knownMark);
  log.atEnd(() => {
    const ids = ledger.workers.leftoverIds(account.knownMark);
    if (ids.length === 0) return undefined;
    return (
      `A run was killed during its job and may have left workers enabled on: ${ids.join(", ")}. The next run of that job ` +
      "sets them to 0 again; so does setting workers.max to 0 by hand."
    );
  });
  const ended = left.map(async (id) => {
    if ((await client.serverless.read(id)) === undefined) ledger.workers.endpointGone(id, account.knownMark);
  });
  await Promise.allSettled(ended);
}

function warning(lines: readonly string[]): string {
  const more = lines.length - MOST_REPORTED;
  return [
    "A killed run left resources that this run did not declare. They may be billed:",
    ...lines.slice(0, MOST_REPORTED).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    "If the program declares one, the next `pulumi up` of that stack adopts it; set adoptId if its `provider` was added or " +
      "removed since. To delete them, run `npx pulumi-computecloud orphans --delete` in the program's folder, which lists them and asks first.",
  ].join("\n");
}

async function list(kind: string, context: Context): Promise<readonly Listed[]> {
  const { kinds } = require("./kinds") as typeof import("./kinds");
  const load = new Map(Object.entries(kinds)).get(kind.charAt(0).toLowerCase() + kind.slice(1));
  return (await load?.(async () => context).list()) ?? [];
}
