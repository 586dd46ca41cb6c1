import { journal } from "../lifecycle/createJournal";
import type { Context, Listed } from "../lifecycle/definition";

/** No run waits longer for lists that only a warning is made of. */
const PATIENCE_MS = 10_000;
const MOST_TOLD = 20;
/** A create of which nothing came is asked for in every run until then: its program may have gone on without it. */
const FORGOTTEN_AFTER_MS = 7 * 24 * 3_600_000;

const told = new WeakMap<Context, Promise<void>>();

/**
 * Has the end of this run tell what runs that were killed have left at places that this one's program doesn't have.
 * Resolves when that is known, since nothing can be asked any more at the end. Only where there are such notes is anything
 * asked at all.
 */
export function tellOfRemains(context: Context): Promise<void> {
  const known = told.get(context) ?? tell(context);
  told.set(context, known);
  return known;
}

async function tell(context: Context): Promise<void> {
  tellOfWoken(context);
  const begun = journal.ofKilledRuns();
  if (begun.size === 0) return;
  const { describeRemains, remainsOf } = require("../lifecycle/remains") as typeof import("../lifecycle/remains");
  const listed = new Map<string, readonly Listed[]>();
  context.log.atEnd(() => {
    const left = journal.ofKilledRuns();
    const still = new Map([...begun].filter(([seed]) => left.has(seed)));
    const isRecorded = (id: string) => context.holders.isRecorded(id);
    const remains = remainsOf(still, (kind) => listed.get(kind), isRecorded, context.client.clock.now());
    for (const { seed, begun, ids, wasAsked } of remains)
      if (wasAsked && ids.length === 0 && begun.getTime() < context.client.clock.now() - FORGOTTEN_AFTER_MS)
        journal.end(seed);
    const lines = remains.map(describeRemains).filter((line) => line !== undefined);
    return lines.length === 0 ? undefined : warning(lines);
  });
  const lists = [...new Set([...begun.values()].map(({ kind }) => kind))].map(async (kind) => {
    // Why a list fails, the operations of this run will say.
    await list(kind, context).then(
      (all) => listed.set(kind, all),
      () => {},
    );
  });
  const { signal } = context;
  await Promise.race([Promise.all(lists), context.client.clock.sleep(PATIENCE_MS, signal).catch(() => {})]);
}

/** What no resource of the program is: a job that names an endpoint by its id. */
function tellOfWoken({ log, woken }: Context): void {
  if (woken.forgotten().length === 0) return;
  log.atEnd(() => {
    const ids = woken.forgotten();
    if (ids.length === 0) return undefined;
    return (
      `A run was killed in a job that had let an endpoint start workers, and it still may: ${ids.join(", ")}. The next run ` +
      "of that job puts it to rest, and so does workers.max 0 by hand."
    );
  });
}

function warning(lines: readonly string[]): string {
  const more = lines.length - MOST_TOLD;
  return [
    "A run that was killed has left what no resource of this run is, and it may be billed:",
    ...lines.slice(0, MOST_TOLD).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    "A program that declares it takes it over in its next `pulumi up`. Else remove it: `npx pulumi-computecloud orphans " +
      "--delete` in the program's folder shows it, and asks first.",
  ].join("\n");
}

async function list(kind: string, context: Context): Promise<readonly Listed[]> {
  const { kinds } = require("./kinds") as typeof import("./kinds");
  const load = new Map(Object.entries(kinds)).get(kind.charAt(0).toLowerCase() + kind.slice(1));
  return (await load?.(async () => context).list()) ?? [];
}
