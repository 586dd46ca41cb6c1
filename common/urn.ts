/** `urn:pulumi:<stack>::<project>::…`. */
export const stackOfUrn = (urn: string): string | undefined => /^urn:pulumi:(.+?)::/.exec(urn)?.[1];

/** The program's name of a resource, which may hold `::` itself. */
export const nameOfUrn = (urn: string): string => urn.split("::").slice(3).join("::");

/** The resource's own type, without those of its parents: `computecloud:index:Pod`. */
export const typeOfUrn = (urn: string): string => urn.split("::")[2]?.split("$").at(-1) ?? "";
