const COMMIT = /^[0-9a-f]{40}$/;

/**
 * Whether the models that the service shows are the declared ones, in any order. It shows the commit that a branch or a tag
 * named when it was sent: which commit that was is not known here, so any will do.
 */
export function sameModels(shown: readonly string[], declared: readonly unknown[]): boolean {
  const wanted = declared.map(String).map(parsed).sort(byReference);
  const found = shown.map(parsed).sort(byReference);
  if (wanted.length !== found.length) return false;
  return wanted.every(({ model, revision }, at) => {
    const kept = found[at];
    if (kept?.model !== model) return false;
    return (
      kept.revision === revision ||
      kept.revision === undefined ||
      (COMMIT.test(kept.revision) && !COMMIT.test(revision ?? ""))
    );
  });
}

interface Model {
  /** The case of an address and of the names in it tells no two models apart. */
  readonly model: string;
  readonly revision: string | undefined;
}

function parsed(reference: string): Model {
  const [, model = reference, revision] = /^(.*[^:/]):([^:/]+)$/.exec(reference) ?? [];
  return { model: model.toLowerCase().replace(/\/$/, ""), revision };
}

/** By revision as well: an endpoint may cache two commits of a model. */
const byReference = (one: Model, other: Model) => (keyOf(one) < keyOf(other) ? -1 : 1);

function keyOf({ model, revision = "" }: Model): string {
  return `${model}:${revision}`;
}
