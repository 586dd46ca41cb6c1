/** The program's name of a resource, which may hold `::` itself. */
export function nameOfUrn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The resource's own type, without those of its parents: `computecloud:index:Pod`. */
export function typeOfUrn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}
