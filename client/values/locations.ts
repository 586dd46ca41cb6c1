/** The entries of a list such as `EU-RO-1, DE`. */
export function commaParts(list: string): string[] {
  return list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** The country codes among places, which are two letters. Ids of data centers are longer. */
export function countriesIn(places: readonly string[]): string[] {
  return places.filter((place) => /^[A-Za-z]{2}$/.test(place));
}
