import { endpoint } from "./endpoint";
import { type Body, Fields, isBody, type Warning } from "./fields";
import { networkVolume, registry, template } from "./others";
import { pod } from "./pod";

/** The resource that takes the place of what v1 had. */
export type Kind = "Pod" | "ServerlessContainer" | "Template" | "NetworkVolume" | "Registry";

export const kinds: readonly Kind[] = ["Pod", "ServerlessContainer", "Template", "NetworkVolume", "Registry"];

/** What became of a v1 body. */
export interface Migration {
  readonly kind: Kind;
  /** Where the body was an answer of v1: what exists can be adopted by this id, with `import`. */
  readonly id?: string;
  /** Arguments of the resource. */
  readonly args: Record<string, unknown>;
  /** One for each thing that has no equal, or is not the same. */
  readonly warnings: readonly Warning[];
}

/** It can't be told what a body is, or it is none. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Turns a body of v1, a request's or an answer's, into arguments of the resource that takes its place.
 *
 * @param kind what it is; left out, the fields tell
 * @throws MigrationError where the fields don't
 */
export function migrate(body: unknown, kind?: Kind): Migration {
  if (!isBody(body)) throw new MigrationError("A body of version 1 must be a JSON object.");
  const known = kind ?? kindOf(body);
  if (known === undefined)
    throw new MigrationError(`The kind can't be told from the fields. Name it with --kind: one of ${kinds.join(", ")}`);
  return {
    kind: known,
    ...(typeof body.id === "string" && { id: body.id }),
    ...converted(body, known, false),
  };
}

const converters: Readonly<Record<Kind, (fields: Fields, isUpdate: boolean) => Record<string, unknown>>> = {
  Pod: pod,
  ServerlessContainer: endpoint,
  Template: template,
  NetworkVolume: networkVolume,
  Registry: registry,
};

/** @param isUpdate whether the body changes something: then nothing is added that it leaves out */
export function converted(body: Body, kind: Kind, isUpdate: boolean): Pick<Migration, "args" | "warnings"> {
  const fields = new Fields(body);
  const args = converters[kind](fields, isUpdate);
  return { args, warnings: fields.finish() };
}

/** Fields that only one kind has, the most telling kind first. */
const TELLING: readonly (readonly [kind: Kind, fields: readonly string[]])[] = [
  ["Registry", ["username", "password"]],
  ["NetworkVolume", ["size"]],
  [
    "ServerlessContainer",
    [
      "workersMin",
      "workersMax",
      "scalerType",
      "scalerValue",
      "executionTimeoutMs",
      "flashboot",
      "idleTimeout",
      "gpuIds",
    ],
  ],
  ["Template", ["isServerless", "isPublic", "readme", "category"]],
  [
    "Pod",
    [
      "cloudType",
      "supportPublicIp",
      "interruptible",
      "desiredStatus",
      "globalNetworking",
      "locked",
      "machineId",
      "gpuTypePriority",
      "countryCodes",
      "costPerHr",
    ],
  ],
];

function kindOf(body: Body): Kind | undefined {
  const told = TELLING.find(([, fields]) => fields.some((field) => field in body));
  if (told !== undefined) return told[0];
  // An image on machines of its own choice is a pod: endpoints take their image from a template.
  const hasImage = "imageName" in body || "image" in body;
  return hasImage &&
    ["gpuTypeIds", "gpuTypeId", "cpuFlavorIds", "computeType", "gpuCount"].some((field) => field in body)
    ? "Pod"
    : undefined;
}
