import { getOrCreate } from "../../common/getOrCreate";
import type { Adoption, Context, Listed } from "../../provider/lifecycle/definition";
import { definitions } from "../../provider/resources";
import { type AnyKind, inOrder, kinds } from "../../provider/resources/order";
import { adoptableOf } from "./adoptable";
import type { Adoptable } from "./found";

export interface ReferencedId {
  readonly kind: string;
  readonly id: string;
}

type Resource = Parameters<typeof adoptableOf>[0] & AnyKind;

const resources: ReadonlyMap<string, Resource> = new Map(
  Object.entries(definitions).flatMap(([name, each]) => ("read" in each ? [[name, each] as const] : [])),
);

export interface Adoptee {
  readonly kind: string;
  readonly adoption: Adoption;
  /** The export name of the kind whose list contains these resources. */
  readonly listedWith: string;
  adoptable(context: Context, id: string): Promise<Adoptable | undefined>;
}

export const adoptees: readonly Adoptee[] = inOrder.flatMap((name): Adoptee[] => {
  const definition = resources.get(name);
  if (definition === undefined || definition.adoption === "none") return [];
  const { kind, adoption } = definition;
  const { listedWith = name } = adoption;
  const adoptable = async (context: Context, id: string) =>
    adoptableOf(definition, context, id, await adoption.more?.(context, id), adoption.protect);
  return [{ kind, adoption, listedWith, adoptable }];
});

export const adoptableKinds: readonly string[] = adoptees.map(({ kind }) => kind);

export interface Selection {
  /** Default: every kind. */
  readonly kinds?: readonly string[] | undefined;
  /** Part of the name. */
  readonly filter?: string | undefined;
}

/** All resources of the account. Referenced resources come before those that refer to them. */
export async function readAccount(
  context: Context,
  { kinds: wanted = adoptableKinds, filter = "" }: Selection = {},
): Promise<readonly Adoptable[]> {
  const lists = new Lists(context);
  const adoptables = await Promise.all(
    adoptees
      .filter(({ kind }) => wanted.includes(kind))
      .map(async (adoptee) => {
        const chosen = (await lists.of(adoptee)).filter(({ name }) =>
          (name ?? adoptee.adoption.only?.name ?? "").includes(filter),
        );
        return Promise.all(chosen.map(({ id }) => adoptee.adoptable(context, id)));
      }),
  );
  return adoptables.flat().filter((each) => each !== undefined);
}

/** The referenced resources that exist. Where kinds share a list, each gets the kind that can declare it best. */
export async function readReferences(
  context: Context,
  references: readonly ReferencedId[],
): Promise<readonly Adoptable[]> {
  const lists = new Lists(context);
  const actual = await Promise.all(references.map(async (each) => ({ ...each, kind: await lists.kindOf(each) })));
  const adoptables = await Promise.all(
    adoptees.flatMap((adoptee) =>
      actual.filter(({ kind }) => kind === adoptee.kind).map(({ id }) => adoptee.adoptable(context, id)),
    ),
  );
  return adoptables.filter((each) => each !== undefined);
}

/** The account's lists. Each is requested at most once, and only for a selected kind: the key may lack access to others. */
class Lists {
  readonly #requests = new Map<string, Promise<{ listed: readonly Listed[]; own: ReadonlySet<string> }>>();

  constructor(private readonly context: Context) {}

  async of({ kind, listedWith }: Adoptee): Promise<readonly Listed[]> {
    const { listed, own } = await getOrCreate(this.#requests, listedWith, (name) => this.#list(kinds[name]));
    const isLister = kinds[listedWith]?.kind === kind;
    return listed.filter(({ id }) => own.has(id) === isLister);
  }

  /** The kind of a reference, or a kind with the same list that can declare the resource better. */
  async kindOf({ kind, id }: ReferencedId): Promise<string> {
    const named = adoptees.find((each) => each.kind === kind);
    const sharing = adoptees.filter(({ listedWith }) => listedWith === named?.listedWith);
    if (sharing.length < 2) return kind;
    for (const each of sharing) if ((await this.of(each)).some((listed) => listed.id === id)) return each.kind;
    return kind;
  }

  async #list(lister: AnyKind | undefined) {
    const listed = (await lister?.list?.(this.context)) ?? [];
    const { idsOfKind } = lister?.adoption === "none" ? {} : (lister?.adoption ?? {});
    return { listed, own: idsOfKind ? await idsOfKind(this.context, listed) : new Set(listed.map(({ id }) => id)) };
  }
}
