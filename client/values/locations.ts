/** The entries of a list such as `EU-RO-1, DE`. */
export const listed = (text: string): string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

/** The country codes among the locations, which are two letters. Ids of data centers are longer. */
export function countriesIn(locations: string): string[] {
  return listed(locations).filter((place) => /^[A-Za-z]{2}$/.test(place));
}
