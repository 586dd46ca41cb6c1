import { createHash } from "node:crypto";

/**
 * A resource's seed, which stands for its place: the same in every run, and different for each resource. Generated names are
 * made of it, so it never changes.
 *
 * @param place the resource's URN, with the organization before it where the resource is dynamic
 */
export function seedOf(...place: readonly string[]): string {
  return createHash("sha256").update(place.join("\n")).digest("hex").slice(0, 16);
}
