import { type Difference, difference } from "./difference";
import { contentSchema, follow, isJson, type Json, list, mediaTypes, resolve, successesOf } from "./shape";

type IsNarrower = (was: number, is: number) => boolean;
const higher: IsNarrower = (was, is) => is > was;
const lower: IsNarrower = (was, is) => is < was;

/** Limits of a value, with the direction in which they refuse more. */
const LIMITS: Readonly<Record<string, IsNarrower>> = {
  minimum: higher,
  exclusiveMinimum: higher,
  minLength: higher,
  minItems: higher,
  minProperties: higher,
  maximum: lower,
  exclusiveMaximum: lower,
  maxLength: lower,
  maxItems: lower,
  maxProperties: lower,
};
/** Limits without a direction: any change may refuse values that were accepted. */
const RULES = ["pattern", "uniqueItems", "multipleOf"];
const FACETS = [...Object.keys(LIMITS), ...RULES, "default", "deprecated"];
const JSON_MEDIA = "application/json";

/** One document's description of an operation. */
export interface Described {
  readonly document: Json;
  readonly item: Json;
  readonly operation: Json;
}

/**
 * Differences other than the shapes of requests and replies: limits, defaults, headers, authentication, media types, statuses
 * and deprecations.
 *
 * @param before the operation in the schema that this version was made for; if it lacks the operation, changes of limits,
 *   defaults and statuses are not detected
 */
export function compareDetails(now: Described, before: Described | undefined, where: string): Difference[] {
  return [
    ...keyDifferences(now, where),
    ...headerDifferences(now, where),
    ...mediaDifferences(now, where),
    ...statusDifferences(now, before, where),
    ...(now.operation.deprecated === true ? [difference("changed", where, "is deprecated", false)] : []),
    ...facetDifferences(facetsOf(now), before && facetsOf(before), where),
  ];
}

/** The client sends the key as a bearer token. */
function keyDifferences({ document, operation }: Described, where: string): Difference[] {
  const security = operation.security ?? document.security;
  if (!Array.isArray(security) || security.length === 0) return [];
  const components = isJson(document.components) ? document.components : {};
  const schemes = isJson(components.securitySchemes) ? components.securitySchemes : {};
  const isBearer = (name: string) => {
    const scheme = resolve(schemes[name], document);
    return isJson(scheme) && scheme.type === "http" && String(scheme.scheme).toLowerCase() === "bearer";
  };
  const isTaken = security.some((choice) => isJson(choice) && Object.keys(choice).every(isBearer));
  return isTaken ? [] : [difference("changed", where, "no longer takes the key as a bearer", true)];
}

/** The client sends no additional headers or cookies, so a newly required one breaks it. */
function headerDifferences({ document, item, operation }: Described, where: string): Difference[] {
  return [...list(item.parameters), ...list(operation.parameters)].flatMap((parameter) => {
    const header = resolve(parameter, document);
    if (!isJson(header) || header.required !== true || (header.in !== "header" && header.in !== "cookie")) return [];
    return [difference("new", where, `requires the ${header.in} ${String(header.name)}`, true)];
  });
}

function mediaDifferences({ document, operation }: Described, where: string): Difference[] {
  const asked = mediaTypes(resolve(operation.requestBody, document));
  const takes = asked.length === 0 || asked.includes(JSON_MEDIA);
  const answered = successesOf(operation).flatMap(([, answer]) => mediaTypes(resolve(answer, document)));
  const isReadable = (media: string) => media === JSON_MEDIA || media === "text/event-stream";
  const answers = answered.length === 0 || answered.some(isReadable);
  return [
    ...(takes ? [] : [difference("changed", `${where} request`, `takes ${asked.join(", ")} only`, true)]),
    ...(answers ? [] : [difference("changed", `${where} reply`, `is ${answered.join(", ")} only`, true)]),
  ];
}

/** A new 202 is breaking, because it means that the work is not done yet. The client treats the other statuses alike. */
function statusDifferences(now: Described, before: Described | undefined, where: string): Difference[] {
  const is = successesOf(now.operation).map(([status]) => status);
  const was = before === undefined ? is : successesOf(before.operation).map(([status]) => status);
  if (is.toString() === was.toString()) return [];
  const isUnfinished = is.includes("202") && !was.includes("202");
  return [difference("changed", where, `answers ${is.join(", ")} instead of ${was.join(", ")}`, isUnfinished)];
}

/** By place: the values of each facet. Alternatives may give a facet several values. */
type Facets = ReadonlyMap<string, ReadonlyMap<string, readonly unknown[]>>;

function facetsOf({ document, item, operation }: Described): Facets {
  const found = new Map<string, Map<string, unknown[]>>();
  collect(contentSchema(resolve(operation.requestBody, document)), " request", []);
  for (const each of [...list(item.parameters), ...list(operation.parameters)]) {
    const parameter = resolve(each, document);
    if (isJson(parameter) && parameter.in === "query")
      collect(parameter.schema, ` query.${String(parameter.name)}`, []);
  }
  return found;

  function collect(schema: unknown, place: string, above: readonly string[]): void {
    if (!isJson(schema)) return;
    const facets = found.get(place) ?? new Map<string, unknown[]>();
    found.set(place, facets);
    for (const name of FACETS.filter((facet) => facet in schema)) {
      facets.set(name, [...(facets.get(name) ?? []), schema[name]]);
    }
    const { $ref: reference } = schema;
    if (typeof reference === "string" && !above.includes(reference))
      collect(follow(reference, document), place, [...above, reference]);
    for (const part of [schema.allOf, schema.anyOf, schema.oneOf].flatMap(list)) collect(part, place, above);
    const properties = isJson(schema.properties) ? schema.properties : {};
    for (const [name, property] of Object.entries(properties)) collect(property, `${place}.${name}`, above);
    collect(schema.items, `${place}[]`, above);
    collect(schema.additionalProperties, `${place}.*`, above);
  }
}

function facetDifferences(now: Facets, before: Facets | undefined, where: string): Difference[] {
  return [...now].flatMap(([place, facets]) => {
    const known = before?.get(place);
    const at = where + place;
    return [...facets].flatMap(([name, values]) => {
      if (name === "deprecated")
        return values.includes(true) ? [difference("changed", at, "is deprecated", false)] : [];
      // The client does not send properties that it does not know.
      return known === undefined ? [] : facetDifference(name, values, known.get(name), at);
    });
  });
}

function facetDifference(
  name: string,
  is: readonly unknown[],
  was: readonly unknown[] | undefined,
  at: string,
): Difference[] {
  if (was !== undefined && textOf(is) === textOf(was)) return [];
  if (name === "default") {
    // A default that the old schema did not name is not a change.
    return was === undefined ? [] : [difference("changed", at, `default is ${textOf(is)}, was ${textOf(was)}`, true)];
  }
  const [limit, before] = [Number(is[0]), Number(was?.[0])];
  const isNarrower = was === undefined || (LIMITS[name]?.(before, limit) ?? true);
  const what = was === undefined ? `${name} is ${textOf(is)}` : `${name} is ${textOf(is)}, was ${textOf(was)}`;
  return [difference("changed", at, what, isNarrower)];
}

const textOf = (values: readonly unknown[]): string =>
  [...new Set(values.map((value) => JSON.stringify(value)))].toSorted().join(" or ");
