import { distance } from "fastest-levenshtein";

const MOST_SUGGESTIONS = 3;

/**
 * `; did you mean "x"?` for the candidates that were probably meant, otherwise all of them. Whatever spells out what was
 * given comes before a near miss: "NVIDIA H100" means one of the H100, not the H200 one letter away.
 */
export function suggestion(given: string, candidates: readonly string[]): string {
  const byDistance = candidates
    .map((candidate) => ({ candidate, far: distance(given.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  const spelledOut = byDistance.filter(({ candidate }) => spellsOut(candidate, given));
  const [nearest] = byDistance;
  const near = nearest !== undefined && nearest.far <= Math.max(2, given.length / 3) ? [nearest] : [];
  const meant = (spelledOut.length > 0 ? spelledOut : near).slice(0, MOST_SUGGESTIONS);
  if (meant.length > 0) return `; did you mean ${meant.map(({ candidate }) => `"${candidate}"`).join(" or ")}?`;
  return candidates.length === 0 ? "" : `; known: ${candidates.join(", ")}`;
}

/** Whether every word of a text begins a word of the candidate. */
function spellsOut(candidate: string, text: string): boolean {
  const given = words(text);
  return given.length > 0 && given.every((word) => words(candidate).some((other) => other.startsWith(word)));
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}
