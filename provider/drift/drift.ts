import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { Client } from "../client";
import { kindOf } from "../cost/monthlyCost";
import type { Differing } from "../lifecycle/definition";
import { factsOf } from "../lifecycle/fields";
import { hasMadeUpForm } from "../lifecycle/names";
import { nameOfUrn } from "../lifecycle/urn";
import { isObject, type Properties, textsIn, withoutNullMembers } from "../lifecycle/values";
import { type AnyKind, kinds } from "../resources/order";
import type { PreviewStep, Recorded } from "./refreshingPreview";

/** A resource that is not as the state says. */
export interface Drifted {
  readonly urn: string;
  readonly name: string;
  readonly kind: string;
  readonly id: string;
  readonly gone: boolean;
  readonly differences: readonly Differing[];
}

/** A resource of the account that no given state knows, though its name looks made up by this package. */
export interface Orphan {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

const MAY_DIFFER = "may differ, too (secret)";

/** The engine's mask. */
const SECRET = "[secret]";

export function driftIn(found: readonly PreviewStep[]): Drifted[] {
  return found.flatMap(({ op, urn, type, old, new: now, detailedDiff }): Drifted[] => {
    const kind = kindOf(type);
    if (kind === undefined || !old) return [];
    const gone = op === "delete" || !now;
    const before = withoutNullMembers({ ...old.inputs, ...old.outputs });
    const after = withoutNullMembers({ ...now?.inputs, ...now?.outputs });
    const changed = op === "update" ? (detailedDiff ?? "unknown") : {};
    const definition = Object.values(kinds).find((each) => each.kind === kind);
    const names = gone ? [] : shown(definition, old.inputs, now.inputs);
    const differences = gone ? [] : differing(definition, names, before, after, changed);
    if (!gone && differences.length === 0) return [];
    return [{ urn, name: nameOfUrn(urn), kind, id: old.id ?? "", gone, differences }];
  });
}

/** The names of the arguments that the program gave, and the service shows; what it chose may change by itself. */
function shown(definition: AnyKind | undefined, ...inputs: readonly Properties[]): string[] {
  const fields = new Map<string, z.ZodType>(Object.entries(definition?.inputs.shape ?? {}));
  const isShown = (name: string) => {
    const field = fields.get(name);
    return !name.startsWith("__") && !(field && factsOf(field).writeOnly);
  };
  return [...new Set(inputs.flatMap(Object.keys))].filter(isShown).sort();
}

/** @param changed what the engine says that differs, by path; "unknown": something */
function differing(
  definition: AnyKind | undefined,
  names: readonly string[],
  before: Properties,
  after: Properties,
  changed: Properties | "unknown",
): Differing[] {
  const seen = [
    ...names.flatMap((name) => compare(name, before[name], after[name])),
    ...(definition?.drifted?.(before, after) ?? []),
  ];
  const told = new Set(seen.map(({ path }) => argumentOf(path)));
  const masked = names.filter((name) => isMasked(after[name]) && !told.has(name));
  if (changed !== "unknown") {
    const fields = new Set(Object.keys(changed).map(argumentOf));
    return [...seen, ...masked.filter((name) => fields.has(name)).map((path): Differing => ({ path, secret: true }))];
  }
  // Where nothing else shows, it is a secret; else it may be one as well.
  const note = seen.length === 0 ? {} : { note: MAY_DIFFER };
  return [...seen, ...masked.map((path): Differing => ({ path, secret: true, ...note }))];
}

function argumentOf(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

function compare(path: string, recorded: unknown, found: unknown): Differing[] {
  if (isDeepStrictEqual(recorded, found)) return [];
  if (isObject(recorded) && isObject(found)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(found)]);
    return [...keys].flatMap((key) => compare(`${path}.${key}`, recorded[key], found[key]));
  }
  if (isMasked(recorded) || isMasked(found)) return [{ path, secret: true }];
  return [{ path, recorded, found }];
}

function isMasked(value: unknown): boolean {
  return value === SECRET || (isObject(value) && Object.values(value).some(isMasked));
}

/** @param states of every stack that works on the account */
export async function orphansOf(client: Client, states: readonly Recorded[], signal: AbortSignal): Promise<Orphan[]> {
  const known = idsIn(states);
  const listed = Object.values(kinds).filter(({ orphans }) => orphans === "named");
  const found = await Promise.all(
    listed.map(async ({ kind, list }) =>
      ((await list?.({ client }, { signal })) ?? []).map(({ id, name }) => ({ kind, id, name: name ?? "" })),
    ),
  );
  return found.flat().filter(({ id, name }) => hasMadeUpForm(name) && !known.has(id));
}

/** Resources that hold others have their ids among their outputs. */
export function idsIn(states: readonly Recorded[]): ReadonlySet<string> {
  return new Set(states.flat().flatMap(({ id, outputs }) => [id ?? "", ...textsIn(outputs)]));
}
