/** Older clients turned FlashBoot on by appending `-fb` to an endpoint's name. The service may show or remove the suffix. */
export const withoutFlashBoot = (name: string | null | undefined): string => (name ?? "").replace(/ ?-fb$/, "");

/** The entries of a list such as `EU-RO-1, DE`. */
export const commaParts = (list: string): string[] => list.split(",").flatMap((entry) => entry.trim() || []);

/** The country codes among places, which are two letters. Ids of data centers are longer. */
export function countriesIn(places: readonly string[]): string[] {
  return places.filter((place) => /^[A-Za-z]{2}$/.test(place));
}

/** A choice of GPUs such as `AMPERE_16,-NVIDIA RTX A4500`: pools by priority, minus types. */
export function gpuChoice(list: string): { pools: string[]; excludedTypes: string[] } {
  const parts = commaParts(list);
  const excludedTypes = parts.flatMap((part) => (part.startsWith("-") ? part.slice(1).trim() : []));
  return { pools: parts.filter((part) => !part.startsWith("-")), excludedTypes };
}

/** The global volumes of an answer; undefined where it doesn't show them. Older answers have a list of ids. */
export const globalVolumesOf = ({ mounts, globalVolumes }: GlobalVolumesShown): string[] | undefined =>
  mounts?.global?.flatMap(({ volumeId }) => volumeId ?? []) ?? globalVolumes;

interface GlobalVolumesShown {
  readonly mounts?: { readonly global?: readonly { readonly volumeId?: string | undefined }[] | undefined } | undefined;
  readonly globalVolumes?: string[] | undefined;
}

/** A request's global volumes, in its own form. */
export const globalMounts = (ids: readonly string[] | undefined) =>
  ids && { mounts: { global: ids.map((volumeId) => ({ volumeId })) } };
