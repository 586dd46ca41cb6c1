import { nameOfUrn } from "../../common/urn";
import type { ProcessResult } from "./process";

/** One line of the engine's event log, as far as it is used. */
export interface EngineEvent {
  /** `planning`: in the preview. */
  resOutputsEvent?: { metadata: StepMetadata; planning?: boolean };
  resOpFailedEvent?: { metadata: StepMetadata };
  diagnosticEvent?: { urn?: string; severity: string; message: string; ephemeral?: boolean };
}

interface StepMetadata {
  op: string;
  urn: string;
  type: string;
  /** The properties that ask for a replacement. */
  keys?: string[] | null;
  detailedDiff?: Readonly<Record<string, unknown>> | null;
  old?: { id?: string } | null;
  new?: { id?: string } | null;
}

/** What the engine did, or would do, with one resource. A replacement is three: create-replacement, replace, delete-replaced. */
interface Step {
  op: string;
  /** The resource's logical name. */
  name: string;
  urn: string;
  type: string;
  replaceKeys: readonly string[];
  oldId?: string;
  newId?: string;
}

interface Diagnostic {
  severity: string;
  message: string;
  /** The logical name of the resource it belongs to. */
  name?: string;
}

/** The outcome of a preview, an up, a refresh or a destroy. */
export interface Update extends ProcessResult {
  /** How many resources were created, updated and so on, zeros left out; without the stack itself and failed steps. */
  changes: Partial<Record<ChangeKind, number>>;
  /** In the order in which they ended. */
  steps: readonly Step[];
  failed: readonly Step[];
  /** What the engine and the providers had to say, from `info` up. */
  diagnostics: readonly Diagnostic[];
}

const CHANGE_KINDS = ["create", "update", "replace", "delete", "same", "read", "discard"] as const;
type ChangeKind = (typeof CHANGE_KINDS)[number];

export function readUpdate(result: ProcessResult, events: readonly EngineEvent[]): Update {
  const steps = stepsOf(events.map((event) => event.resOutputsEvent));
  const failed = stepsOf(events.map((event) => event.resOpFailedEvent));
  const counts = CHANGE_KINDS.map((kind) => [kind, steps.filter(({ op }) => op === kind).length] as const);
  const changes: Update["changes"] = Object.fromEntries(counts.filter(([, count]) => count > 0));
  const diagnostics = events.flatMap(({ diagnosticEvent: said }): Diagnostic[] =>
    said === undefined || said.severity === "debug" || said.ephemeral
      ? []
      : [{ severity: said.severity, message: said.message, ...(said.urn && { name: nameOfUrn(said.urn) }) }],
  );
  return { ...result, changes, steps, failed, diagnostics };
}

function stepsOf(events: readonly ({ metadata: StepMetadata } | undefined)[]): Step[] {
  return events.flatMap((event) => {
    if (event === undefined || event.metadata.type.startsWith("pulumi:")) return [];
    const { op, urn, type, keys, old, new: after } = event.metadata;
    return {
      op,
      name: nameOfUrn(urn),
      urn,
      type,
      replaceKeys: keys ?? [],
      ...(old?.id && { oldId: old.id }),
      ...(after?.id && { newId: after.id }),
    };
  });
}
