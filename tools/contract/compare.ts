import { z } from "zod";
import type { Operation } from "../../client";
import { presets } from "../../common/presets";
import { beyond, type Json, list, objectOf, record, resolve, type Shape, shapeOf } from "./shape";

/** One difference between the service's schema and what the client sends and expects. */
export interface ContractDifference {
  /** `ahead`: this version has it from the service's later documentation, and the schema does not have it yet. */
  readonly change: "new" | "gone" | "changed" | "ahead";
  /** Operation and place, e.g. `POST /v2/pods request.gpu.count`. */
  readonly where: string;
  readonly what: string;
  /** Whether it can make a call of the client fail, or change the meaning of a program. */
  readonly breaks: boolean;
}

/** The date of the schema that the client's operations follow. */
export const SCHEMA_DAY = "2026-08-20";

/** What the client has learnt since, by docs/service.md: operations, and places in requests and answers. */
const LATER = [
  /^\w+ \/v2\/(account\/secrets|global-volumes|tags|cost-centers)\b\S*$/,
  /^\w+ \/v2\/serverless\/\{id\}\/builds\S*$/,
  /^PATCH \/v2\/registries\/\{id\}$/,
  /^POST \/v2\/clusters request\.templateId$/,
  / query\.(limit|cursor)$/,
  /\.(entrypoint|cmd)$/,
  / (request|reply)\S*\.(globalVolumes|mounts\.global)$/,
  /\.gpu\.(minRamPerGpu|minVcpuCountPerGpu|vcpuCount|memory)$/,
];

/** Read where there are pages. Lists without them are complete. */
const PAGINATION = / reply\.pagination$/;

/**
 * Every difference between a live OpenAPI document and the operations of the client.
 *
 * @param expected the document as it was when this version was released. It has the limits, defaults and statuses, which the
 *   client's operations lack.
 */
export function compareContract(
  document: Json,
  operations: readonly Operation[],
  expected: Json,
): ContractDifference[] {
  const known = new Set(operations.map(nameOf));
  const served = Object.entries(record(document.paths)).flatMap(([path, item]) =>
    METHODS.filter((method) => method.toLowerCase() in record(item)).map((method) => nameOf({ method, path })),
  );
  return [
    ...serverDifferences(document),
    ...operations.flatMap((operation) => compareOperation(document, operation, expected)),
    ...served.filter((name) => !known.has(name)).map((where) => added(where, "operation")),
  ];
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

const added = (where: string, what: string, breaks = false): ContractDifference => ({
  change: "new",
  where,
  what,
  breaks,
});
const changed = (where: string, what: string, breaks: boolean): ContractDifference => ({
  change: "changed",
  where,
  what,
  breaks,
});
const gone = (where: string, what: string, breaks: boolean): ContractDifference =>
  LATER.some((later) => later.test(where))
    ? { change: "ahead", where, what, breaks: false }
    : { change: "gone", where, what, breaks };

/** Never breaking: calls go to the configured address, which may still answer for a while. */
function serverDifferences(document: Json): ContractDifference[] {
  const servers = list(document.servers).flatMap((server) => {
    const { url } = record(server);
    return typeof url === "string" ? [url.replace(/\/+$/, "")] : [];
  });
  const known = Object.values(presets).map(({ baseUrl }) => baseUrl);
  if (servers.length === 0 || servers.some((url) => known.includes(url) || url.startsWith("/"))) return [];
  return [changed("servers", `are ${servers.join(", ")}, were ${known.join(", ")}`, false)];
}

function compareOperation(document: Json, operation: Operation, expected: Json): ContractDifference[] {
  const where = nameOf(operation);
  const is = described(document, operation);
  if (is === undefined) return [gone(where, "operation", true)];
  const was = described(expected, operation) ?? is;
  const { body, query, reply } = operation;
  return [
    ...(is.takesBearer ? [] : [changed(where, "no longer takes the key as a bearer", true)]),
    ...is.requiredHeaders.map((header) => added(where, `requires the ${header}`, true)),
    ...mediaDifferences(`${where} request`, "takes", is.requestMedia, [JSON_MEDIA]),
    ...mediaDifferences(`${where} reply`, "is", is.replyMedia, [JSON_MEDIA, "text/event-stream"]),
    ...statusDifferences(where, is.statuses, was.statuses),
    ...(is.isDeprecated ? [changed(where, "is deprecated", false)] : []),
    ...(body ? walk(`${where} request`, oursOf(body), is.request, sent) : []),
    ...walk(`${where} request`, was.request, is.request, limits),
    // A query that the client never sends matters only where it becomes required.
    ...walk(`${where} query`, oursOf(query), is.query, sent).filter(({ breaks }) => query || breaks),
    ...walk(`${where} query`, was.query, is.query, limits),
    ...(reply ? walk(`${where} reply`, oursOf(reply), is.reply, received) : []),
  ];
}

function oursOf(schema: z.ZodType | undefined): Shape {
  if (schema === undefined) return objectOf([]);
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return shapeOf(json, json);
}

const JSON_MEDIA = "application/json";

/** A document's description of an operation; undefined if it has none. */
function described(document: Json, { method, path }: Operation) {
  const item = record(record(document.paths)[path]);
  if (!(method.toLowerCase() in item)) return undefined;
  const operation = record(item[method.toLowerCase()]);
  const resolved = (value: unknown) => record(resolve(value, document));

  const parameters = [...list(item.parameters), ...list(operation.parameters)].map(resolved);
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const request = record(resolved(operation.requestBody).content);
  const successes = Object.entries(record(operation.responses)).filter(([status]) => status.startsWith("2"));
  const replies = successes.map(([, reply]) => record(resolved(reply).content));

  const schemes = record(record(document.components).securitySchemes);
  const security = list(operation.security ?? document.security).map(record);
  const isBearer = (name: string) => {
    const { type, scheme } = resolved(schemes[name]);
    return type === "http" && String(scheme).toLowerCase() === "bearer";
  };
  return {
    isDeprecated: operation.deprecated === true,
    takesBearer: security.length === 0 || security.some((choice) => Object.keys(choice).every(isBearer)),
    /** The client sends no headers or cookies beside the key. */
    requiredHeaders: parameters
      .filter(({ in: place, required }) => required === true && (place === "header" || place === "cookie"))
      .map(({ in: place, name }) => `${String(place)} ${String(name)}`),
    requestMedia: Object.keys(request),
    replyMedia: replies.flatMap(Object.keys),
    statuses: successes.map(([status]) => status),
    request: contentShape(request, document),
    reply: contentShape(replies.find((content) => Object.keys(content).length > 0) ?? {}, document),
    query: objectOf(
      inQuery.map(({ name, schema, required }) => [
        String(name),
        { ...shapeOf(schema, document), required: required === true },
      ]),
    ),
  };
}

/** Of several media types, JSON's shape. */
const contentShape = (content: Json, document: Json): Shape =>
  shapeOf(record(content[JSON_MEDIA] ?? Object.values(content)[0]).schema, document);

function mediaDifferences(
  where: string,
  verb: string,
  is: readonly string[],
  ours: readonly string[],
): ContractDifference[] {
  if (is.length === 0 || is.some((media) => ours.includes(media))) return [];
  return [changed(where, `${verb} ${is.join(", ")} only`, true)];
}

/** A new 202 is breaking, because it means that the work is not done yet. The client treats the other statuses alike. */
function statusDifferences(where: string, is: readonly string[], was: readonly string[]): ContractDifference[] {
  if (is.toString() === was.toString()) return [];
  const isUnfinished = is.includes("202") && !was.includes("202");
  return [changed(where, `answers ${is.join(", ")} instead of ${was.join(", ")}`, isUnfinished)];
}

/** What two shapes say about one place. One of them may lack it, and accept anything there. */
type Rule = (
  where: string,
  ours: Shape | undefined,
  theirs: Shape | undefined,
  isOpen: boolean,
) => ContractDifference[];

/** Holds two shapes against each other by a rule, at every place that either has. */
function walk(where: string, ours: Shape, theirs: Shape, rule: Rule): ContractDifference[] {
  const places = [...new Set([...ours.parts.keys(), ...theirs.parts.keys()])];
  return [
    ...rule(where, ours, theirs, false),
    ...places.flatMap((place) => {
      const [left, right] = [ours.parts.get(place), theirs.parts.get(place)];
      if (left !== undefined && right !== undefined) return walk(where + place, left, right, rule);
      // A side that names no items or values of a map accepts any.
      if (place === "[]" || place === ".*") return [];
      return rule(where + place, left, right, (left === undefined ? ours : theirs).types === undefined);
    }),
  ];
}

/** The service must accept everything that the client sends. */
const sent: Rule = (where, ours, theirs, isOpen) => {
  if (theirs === undefined) return isOpen ? [] : [gone(where, "property", true)];
  const { required } = theirs;
  if (ours === undefined) return [added(where, required ? "required property" : "property", required)];
  return [
    ...(required && !ours.required ? [changed(where, "is now required", true)] : []),
    ...beyond(ours.types, theirs.types).map((type) => changed(where, `no longer takes ${type}`, true)),
    ...beyond(ours.words, theirs.words).map((word) => gone(where, `no longer takes ${word}`, true)),
    ...beyond(theirs.words, ours.words).map((word) => added(where, `also takes ${word}`)),
  ];
};

/** The client must be able to read everything that the service may answer. It keeps unknown enum values as they are. */
const received: Rule = (where, ours, theirs, isOpen) => {
  if (ours === undefined) return isOpen ? [] : [added(where, "property")];
  if (theirs === undefined) return PAGINATION.test(where) ? [] : [gone(where, "property", ours.required)];
  return [
    ...(ours.required && !theirs.required ? [changed(where, "may now be left out", true)] : []),
    ...beyond(theirs.types, ours.types).map((type) => changed(where, `may now be ${type}`, true)),
    ...beyond(theirs.words, ours.words).map((word) => added(where, `may now be ${word}`)),
    ...beyond(ours.words, theirs.words).map((word) => gone(where, `is never ${word}`, false)),
  ];
};

/** What the service accepted must still be accepted, and mean the same. */
const limits: Rule = (where, was, is) => {
  if (was === undefined || is === undefined) return [];
  return [...is.facets].flatMap(([name, now]) => {
    if (name === "deprecated") return now.includes(true) ? [changed(where, "is deprecated", false)] : [];
    const before = was.facets.get(name);
    const text = `${name} is ${textOf(now)}${before === undefined ? "" : `, was ${textOf(before)}`}`;
    if (before !== undefined && textOf(now) === textOf(before)) return [];
    // A default that the old schema did not name is not a change.
    if (name === "default") return before === undefined ? [] : [changed(where, text, true)];
    return [changed(where, text, before === undefined || refusesMore(name, Number(before[0]), Number(now[0])))];
  });
};

/** A rule without a direction, such as a pattern, may refuse values that were accepted. */
function refusesMore(name: string, was: number, is: number): boolean {
  if (/^(exclusiveM|m)in/.test(name)) return is > was;
  return /^(exclusiveM|m)ax/.test(name) ? is < was : true;
}

const textOf = (values: readonly unknown[]): string =>
  [...new Set(values.map((value) => JSON.stringify(value)))].toSorted().join(" or ");
