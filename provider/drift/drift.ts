import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import type { CallOptions, Client } from "../client";
import { kindOf } from "../cost/monthlyCost";
import type { Listed } from "../lifecycle/definition";
import { factsOf } from "../lifecycle/fields";
import { hasMadeUpForm } from "../lifecycle/names";
import { nameOfUrn } from "../lifecycle/urn";
import { isObject, type Properties, textsIn, withoutNullMembers } from "../lifecycle/values";
import { definitions } from "../resources";
import { isSetByOthers } from "../resources/secret";
import type { PreviewStep, Recorded } from "./refreshingPreview";

/** An argument that is not as it was declared; of a secret it is only said that it is. */
export interface Differing {
  readonly path: string;
  readonly recorded?: unknown;
  readonly found?: unknown;
  readonly secret?: true;
  /** In words, where no two values can be shown. */
  readonly note?: string;
}

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
    const differences = gone ? [] : differing(shown(kind, old.inputs, now.inputs), before, after, changed);
    if (!gone && differences.length === 0) return [];
    return [{ urn, name: nameOfUrn(urn), kind, id: old.id ?? "", gone, differences }];
  });
}

/** The names of the arguments that the program gave, and the service shows; what it chose may change by itself. */
function shown(kind: string, ...inputs: readonly Properties[]): string[] {
  const definition = Object.values(definitions).find((each) => each.kind === kind);
  const fields = new Map<string, z.ZodType>(Object.entries(definition?.inputs.shape ?? {}));
  const isShown = (name: string) => {
    const field = fields.get(name);
    return !name.startsWith("__") && !(field && factsOf(field).writeOnly);
  };
  return [...new Set(inputs.flatMap(Object.keys))].filter(isShown).sort();
}

/** @param changed what the engine says that differs, by path; "unknown": something */
function differing(
  names: readonly string[],
  before: Properties,
  after: Properties,
  changed: Properties | "unknown",
): Differing[] {
  const seen = names.flatMap((name) => compare(name, before[name], after[name]));
  const { templateDrift } = after;
  if (typeof templateDrift === "string" && templateDrift !== before.templateDrift)
    seen.push({ path: "template", note: `its copy differs from it in ${templateDrift}` });
  if (isSetByOthers(after) && !isSetByOthers(before)) seen.push({ path: "value", secret: true });
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

type List = (client: Client, options: CallOptions) => Promise<readonly Listed[]>;

/** How the account lists what a kind has made. The compiler asks for every kind; undefined is one that has no list of its own. */
const lists: Readonly<Record<string, List | undefined>> = {
  pod: (client, options) => client.pods.list(options),
  cluster: (client, options) => client.clusters.list(options),
  serverlessEndpoint: (client, options) => client.serverless.list(options),
  // An endpoint like the former.
  serverlessContainer: undefined,
  // Its members are endpoints and templates.
  serverlessFleet: undefined,
  template: (client, options) => client.templates.list(options),
  networkVolume: (client, options) => client.networkVolumes.list(options),
  globalVolume: (client, options) => client.globalVolumes.list(options),
  registry: (client, options) => client.registries.list(options),
  ecrDelegation: (client, options) => client.delegations.list(options),
  secret: (client, options) => client.secrets.list(options),
  // They have no name that could have been made up.
  tag: undefined,
  costCenter: undefined,
  // One list of the account, without a name.
  sshKeys: undefined,
  // A job is over, or ends with its endpoint.
  smokeJob: undefined,
} satisfies Record<keyof typeof definitions, List | undefined>;

/** @param states of every stack that works on the account */
export async function orphansOf(client: Client, states: readonly Recorded[], signal: AbortSignal): Promise<Orphan[]> {
  const known = idsIn(states);
  const found = await Promise.all(
    Object.entries(definitions).map(async ([key, { kind }]) => {
      const listed = (await lists[key]?.(client, { signal })) ?? [];
      return listed.map(({ id, name }) => ({ kind, id, name: name ?? "" }));
    }),
  );
  return found.flat().filter(({ id, name }) => hasMadeUpForm(name) && !known.has(id));
}

/** Resources that hold others have their ids among their outputs. */
export function idsIn(states: readonly Recorded[]): ReadonlySet<string> {
  return new Set(states.flat().flatMap(({ id, outputs }) => [id ?? "", ...textsIn(outputs)]));
}
