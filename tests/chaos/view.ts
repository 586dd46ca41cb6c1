import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { nameOfUrn } from "../../common/urn";
import type { Control, EmulatorState, StateRecord } from "../../tools/run/control";
import { isErrno } from "../../tools/run/process";
import type { Stack, StateResource } from "../../tools/run/stack";

/** Something that an account holds, and mostly bills. */
export interface Thing {
  readonly id: string;
  readonly collection: keyof EmulatorState;
  readonly name: string;
  readonly record: StateRecord;
}

/** A resource as a stack's state holds it. */
export interface Row {
  readonly urn: string;
  readonly type: string;
  /** The logical name. */
  readonly name: string;
  /** All that it is to the service: of a fleet its members' endpoints and templates, of SSH keys those that it has set. */
  readonly ids: readonly string[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  /** Replaced, and not yet deleted. */
  readonly leaving: boolean;
  /** Deleted, and its replacement not yet made. The engine's refresh doesn't read it. */
  readonly awaited: boolean;
}

/** What an account holds, without what belongs to something else in it. */
export async function thingsIn(service: Control): Promise<ReadonlyMap<string, Thing>> {
  const state = await service.state();
  const things = COLLECTIONS.flatMap((collection) =>
    state[collection]
      .filter((record) => (record.cluster ?? null) === null)
      .map(
        (record): Thing => ({
          id: String(record.key ?? record.id),
          collection,
          name: bare(record.name ?? record.repository ?? record.key),
          record,
        }),
      ),
  );
  const sorted = things.sort((a, b) => `${a.collection} ${a.name}`.localeCompare(`${b.collection} ${b.name}`));
  return new Map(sorted.map((thing) => [thing.id, thing]));
}

export const COLLECTIONS = [
  "pods",
  "clusters",
  "endpoints",
  "templates",
  "networkVolumes",
  "registries",
  "secrets",
  "globalVolumes",
  "delegations",
  "sshKeys",
] as const satisfies readonly (keyof EmulatorState)[];

const bare = (name: unknown): string => String(name ?? "").replace(/ ?-fb$/, "");

interface StateEntry extends StateResource {
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly delete?: boolean;
  readonly pendingReplacement?: boolean;
}

interface Deployment {
  readonly resources?: readonly StateEntry[];
}

/** Where the backend keeps a stack's state. */
export const stateFile = ({ folder, project, name }: Stack): string =>
  join(folder, "backend", ".pulumi", "stacks", folder === project ? "test" : basename(project), `${name}.json`);

/** What `pulumi stack export` would print, but for its version; undefined before the first run. */
export async function deploymentOf(stack: Stack): Promise<Deployment | undefined> {
  try {
    return JSON.parse(await readFile(stateFile(stack), "utf8")).checkpoint.latest;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** The resources in a state, components among them. */
export function rowsOf({ resources = [] }: Deployment = {}): Row[] {
  return resources
    .filter(({ type }) => !type.startsWith("pulumi:"))
    .map((entry) => ({
      urn: entry.urn,
      type: entry.type,
      name: nameOfUrn(entry.urn),
      ids: idsOf(entry),
      outputs: entry.outputs ?? {},
      protect: entry.protect ?? false,
      retainOnDelete: entry.retainOnDelete ?? false,
      leaving: entry.delete ?? false,
      awaited: entry.pendingReplacement ?? false,
    }));
}

function idsOf({ type, id, outputs = {} }: StateEntry): string[] {
  if (type.endsWith(":ServerlessFleet")) {
    return [outputs.ids, outputs.templateIds].flatMap((ids) => Object.values(Object(ids)).map(String));
  }
  // The list has no id of its own. The state holds digests of what the program has set.
  if (type.endsWith(":SshKeys")) {
    const ownDigests = new Set<unknown>(Object.values(Object(outputs.own)));
    const digest = (key: string) => createHash("sha256").update(key).digest("hex").slice(0, 16);
    const keys = Object.values(Object(outputs.keys)).map(String);
    return outputs.own === undefined ? keys : keys.filter((key) => ownDigests.has(digest(key)));
  }
  return id === undefined || /:Smoke(Job|Request)$/.test(type) ? [] : [id];
}

/** The ids of all that these resources are. */
export const idsIn = (rows: readonly Row[]): Set<string> => new Set(rows.flatMap(({ ids }) => ids));

const WRITTEN = [
  ...["name", "description", "image", "env", "args", "disk", "workers", "gpu", "size"],
  ...["username", "password", "scaling", "flashboot", "type"],
];

/** The parts of a record that only a write changes. */
export function essence({ record }: Thing): string {
  return JSON.stringify(Object.fromEntries(WRITTEN.map((field) => [field, record[field]])));
}
