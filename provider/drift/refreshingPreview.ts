import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../client/json";

const properties = z.record(z.string(), z.unknown()).default({});
const state = z.object({ id: z.string().optional(), inputs: properties, outputs: properties });
const step = z.object({
  metadata: z.object({
    op: z.string(),
    urn: z.string(),
    type: z.string(),
    old: state.nullish(),
    new: state.nullish(),
  }),
});

/** What the engine found of one resource. */
export type Found = z.output<typeof step>["metadata"];

const event = z.object({
  resOutputsEvent: step.optional(),
  diagnosticEvent: z.object({ severity: z.string(), message: z.string() }).optional(),
});

/** A deployment as `pulumi stack export` prints it. */
const deployment = z.object({
  deployment: z.object({
    resources: z.array(z.object({ id: z.string().optional(), outputs: properties })).default([]),
  }),
});
export type Recorded = z.output<typeof deployment>["deployment"]["resources"];

/** Pulumi could not do what it was asked for. */
export class PulumiError extends Error {
  override readonly name = "PulumiError";
}

export interface Place {
  readonly stack: string | undefined;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/**
 * Compares a stack with the service, and writes nothing.
 *
 * @param further arguments of `pulumi refresh`
 * @throws PulumiError
 */
export async function refreshingPreview(place: Place, further: readonly string[]): Promise<Found[]> {
  const folder = await mkdtemp(join(tmpdir(), "computecloud-drift-"));
  try {
    const log = join(folder, "events.json");
    // The document that `--json` prints holds every resource as it was recorded, and not as it was found.
    await pulumi(place, ["refresh", "--preview-only", "--event-log", log, ...further]);
    const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line !== "");
    return lines.flatMap((line) => {
      const { resOutputsEvent } = event.parse(parseJson(line));
      return resOutputsEvent === undefined ? [] : [resOutputsEvent.metadata];
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws PulumiError */
export async function recordedIn(place: Place): Promise<Recorded> {
  return resourcesOf(parseJson(await pulumi(place, ["stack", "export"])), "pulumi stack export");
}

/** @throws PulumiError when it is no deployment */
export function resourcesOf(document: unknown, source: string): Recorded {
  const parsed = deployment.safeParse(document);
  if (!parsed.success) throw new PulumiError(`${source} is no state: give what \`pulumi stack export\` prints.`);
  return parsed.data.deployment.resources;
}

async function pulumi({ stack, folder, signal }: Place, args: readonly string[]): Promise<string> {
  const child = spawn(
    "pulumi",
    [...args, "--non-interactive", ...(stack === undefined ? [] : ["--stack", stack])],
    // The option for the engine's events is one of those.
    { cwd: folder, env: { ...process.env, PULUMI_DEBUG_COMMANDS: "true" }, stdio: ["ignore", "pipe", "pipe"], signal },
  );
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      said[name] += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ENOENT" ? new PulumiError("there is no pulumi on PATH.") : error),
    );
    child.once("close", resolve);
  });
  if (code !== 0)
    throw new PulumiError(`pulumi ${args[0]} failed with exit code ${code}:\n${`${said.stdout}${said.stderr}`.trim()}`);
  return said.stdout;
}
