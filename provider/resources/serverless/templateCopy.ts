import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Template } from "../../client";
import { PermissionError } from "../../client/errors";
import type { Context, Differing } from "../../lifecycle/definition";
import type { Difference } from "../../lifecycle/diff";
import { internal } from "../../lifecycle/fields";
import { isUnknown } from "../../lifecycle/unknown";
import type { Properties } from "../../lifecycle/values";

/*
 * Pods and endpoints copy their template, and the service does not update the copies when the template changes. A
 * Template of the same program has a revision that shows the change. A template that is named by its id only is compared
 * with its copies in a refresh.
 */

/** What a container shows of its template's settings. */
export interface Copy {
  readonly id: string;
  /** Absent if the service does not show it. */
  readonly templateId?: string | null | undefined;
  readonly image?: string | undefined;
  readonly args?: string | undefined;
  readonly disk?: number | undefined;
  readonly ports?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly registry?: string | null | undefined;
}

/** Names of the settings that differ between a container and its template. Empty if none does. */
export interface Compared {
  readonly outOfDate?: readonly string[];
}

/** The templates that this process has changed. */
const changedHere = new Set<string>();

/** Remembers that this run changed a template. Resources that name it by its id only copy it again in the same run. */
export function noteTemplateChange(id: string): void {
  changedHere.add(id);
}

/** Templates that the service may have deleted along with an endpoint of this process. */
const takenAlong = new Set<string>();

export function noteTakenAlong(id: string): void {
  takenAlong.add(id);
}

/** Whether the template may have been deleted along with an endpoint. Then its absence is expected. */
export function wasTakenAlong(id: string): boolean {
  return takenAlong.has(id);
}

/**
 * A container, compared with its template as both are now. Settings that the program declares for the container are left
 * out.
 *
 * @param isShown whether the service shows a container's template, so that it is known before an adoption too
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

/** Undefined also if the key may not read the resource: callers can do without it. */
export async function readable<T>(reading: Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PermissionError) return undefined;
    throw error;
  }
}

function differing(live: Copy, template: Template, declared: Properties): string[] {
  // Unread settings are not differences.
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
  // Extra variables are ignored: one that the template has dropped looks like one that the platform has added.
  const env =
    live.env === undefined ||
    Object.entries(template.env ?? {}).every(([key, value]) => key in own || live.env?.[key] === value);
  const plain = Object.keys(same).filter((field) => declared[field] === undefined && same[field] === false);
  return env ? plain : [...plain, "env"];
}

/** The settings in which a copy was out of date. The state keeps them so that the next diff sees them. */
export const templateDrift = internal(z.string().optional()).describe(
  "Settings in which it was found to differ from its template.",
);

const told = new Set<string>();

/** The value of `templateDrift`. The first time it also logs a warning. */
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
      `${live.id} differs from ${template} (${fields}): one of the two was changed. The next \`pulumi up\` ` +
        "copies the template again, into a Pod only if templateRevision is given.",
    );
  }
  told.add(`${live.id} ${fields}`);
  return fields;
}

/** Drift from the template that a refresh has newly found. */
export function driftedFromTemplate(before: Properties, { templateDrift: now }: Properties): Differing[] {
  if (typeof now !== "string" || now === before.templateDrift) return [];
  return [{ path: "template", note: `its copy differs from it in ${now}` }];
}

/**
 * Differences that no argument shows: drift that a refresh found, and a template without a revision that this run
 * changed.
 */
export function templateDifferences(old: Properties, next: Properties): Difference[] {
  const { templateId, templateRevision } = next;
  if (typeof templateId !== "string") return [];
  const changed = templateRevision === undefined && changedHere.has(templateId);
  if (old.templateDrift === undefined && !changed) return [];
  const path = "templateRevision";
  return [{ path, field: path, old: old[path], next: templateRevision, replaces: false, facts: { writeOnly: true } }];
}

/** A state from before revisions were recorded counts as an up-to-date copy, unless this run has changed the template. */
export function isFirstRevision({ path, old }: Difference, state: Properties): boolean {
  const { templateId } = state;
  return (
    path === "templateRevision" && old === undefined && typeof templateId === "string" && !changedHere.has(templateId)
  );
}
