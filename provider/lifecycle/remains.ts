import { type BegunCreate, comesUpUntil } from "./createJournal";
import type { Listed } from "./definition";
import { bearersOf } from "./namedCreates";

/** What became of a create whose run was killed. */
export interface Remains {
  /** Key of its note. */
  readonly seed: string;
  readonly kind: string;
  readonly name: string;
  /** When it was begun. */
  readonly begun: Date;
  /** What bears its name now, and did not before: of several any may be the one. */
  readonly ids: readonly string[];
  /** Whether that could be asked. */
  readonly wasAsked: boolean;
  /** Nothing does, but something may until then; undefined when it is over. */
  readonly mayComeUpUntil: Date | undefined;
}

/**
 * What creates have left that were cut off.
 *
 * @param begun by seed
 * @param listed what there is of a kind; undefined where that could not be asked
 * @param isRecorded whether a state holds what has that id
 */
export function remainsOf(
  begun: ReadonlyMap<string, BegunCreate>,
  listed: (kind: string) => readonly Listed[] | undefined,
  isRecorded: (id: string) => boolean,
  now: number,
): Remains[] {
  return [...begun].flatMap(([seed, create]): Remains[] => {
    const { kind, name } = create;
    const all = listed(kind);
    const known = { seed, kind, name, begun: new Date(create.begun) };
    if (all === undefined) return [{ ...known, ids: [], wasAsked: false, mayComeUpUntil: undefined }];
    const bearers = bearersOf(create, all).map(({ id }) => id);
    // The engine had the time to record it.
    if (bearers.some(isRecorded)) return [];
    const until = comesUpUntil(create);
    const mayComeUpUntil = bearers.length === 0 && now < until ? new Date(until) : undefined;
    return [{ ...known, ids: bearers, wasAsked: true, mayComeUpUntil }];
  });
}

/** In words; undefined where nothing came of it. */
export function describeRemains({ kind, name, begun, ids, wasAsked, mayComeUpUntil }: Remains): string | undefined {
  const what = `${kind} "${name}"`;
  if (!wasAsked) return `${what}, begun ${begun.toISOString()}: could not be looked for`;
  const [only, second] = ids;
  if (second !== undefined) return `${what}, begun ${begun.toISOString()}: one of ${ids.join(", ")}`;
  if (only !== undefined) return `${what} (${only}), begun ${begun.toISOString()}`;
  return (
    mayComeUpUntil && `${what}, begun ${begun.toISOString()}: may still come up until ${mayComeUpUntil.toISOString()}`
  );
}
