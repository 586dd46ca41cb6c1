import { type BegunCreate, comesUpUntil } from "./createJournal";
import type { Listed } from "./definition";
import { candidatesOf } from "./namedCreates";

/** What the create of a killed run may have left. */
export interface Remains {
  /** Key of the create's note. */
  readonly seed: string;
  readonly kind: string;
  readonly name: string;
  readonly begun: Date;
  /** Ids that have the name now and did not exist before the create. Of several, any may be the one that it made. */
  readonly ids: readonly string[];
  /** Whether the kind's list could be read. If not, empty `ids` prove nothing. */
  readonly wasAsked: boolean;
  /** Set while nothing has the name, but something may still appear: until this time. */
  readonly mayComeUpUntil: Date | undefined;
}

/**
 * What the creates of killed runs have left.
 *
 * @param begun the creates by seed
 * @param listed the resources of a kind; undefined if they could not be listed
 * @param isRecorded whether a state holds this id
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
    const candidates = candidatesOf(create, all).map(({ id }) => id);
    // The engine saved it before the kill, so nothing is left over.
    if (candidates.some(isRecorded)) return [];
    const until = comesUpUntil(create);
    const mayComeUpUntil = candidates.length === 0 && now < until ? new Date(until) : undefined;
    return [{ ...known, ids: candidates, wasAsked: true, mayComeUpUntil }];
  });
}

/** The remains as text; undefined if the create left nothing. */
export function describeRemains({ kind, name, begun, ids, wasAsked, mayComeUpUntil }: Remains): string | undefined {
  const what = `${kind} "${name}"`;
  if (!wasAsked) return `${what}, begun ${begun.toISOString()}: could not be looked for`;
  const [only, second] = ids;
  if (second !== undefined) return `${what}, begun ${begun.toISOString()}: one of ${ids.join(", ")}`;
  if (only !== undefined) return `${what} (${only}), begun ${begun.toISOString()}`;
  return (
    mayComeUpUntil && `${what}, begun ${begun.toISOString()}: may still appear until ${mayComeUpUntil.toISOString()}`
  );
}
