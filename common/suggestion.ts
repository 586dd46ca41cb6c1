import { distance } from "fastest-levenshtein";

const MOST_SUGGESTIONS = 3;

/** `; did you mean "x"?` for the candidates that were probably meant; otherwise a list of all. */
export function suggestion(value: string, candidates: readonly string[]): string {
  return didYouMean(value, candidates) || (candidates.length === 0 ? "" : `; known: ${candidates.join(", ")}`);
}

/** Why a name of this kind is wrong. */
export function notInCatalog(kind: string, value: string, names: readonly string[]): string {
  return `"${value}" is not a ${kind} in the catalog${suggestion(value, names)}`;
}

/**
 * `; did you mean "x"?`, or an empty text. Candidates that have all the given words come before near misses: "NVIDIA
 * H100" means one of the H100 types, not the H200 one letter away.
 */
export function didYouMean(value: string, candidates: readonly string[]): string {
  const byDistance = candidates
    .map((candidate) => ({ candidate, far: distance(value.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  const spelledOut = byDistance.filter(({ candidate }) => spellsOut(candidate, value));
  const [nearest] = byDistance;
  const near = nearest !== undefined && nearest.far <= Math.max(2, value.length / 3) ? [nearest] : [];
  const suggestions = (spelledOut.length > 0 ? spelledOut : near).slice(0, MOST_SUGGESTIONS);
  return suggestions.length === 0
    ? ""
    : `; did you mean ${suggestions.map(({ candidate }) => `"${candidate}"`).join(" or ")}?`;
}

/** Whether every word of a text begins a word of the candidate. */
function spellsOut(candidate: string, text: string): boolean {
  const textWords = words(text);
  return textWords.length > 0 && textWords.every((word) => words(candidate).some((other) => other.startsWith(word)));
}

const words = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
