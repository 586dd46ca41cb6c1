import { mayAppearUntil, mayGoOn, placeOf } from "../../memory/creates";
import type { BegunCreate } from "../../memory/entries";
import { isElsewhere } from "../../memory/notes";
import type { Listed } from "../definition";
import { candidatesOf, clocksApartAt } from "./namedCreates";

/** What the create of a killed run may have left. */
export interface Leftover {
  /** Key of the create's note. */
  readonly seed: string;
  readonly kind: string;
  readonly name: string;
  readonly begun: Date;
  readonly stack: string | undefined;
  /** Short hash of the account in which it was begun, if the note names one. */
  readonly account: string | undefined;
  /** Ids that have the name now and did not exist before the create. */
  readonly ids: readonly string[];
  /** Whether the only id must be the one that the create made. */
  readonly isCertain: boolean;
  /** Whether the list was read, and of that account. If not, empty `ids` prove nothing. */
  readonly wasAsked: boolean;
  /** Set while nothing has the name, but something may still appear: until this time. */
  readonly mayComeUpUntil: Date | undefined;
}

/**
 * What the creates of killed runs have left. In another account than the key's, or one that the key may not tell, nothing is
 * looked for.
 *
 * @param begun the creates by seed
 * @param account short hash of the key's account, if it is known
 * @param listed the resources of a kind; undefined if they could not be listed
 * @param recorded the resource that a state holds under this id, with its place in the program if that is known
 */
export function leftoversOf(
  begun: ReadonlyMap<string, BegunCreate>,
  account: string | undefined,
  listed: (kind: string) => readonly Listed[] | undefined,
  recorded: (id: string) => { readonly __seed?: unknown } | undefined,
  now: number,
): Leftover[] {
  return [...begun].flatMap(([seed, create]): Leftover[] => {
    const { kind, name, stack } = create;
    const all = isElsewhere(create, account) === false ? listed(kind) : undefined;
    const common = { seed, kind, name, begun: new Date(create.begun), stack, account: create.account };
    if (all === undefined)
      return [{ ...common, ids: [], isCertain: false, wasAsked: false, mayComeUpUntil: undefined }];
    const candidates = candidatesOf(create, all).map(({ id }) => id);
    // The engine saved it before the kill, so nothing is left over. A namesake at another place does not show that.
    const isOwn = ({ __seed = placeOf(seed) }: { readonly __seed?: unknown }) => __seed === placeOf(seed);
    const held = candidates.flatMap((id) => recorded(id) ?? []);
    if (held.some(isOwn)) return [];
    const ids = candidates.filter((id) => recorded(id) === undefined);
    const until = mayAppearUntil(create);
    const mayComeUpUntil = candidates.length === 0 && now < until ? new Date(until) : undefined;
    // mutant certain-while-made-elsewhere: true
    const isCertain =
      candidates.length === 1 &&
      held.length === 0 &&
      create.unclear !== true &&
      clocksApartAt(create) === undefined &&
      !mayGoOn(create, now);
    return [{ ...common, ids, isCertain, wasAsked: true, mayComeUpUntil }];
  });
}

/** It as text; undefined if the create left nothing. */
export function describeLeftover(leftover: Leftover): string | undefined {
  const { kind, name, begun, stack, account, ids, isCertain, wasAsked, mayComeUpUntil } = leftover;
  const at = `, begun ${begun.toISOString()}${stack === undefined ? "" : ` by the stack "${stack}"`}`;
  const what = `${kind} "${name}"`;
  if (!wasAsked) return `${what}${at}: could not be looked for${account ? ` in its account ${account}` : ""}`;
  if (isCertain) return `${what} (${ids[0]})${at}`;
  if (ids.length > 0) return `${what}${at}: perhaps ${ids.join(" or ")}`;
  return mayComeUpUntil && `${what}${at}: may still appear until ${mayComeUpUntil.toISOString()}`;
}
