import { distance } from "fastest-levenshtein";

const MOST_SUGGESTIONS = 3;

/** `; did you mean "x"?` for the candidates that were probably meant; otherwise a list of all. */
export function suggestion(given: string, candidates: readonly string[]): string {
  return meant(given, candidates) || (candidates.length === 0 ? "" : `; known: ${candidates.join(", ")}`);
}

/** Why a name of this kind is wrong. */
export function notInCatalog(kind: string, given: string, names: readonly string[]): string {
  return `"${given}" is not a ${kind} in the catalog${suggestion(given, names)}`;
}

/**
 * `; did you mean "x"?`, or an empty text. Candidates that have all the given words come before near misses: "NVIDIA
 * H100" means one of the H100 types, not the H200 one letter away.
 */
export function meant(given: string, candidates: readonly string[]): string {
  const byDistance = candidates
    .map((candidate) => ({ candidate, far: distance(given.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  const spelledOut = byDistance.filter(({ candidate }) => spellsOut(candidate, given));
  const [nearest] = byDistance;
  const near = nearest !== undefined && nearest.far <= Math.max(2, given.length / 3) ? [nearest] : [];
  const found = (spelledOut.length > 0 ? spelledOut : near).slice(0, MOST_SUGGESTIONS);
  return found.length === 0 ? "" : `; did you mean ${found.map(({ candidate }) => `"${candidate}"`).join(" or ")}?`;
}

/** Whether every word of a text begins a word of the candidate. */
function spellsOut(candidate: string, text: string): boolean {
  const given = words(text);
  return given.length > 0 && given.every((word) => words(candidate).some((other) => other.startsWith(word)));
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}
