import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { PermissionError, type Pod, type Template } from "../../../client";
import { z } from "../../../common/zod";
import type { Context, Differing, Run } from "../../lifecycle/definition";
import type { Difference } from "../../lifecycle/fields/difference";
import { internal } from "../../lifecycle/fields/fields";
import { isUnknown } from "../../lifecycle/fields/unknown";
import type { Properties } from "../../lifecycle/fields/values";
import { perRun } from "../../lifecycle/perRun";

/*
 * Pods and endpoints copy their template, and the service does not update the copies when the template changes. A
 * Template of the same program has a revision that shows the change. A template that is named by its id only is compared
 * with its copies in a refresh.
 */

/** What a container shows of its template's settings. */
interface Copy extends Partial<Pick<Pod, "image" | "args" | "disk" | "ports" | "env" | "registry">> {
  readonly id: string;
  /** Absent if the service does not show it. */
  readonly templateId?: string | null | undefined;
}

/** A setting that differs between a container and its template. */
interface Unlike {
  readonly field: string;
  /** Tells this difference from a later one in the same setting, without a value. */
  readonly mark: string;
}

/** The settings that differ between a container and its template. Empty if none does. */
export interface Compared {
  readonly outOfDate?: readonly Unlike[];
}

/** What a run has learned about templates. */
export const templatesOfRun = perRun(() => ({
  /** Ids of those that it changed. Resources that name one by its id only copy it again in the same run. */
  changed: new Set<string>(),
  /** Messages about drift. */
  reported: new Set<string>(),
}));

/**
 * A container, compared with its template as both are now. Settings that the program declares for the container are left
 * out.
 *
 * @param isShown whether the service shows a container's template, so that it is known before an adoption too
 */
export async function compare<Live extends Copy>(
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

function differing(live: Copy, template: Template, declared: Properties): Unlike[] {
  const hasCommand = declared.entrypoint !== undefined || declared.cmd !== undefined;
  const settings: Readonly<Record<string, readonly [copied: unknown, original: unknown]>> = {
    image: [live.image, template.image],
    ...(!hasCommand && { args: [live.args, template.args] }),
    disk: [live.disk, template.disk],
    ports: [live.ports?.toSorted(), template.ports?.toSorted()],
    registry: [live.registry ?? null, template.registry],
  };
  const declaredEnv = typeof declared.env === "object" && declared.env !== null ? declared.env : {};
  // Extra variables are ignored: one that the template has dropped looks like one that the platform has added.
  const env = Object.entries(template.env ?? {}).flatMap(([key, value]) =>
    live.env === undefined || key in declaredEnv || live.env[key] === value ? [] : [key],
  );
  const plain = Object.entries(settings).flatMap(([field, values]) => {
    const isUnread = values.includes(undefined);
    return declared[field] !== undefined || isUnread || isDeepStrictEqual(...values) ? [] : [unlike(field, values)];
  });
  return env.length === 0 ? plain : [...plain, { field: "env", mark: `env ${env.join(" ")}` }];
}

function unlike(field: string, values: readonly unknown[]): Unlike {
  // Arguments may hold a secret, of which not even a hash is kept.
  if (field === "args") return { field, mark: field };
  const hash = createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 8);
  return { field, mark: `${field} ${hash}` };
}

/** What the state keeps of the differences that refreshes found between a copy and its template. */
export const outputs = {
  /** Kept so that the next diff sees it. */
  templateDrift: internal(z.string().optional()).describe(
    "Settings in which it was found to differ from its template.",
  ),
  /** What a save has left, another save would not remove either: the service shows the two differently. */
  templateSeen: internal(
    z
      .object({
        found: z.array(z.string()).describe("May be repaired by a save."),
        left: z.array(z.string()).describe("What a save has not removed."),
      })
      .optional(),
  ).describe("Marks of these differences."),
};

/** The outputs about the template. What is newly found is logged. */
export function driftOutputs(
  live: Compared & Pick<Copy, "id" | "templateId">,
  context: Context,
  old: Properties & TemplateDrift,
): TemplateDrift {
  const { log } = context;
  const { reported } = templatesOfRun(context);
  const { outOfDate } = live;
  const before = old.templateSeen ?? { found: [], left: [] };
  // The answer to a save shows no template. The next refresh finds out what the save has left.
  if (outOfDate === undefined) return { templateDrift: undefined, templateSeen: old.templateSeen };
  const isSaved = old.templateDrift === undefined;
  const isLeft = ({ mark }: Unlike) => before.left.includes(mark) || (isSaved && before.found.includes(mark));
  const left = outOfDate.filter(isLeft);
  const repairable = outOfDate.filter((each) => !isLeft(each));
  const template = ["its template", live.templateId ?? old.templateId].filter((part) => part !== undefined).join(" ");
  const tell = (level: "warn" | "info", differences: readonly Unlike[], consequence: string) => {
    const text = `${live.id} differs from ${template} (${namesOf(differences)})${consequence}`;
    if (differences.length > 0 && !reported.has(text)) log[level](text);
    reported.add(text);
  };
  tell(
    "warn",
    repairable,
    ": one of the two was changed. The next `pulumi up` copies the template again, unless ignoreChanges names it; into a Pod only " +
      "if templateRevision is given.",
  );
  tell(
    "info",
    left.filter(({ mark }) => !before.left.includes(mark)),
    " although it was copied again: the service shows the two differently. That is no drift, and is not reported again.",
  );
  const seen = { found: repairable.map(({ mark }) => mark), left: left.map(({ mark }) => mark) };
  return {
    templateDrift: repairable.length === 0 ? undefined : namesOf(repairable),
    templateSeen: outOfDate.length === 0 ? undefined : seen,
  };
}

interface TemplateDrift {
  readonly templateDrift?: string | undefined;
  readonly templateSeen?: { found: string[]; left: string[] } | undefined;
}

const namesOf = (differences: readonly Unlike[]): string => differences.map(({ field }) => field).join(", ");

/** Drift from the template that a refresh has newly found. */
export function drifted(before: Properties, { templateDrift: now }: Properties): Differing[] {
  if (typeof now !== "string" || now === before.templateDrift) return [];
  return [{ path: "template", note: `its copy differs from it in ${now}` }];
}

/**
 * The differences with those that no argument shows: drift that a refresh found, and a template without a revision that this run
 * changed. A first revision is none.
 */
export function withDifferences(
  fieldDifferences: readonly Difference[],
  old: Properties,
  next: Properties,
  run: Run,
): readonly Difference[] {
  const open = fieldDifferences.filter((each) => !isFirstRevision(each, old, run));
  const { templateId, templateRevision } = next;
  if (typeof templateId !== "string") return open;
  const changed = templateRevision === undefined && templatesOfRun(run).changed.has(templateId);
  if (old.templateDrift === undefined && !changed) return open;
  const path = "templateRevision";
  const facts = { writeOnly: true } as const;
  return [...open, { path, field: path, old: old[path], next: templateRevision, replaces: false, facts }];
}

/** A state from before revisions were recorded counts as an up-to-date copy, unless this run has changed the template. */
export function isFirstRevision({ path, old }: Difference, state: Properties, run: Run): boolean {
  const { templateId } = state;
  return (
    path === "templateRevision" &&
    old === undefined &&
    typeof templateId === "string" &&
    !templatesOfRun(run).changed.has(templateId)
  );
}
