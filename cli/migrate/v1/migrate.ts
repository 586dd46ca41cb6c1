import { endpoint } from "./endpoint";
import { type Body, Fields, isBody, type Warning } from "./fields";
import { networkVolume, registry, template } from "./others";
import { pod } from "./pod";

/** By our kinds. The list is final: v1 gets no new ones. */
const converters = {
  Pod: pod,
  ServerlessContainer: endpoint,
  Template: template,
  NetworkVolume: networkVolume,
  Registry: registry,
};

/** Our kinds for what v1 had. */
export type Kind = keyof typeof converters;

export const kinds = Object.keys(converters) as readonly Kind[];

/** A converted v1 body. */
export interface Migration {
  readonly kind: Kind;
  /** If the body was an answer of v1: the id with which the resource can be imported. */
  readonly id?: string;
  readonly args: Record<string, unknown>;
  /** One for each field without an equivalent, or with another meaning. */
  readonly warnings: readonly Warning[];
}

/** It is not a body or a call of v1, or its kind is not clear. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Converts a v1 body, of a request or an answer, to the arguments of our resource.
 *
 * @param kind the kind of the body. Default: recognized by its fields
 * @throws MigrationError when it is not an object, or its fields do not tell the kind
 */
export function migrate(body: unknown, kind?: Kind): Migration {
  const fields = bodyOf(body);
  const bodyKind = kind ?? kindOf(fields);
  if (bodyKind === undefined)
    throw new MigrationError(`The kind can't be told from the fields. Name it with --kind: one of ${kinds.join(", ")}`);
  return {
    kind: bodyKind,
    ...(typeof fields.id === "string" && { id: fields.id }),
    ...converted(fields, bodyKind, false),
  };
}

function bodyOf(body: unknown = {}): Body {
  if (isBody(body)) return body;
  throw new MigrationError("A body of version 1 must be a JSON object.");
}

export function converted(body: unknown, kind: Kind, isUpdate: boolean): Pick<Migration, "args" | "warnings"> {
  const fields = new Fields(bodyOf(body), isUpdate);
  const args = converters[kind](fields);
  return { args, warnings: fields.finish() };
}

/** Fields that only one kind has. The order matters where a body has fields of several kinds. */
const DISTINCTIVE_FIELDS: readonly (readonly [kind: Kind, fields: string])[] = [
  ["Registry", "username password"],
  ["NetworkVolume", "size"],
  [
    "ServerlessContainer",
    "workersMin workersMax scalerType scalerValue executionTimeoutMs flashboot idleTimeout gpuIds",
  ],
  ["Template", "isServerless isPublic readme category"],
  ["Pod", "cloudType supportPublicIp interruptible desiredStatus globalNetworking locked machineId"],
  ["Pod", "gpuTypePriority countryCodes costPerHr"],
];

function kindOf(body: Body): Kind | undefined {
  const match = DISTINCTIVE_FIELDS.find(([, fields]) => fields.split(" ").some((field) => field in body));
  if (match !== undefined) return match[0];
  // An image together with a choice of machines means a pod, because endpoints take their image from a template.
  const hasImage = "imageName" in body || "image" in body;
  return hasImage &&
    ["gpuTypeIds", "gpuTypeId", "cpuFlavorIds", "computeType", "gpuCount"].some((field) => field in body)
    ? "Pod"
    : undefined;
}
