import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { isRunning } from "../client/values/isRunning";
import { parseJson } from "../client/values/json";
import { pulumi } from "../engine/pulumiCommand";
import { type BegunCreate, CreateJournal } from "../lifecycle/createJournal";
import type { Context, Listed } from "../lifecycle/definition";
import { notesFolder } from "../lifecycle/notes";
import { type Remains, remainsOf } from "../lifecycle/remains";
import { inOrder, kinds } from "../resources/order";
import { idsIn, type Orphan, orphansOf } from "./drift";
import { type Recorded, recordedIn } from "./refreshingPreview";

/** The kinds whose creates leave notes, in the order of their deletion: what uses others goes first. */
const deletable = inOrder
  .toReversed()
  .flatMap((name) => kinds[name] ?? [])
  .filter(({ orphans }) => orphans !== "none");

/** What is in no state, by how much is known of it. */
export interface Orphans {
  /** A run of this folder's program was killed while it made it: it is the program's own. */
  readonly left: readonly Remains[];
  /** The same, by runs that are under way. */
  readonly underWay: readonly Pick<Remains, "kind" | "name">[];
  /** Named as by this package, and nothing else is known of it. */
  readonly named: readonly Orphan[];
}

/** @param folder of the Pulumi project */
export function journalOf(folder: string): CreateJournal {
  return new CreateJournal(notesFolder("creating", programFolder(folder)));
}

/** Where the engine runs providers: the project's folder, or that which `main` in Pulumi.yaml names. */
function programFolder(folder: string): string {
  const root = realpathSync(resolve(folder));
  const file = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(root, name)).find((path) => isFile(path));
  const [, main] = /^main:\s*["']?(.+?)["']?\s*$/m.exec(file === undefined ? "" : readFileSync(file, "utf8")) ?? [];
  const program = join(root, main ?? ".");
  return main !== undefined && statSync(program, { throwIfNoEntry: false })?.isDirectory() ? program : root;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The states of all stacks that the project has. @throws PulumiError */
export async function statesOf(folder: string, signal: AbortSignal): Promise<Recorded[]> {
  const listed = await pulumi(["stack", "ls", "--json"], { folder, signal });
  const stacks = z.array(z.object({ name: z.string() })).parse(parseJson(listed));
  return Promise.all(stacks.map(({ name }) => recordedIn({ stack: name, folder, signal })));
}

/** @param states of every stack that works on the account, as far as they are known */
export async function findOrphans(
  context: Context,
  journal: CreateJournal,
  states: readonly Recorded[],
): Promise<Orphans> {
  const begun = [...journal.all()];
  const kinds = [...new Set(begun.map(([, { kind }]) => kind))];
  const [named, ...lists] = await Promise.all([
    orphansOf(context.client, states, context.signal),
    ...kinds.map(async (kind) => [kind, await listOf(kind, context)] as const),
  ]);
  const listed = new Map(lists);
  const recorded = idsIn(states);
  const isOver = ([, { process }]: readonly [string, BegunCreate]) => !isRunning(process);
  const now = context.client.clock.now();
  const left = remainsOf(
    new Map(begun.filter(isOver)),
    (kind) => listed.get(kind),
    (id) => recorded.has(id),
    now,
  );
  const underWay = begun.filter((each) => !isOver(each)).map(([, { kind, name }]) => ({ kind, name }));
  const known = new Set(left.flatMap(({ ids }) => ids));
  const isUnderWay = ({ name }: Orphan) => underWay.some((each) => each.name === name);
  return { left, underWay, named: named.filter((each) => !known.has(each.id) && !isUnderWay(each)) };
}

async function listOf(kind: string, context: Context): Promise<readonly Listed[] | undefined> {
  return deletable.find((each) => each.kind === kind)?.list?.(context);
}

/** Those that exist and can be told apart. */
export function certain({ left }: Orphans): Orphan[] {
  return left.flatMap(({ kind, name, ids }) => {
    const [id, second] = ids;
    return id === undefined || second !== undefined ? [] : [{ kind, id, name }];
  });
}

/** @throws RangeError for an id that is none of an orphan */
export function chosen({ left, named }: Orphans, ids: readonly string[]): Orphan[] {
  const all = [...left.flatMap(({ kind, name, ids }) => ids.map((id) => ({ kind, id, name }))), ...named];
  return ids.map((id) => {
    const orphan = all.find((each) => each.id === id);
    if (orphan !== undefined) return orphan;
    throw new RangeError(`${id} is not in this list. Delete the resources of a state with \`pulumi destroy\`.`);
  });
}

/** @returns why it is still there, by id, of those that could not be deleted */
export async function deleteOrphans(
  context: Context,
  orphans: readonly Orphan[],
  deleted: (orphan: Orphan) => void,
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  for (const definition of deletable) {
    for (const orphan of orphans.filter(({ kind }) => kind === definition.kind)) {
      try {
        await (definition.deleteOrphan?.(context, orphan.id) ?? definition.delete?.(context, orphan.id, {}));
        deleted(orphan);
      } catch (error) {
        if (context.signal.aborted) throw error;
        failures.set(orphan.id, error);
      }
    }
  }
  return failures;
}
