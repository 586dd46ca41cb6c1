import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Template } from "../client";
import { PermissionError } from "../client/errors";
import type { Context, Differing } from "../lifecycle/definition";
import type { Difference } from "../lifecycle/diff";
import { internal } from "../lifecycle/fields";
import { isUnknown } from "../lifecycle/unknown";
import type { Properties } from "../lifecycle/values";

/*
 * Pods and endpoints take a copy of their template, and the service tells none of them when it changes. The revision of
 * a Template tells a program; a copy of a template that is named by its id alone is compared with it in a refresh.
 */

/** What a container shows of the template that it was made from. */
export interface Copy {
  readonly id: string;
  /** Where the service shows it. */
  readonly templateId?: string | null | undefined;
  readonly image?: string | undefined;
  readonly args?: string | undefined;
  readonly disk?: number | undefined;
  readonly ports?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly registry?: string | null | undefined;
}

/** The names of the settings in which a container differs from its template; empty when it follows it. */
export interface Compared {
  readonly outOfDate?: readonly string[];
}

/** The templates that this process has changed. */
const changedHere = new Set<string>();

/** Notes that a template was changed: what names it by its id alone takes it over in the same run. */
export function noteTemplateChange(id: string): void {
  changedHere.add(id);
}

/** The templates that may have gone along with an endpoint of this process. */
const takenAlong = new Set<string>();

export function noteTakenAlong(id: string): void {
  takenAlong.add(id);
}

/** That it is gone is then what was to be expected. */
export function wasTakenAlong(id: string): boolean {
  return takenAlong.has(id);
}

/**
 * A container beside its template, as both are now. What the program declares of the container is its own.
 *
 * @param isShown the service tells which template it was made from, so that this is known before an adoption as well
 */
export async function comparedWithTemplate<Live extends Copy>(
  { client }: Context,
  reading: Promise<Live | undefined>,
  state: Properties,
  isShown = false,
): Promise<(Live & Compared) | undefined> {
  const { templateId } = state;
  const recorded = state.revision !== undefined || state.createdAt !== undefined;
  if (!(recorded || isShown) || typeof templateId !== "string" || isUnknown(templateId)) return reading;
  const [live, template] = await Promise.all([reading, readable(client.templates.read(templateId))]);
  if (live === undefined || template === undefined) return live;
  return { ...live, outOfDate: differing(live, template, state) };
}

/** Undefined, too, where the key may not read it: the rest can be told without. */
export async function readable<T>(reading: Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PermissionError) return undefined;
    throw error;
  }
}

function differing(live: Copy, template: Template, declared: Properties): string[] {
  // What could not be read is not a difference.
  const alike = (one: unknown, other: unknown) =>
    one === undefined || other === undefined || isDeepStrictEqual(one, other);
  const same: Readonly<Record<string, boolean>> = {
    image: alike(live.image, template.image),
    args: declared.entrypoint !== undefined || declared.cmd !== undefined || alike(live.args, template.args),
    disk: alike(live.disk, template.disk),
    ports: alike(live.ports?.toSorted(), template.ports?.toSorted()),
    registry: alike(live.registry ?? null, template.registry),
  };
  const own = typeof declared.env === "object" && declared.env !== null ? declared.env : {};
  // The platform adds variables of its own, so that one that the template has lost can't be told from those.
  const env =
    live.env === undefined ||
    Object.entries(template.env ?? {}).every(([key, value]) => key in own || live.env?.[key] === value);
  const plain = Object.keys(same).filter((field) => declared[field] === undefined && same[field] === false);
  return env ? plain : [...plain, "env"];
}

/** What the state keeps of a copy that is out of date, so that the next diff sees it. */
export const templateDrift = internal(z.string().optional()).describe(
  "Settings in which it was found to differ from its template.",
);

const told = new Set<string>();

/** Its value; said once. */
export function driftFromTemplate(
  live: Compared & Pick<Copy, "id" | "templateId">,
  { log }: Context,
  old: Properties,
): string | undefined {
  const { outOfDate = [] } = live;
  if (outOfDate.length === 0) return undefined;
  const fields = outOfDate.join(", ");
  if (!told.has(`${live.id} ${fields}`)) {
    const template = ["its template", live.templateId ?? old.templateId].filter((part) => part !== undefined).join(" ");
    log.warn(
      `${live.id} is not as ${template} says (${fields}): the template was changed since, or the copy was. The next ` +
        "`pulumi up` takes the template over.",
    );
  }
  told.add(`${live.id} ${fields}`);
  return fields;
}

/** What a refresh found out of date that was not before. */
export function driftedFromTemplate(before: Properties, { templateDrift: now }: Properties): Differing[] {
  if (typeof now !== "string" || now === before.templateDrift) return [];
  return [{ path: "template", note: `its copy differs from it in ${now}` }];
}

/** Differences that no argument shows: what a refresh found, and what this run did to a template without a revision. */
export function templateDifferences(old: Properties, next: Properties): Difference[] {
  const { templateId, templateRevision } = next;
  if (typeof templateId !== "string") return [];
  const changed = templateRevision === undefined && changedHere.has(templateId);
  if (old.templateDrift === undefined && !changed) return [];
  const path = "templateRevision";
  return [{ path, field: path, old: old[path], next: templateRevision, replaces: false, facts: { writeOnly: true } }];
}

/** A state from before the revision was recorded holds the template as it was, unless this run has changed it. */
export function isFirstRevision({ path, old }: Difference, state: Properties): boolean {
  const { templateId } = state;
  return (
    path === "templateRevision" && old === undefined && typeof templateId === "string" && !changedHere.has(templateId)
  );
}
