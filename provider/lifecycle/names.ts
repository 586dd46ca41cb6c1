import { createHash } from "node:crypto";
import { MAX_NAME_LENGTH } from "./fields";
import type { Properties } from "./values";

/**
 * A made-up name: the program's own name of the resource and a hash. The same program makes up the same name in every
 * run, so that a preview shows it, a plan holds it, and the run after a killed one knows what to look for.
 *
 * @param seed stands for the resource's place: organization, project, stack, parents, type and name
 * @param previous name of the resource that is replaced: both exist for a while, and need two names
 */
export function madeUpName(logicalName: string, seed: string, previous = ""): string {
  const suffix = createHash("sha256").update(`${seed}\n${previous}`).digest("hex").slice(0, 7);
  return `${logicalName.slice(0, MAX_NAME_LENGTH - suffix.length - 1)}-${suffix}`;
}

/** The made-up name that a state holds; undefined where the program had declared one. */
export function madeUpIn(old: Properties): string | undefined {
  const madeUp = old.__logicalName !== undefined || old.logicalName !== undefined;
  return madeUp && typeof old.name === "string" ? old.name : undefined;
}
