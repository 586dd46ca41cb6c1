import type { z } from "zod";
import type { CallOptions, Client } from "../../client";
import type { AccountFacts, Context, Listed } from "../lifecycle/definition";
import type { Properties } from "../lifecycle/fields/values";
import { definitions } from ".";

/** The part of a kind's definition that commands on a whole account read. */
export interface AnyKind extends AccountFacts {
  readonly kind: string;
  readonly inputs: z.ZodObject;
  list?(context: { readonly client: Client }, options?: CallOptions): Promise<readonly Listed[]>;
  delete?(context: Context, id: string, state: Properties): Promise<boolean>;
}

/** Kinds by the name of their export. */
export const kinds: Readonly<Record<string, AnyKind>> = definitions;

/**
 * The names of the exports, each kind after those that it uses.
 *
 * @throws TypeError if `uses` names something else than a kind, or a kind uses itself
 */
export const inOrder: readonly string[] = ordered(kinds);

export function ordered(all: Readonly<Record<string, Pick<AnyKind, "uses">>>): string[] {
  const levels = new Map<string, number>();
  const levelOf = (name: string, users: readonly string[] = []): number => {
    const kind = all[name];
    if (kind === undefined || users.includes(name))
      throw new TypeError(
        `${users.at(-1)} can't use "${name}": it ${kind ? "uses that kind itself" : "is not a kind"}`,
      );
    const level = levels.get(name) ?? Math.max(-1, ...kind.uses.map((used) => levelOf(used, [...users, name]))) + 1;
    levels.set(name, level);
    return level;
  };
  const entries = Object.keys(all)
    .sort()
    .map((name) => ({ name, level: levelOf(name) }));
  return entries.sort((one, other) => one.level - other.level).map(({ name }) => name);
}
