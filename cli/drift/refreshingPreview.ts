import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseJson } from "../../common/json";
import { z } from "../../common/zod";
import { failureOf, PulumiError, type PulumiOptions, pulumi, runPulumi } from "../../provider/engine/pulumiCommand";
import { Exported, type Recorded } from "../../provider/engine/stackStates";

const properties = z.record(z.string(), z.unknown()).default({});
const state = z.object({ id: z.string().optional(), inputs: properties, outputs: properties });
const step = z.object({
  metadata: z.object({
    op: z.string(),
    urn: z.string(),
    type: z.string(),
    old: state.nullish(),
    new: state.nullish(),
    // By property path. Only native resources have it.
    detailedDiff: z.record(z.string(), z.unknown()).nullish(),
  }),
});

/** The engine's finding for one resource. */
export type PreviewStep = z.output<typeof step>["metadata"];

const event = z.object({
  resOutputsEvent: step.optional(),
  diagnosticEvent: z.object({ severity: z.string(), message: z.string() }).optional(),
});

export interface Place {
  readonly stack: string | undefined;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/**
 * Compares a stack with the service, without writing anything.
 *
 * @param further arguments of `pulumi refresh`
 * @throws PulumiError
 */
export async function refreshingPreview(place: Place, further: readonly string[]): Promise<PreviewStep[]> {
  const folder = await mkdtemp(join(tmpdir(), "computecloud-drift-"));
  try {
    const log = join(folder, "events.json");
    // The event log, because the document of `--json` has only the recorded states, not the found ones.
    // `--preview-only` comes after the user's arguments: the last of two options counts, so nothing is ever written.
    const args = ["refresh", ...further, "--preview-only", "--event-log", log];
    const result = await runPulumi([...args, ...stackOf(place)], optionsOf(place));
    // A run that failed to start writes no log.
    const lines = (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
    const engineEvents = lines.map((line) => event.parse(parseJson(line)));
    if (result.exitCode !== 0) throw failureOf(args, result, errorsIn(engineEvents));
    return engineEvents.flatMap(({ resOutputsEvent }) =>
      resOutputsEvent === undefined ? [] : [resOutputsEvent.metadata],
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws PulumiError */
export async function recordedIn(place: Place): Promise<Recorded> {
  return resourcesOf(await exportOf(place), "pulumi stack export");
}

/** What `pulumi stack export` prints. @throws PulumiError */
export async function exportOf(place: Place): Promise<unknown> {
  return parseJson(await pulumi(["stack", "export", ...stackOf(place)], optionsOf(place)));
}

/** The names of all stacks of the project. @throws PulumiError */
export async function stacksOf(folder: string, signal: AbortSignal): Promise<string[]> {
  const listed = await pulumi(["stack", "ls", "--json"], { folder, signal });
  return z
    .array(z.object({ name: z.string() }))
    .parse(parseJson(listed))
    .map(({ name }) => name);
}

/** What a command compares. @param names what `--stack` names; the selected stack without any */
export async function placesOf(
  names: readonly string[] | undefined,
  isForAll: boolean | undefined,
  folder: string,
  signal: AbortSignal,
): Promise<Place[]> {
  if (isForAll && names !== undefined) throw new Error("--all-stacks includes those of --stack. Leave one out.");
  const stacks = isForAll ? await stacksOf(folder, signal) : (names ?? [undefined]);
  if (stacks.length === 0) throw new Error("The project has no stack. Create one with `pulumi stack init`.");
  return stacks.map((stack) => ({ stack, folder, signal }));
}

const stackOf = ({ stack }: Place): string[] => (stack === undefined ? [] : ["--stack", stack]);

/** @throws PulumiError when it is not a deployment */
export function resourcesOf(document: unknown, source: string): Recorded {
  const parsed = Exported.safeParse(document);
  if (!parsed.success) throw new PulumiError(`${source} is not a state: give what \`pulumi stack export\` prints.`);
  return parsed.data;
}

/** `--event-log` needs the engine's debug commands. */
function optionsOf({ folder, signal }: Place): PulumiOptions {
  return { folder, signal, environment: { PULUMI_DEBUG_COMMANDS: "true" } };
}

/** The errors of the run, without repeats. They are shown alone, because the engine prints them below all resources. */
function errorsIn(events: readonly z.output<typeof event>[]): string {
  const errors = events.filter(({ diagnosticEvent }) => diagnosticEvent?.severity === "error");
  return [...new Set(errors.map(({ diagnosticEvent }) => diagnosticEvent?.message.trim()))].join("\n");
}
