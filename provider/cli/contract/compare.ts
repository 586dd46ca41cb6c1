import { z } from "zod";
import type { Operation } from "../../client/calls/operation";
import { presets } from "../../client/values/presets";
import { compareDetails, type Described } from "./details";
import { type Difference, difference } from "./difference";
import { contentSchema, isJson, type Json, list, resolve, type Shape, shapeOf, successesOf } from "./shape";

/**
 * Every difference between a live OpenAPI document and the operations of the client.
 *
 * @param expected the document as it was when this version was released. It has the limits and defaults, which the client's
 *   operations mostly lack.
 */
export function compareContract(document: Json, operations: readonly Operation[], expected: Json): Difference[] {
  const known = new Set(operations.map(nameOf));
  const unused = servedOperations(document).filter((name) => !known.has(name));
  return [
    ...serverDifferences(document),
    ...operations.flatMap((operation) => compareOperation(document, operation, expected)),
    ...unused.map((where) => difference("new", where, "operation", false)),
  ];
}

/** The client supports pages although the contract has none yet. */
const FORESEEN = "pagination";

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const methods = ["get", "post", "put", "patch", "delete"];

function servedOperations(document: Json): string[] {
  return Object.entries(isJson(document.paths) ? document.paths : {}).flatMap(([path, item]) =>
    methods.filter((method) => isJson(item) && method in item).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** Never breaking: calls go to the configured address, which may still answer for a while. */
function serverDifferences(document: Json): Difference[] {
  const servers = list(document.servers).flatMap((server) =>
    isJson(server) && typeof server.url === "string" ? [server.url.replace(/\/+$/, "")] : [],
  );
  const known = Object.values(presets).map(({ baseUrl }) => baseUrl);
  if (servers.length === 0 || servers.some((url) => known.includes(url) || url.startsWith("/"))) return [];
  return [difference("changed", "servers", `are ${servers.join(", ")}, were ${known.join(", ")}`, false)];
}

/** The document's description of an operation, if there is one. */
function described(document: Json, { method, path }: Operation): Described | undefined {
  const item = isJson(document.paths) ? document.paths[path] : undefined;
  const operation = isJson(item) ? item[method.toLowerCase()] : undefined;
  return isJson(item) && isJson(operation) ? { document, item, operation } : undefined;
}

function compareOperation(document: Json, operation: Operation, expected: Json): Difference[] {
  const where = nameOf(operation);
  const now = described(document, operation);
  if (now === undefined) return [difference("gone", where, "operation", true)];
  const { item, operation: served } = now;
  const ours = (schema: z.ZodType) => {
    const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    return shapeOf(json, json);
  };
  const body = contentSchema(resolve(served.requestBody, document));
  const reply = contentSchema(resolve(successOf(served), document));
  const differences = compareDetails(now, described(expected, operation), where);
  if (operation.body !== undefined) {
    differences.push(...compareSent(ours(operation.body), shapeOf(body, document), `${where} request`));
  }
  if (operation.query !== undefined) {
    const parameters = [item.parameters, served.parameters].flat().map((parameter) => resolve(parameter, document));
    differences.push(...compareSent(ours(operation.query), queryShape(parameters, document), `${where} query`));
  }
  if (operation.reply !== undefined) {
    differences.push(...compareReceived(ours(operation.reply), shapeOf(reply, document), `${where} reply`));
  }
  return differences;
}

function successOf(operation: Json): unknown {
  const answers = successesOf(operation).map(([, answer]) => answer);
  return answers.find((answer) => isJson(answer) && (isJson(answer.content) || "$ref" in answer)) ?? answers[0];
}

function queryShape(parameters: readonly unknown[], document: Json): Shape {
  const properties = parameters.flatMap((parameter) => {
    if (!isJson(parameter) || parameter.in !== "query" || typeof parameter.name !== "string") return [];
    const shape = shapeOf(parameter.schema, document);
    return [[parameter.name, { shape, required: parameter.required === true }] as const];
  });
  const object = shapeOf({ type: "object" }, document);
  return { ...object, properties: new Map(properties) };
}

/** The service must accept everything that the client sends. */
function compareSent(ours: Shape, theirs: Shape, where: string): Difference[] {
  return [
    ...refusedTypes(ours, theirs).map((type) => difference("changed", where, `no longer takes ${type}`, true)),
    ...beyond(ours.words, theirs.words).map((word) => difference("gone", where, `no longer takes ${word}`, true)),
    ...beyond(theirs.words, ours.words).map((word) => difference("new", where, `also takes ${word}`, false)),
    ...[...ours.properties].flatMap(([name, { shape }]) => {
      const property = theirs.properties.get(name);
      const place = `${where}.${name}`;
      return property === undefined
        ? theirs.types.size === 0
          ? []
          : [difference("gone", place, "property", true)]
        : compareSent(shape, property.shape, place);
    }),
    ...[...theirs.properties].flatMap(([name, { required }]) => {
      const place = `${where}.${name}`;
      const property = ours.properties.get(name);
      if (property === undefined) {
        return [difference("new", place, required ? "required property" : "property", required)];
      }
      return required && !property.required ? [difference("changed", place, "is now required", true)] : [];
    }),
    ...inside(ours, theirs, where, compareSent),
  ];
}

/** The client must be able to read everything that the service may answer. It keeps unknown enum values as they are. */
function compareReceived(ours: Shape, theirs: Shape, where: string): Difference[] {
  return [
    ...refusedTypes(theirs, ours).map((type) => difference("changed", where, `may now be ${type}`, true)),
    ...beyond(theirs.words, ours.words).map((word) => difference("new", where, `may now be ${word}`, false)),
    ...beyond(ours.words, theirs.words).map((word) => difference("gone", where, `is never ${word}`, false)),
    ...[...ours.properties].flatMap(([name, { shape, required }]) => {
      const place = `${where}.${name}`;
      const property = theirs.properties.get(name);
      if (property === undefined) return name === FORESEEN ? [] : [difference("gone", place, "property", required)];
      const mayLack = required && !property.required ? [difference("changed", place, "may now be left out", true)] : [];
      return [...mayLack, ...compareReceived(shape, property.shape, place)];
    }),
    ...[...theirs.properties.keys()]
      .filter((name) => ours.types.size > 0 && !ours.properties.has(name))
      .map((name) => difference("new", `${where}.${name}`, "property", false)),
    ...inside(ours, theirs, where, compareReceived),
  ];
}

function inside(ours: Shape, theirs: Shape, where: string, compare: typeof compareSent): Difference[] {
  return [
    ...(ours.items && theirs.items ? compare(ours.items, theirs.items, `${where}[]`) : []),
    ...(ours.values && theirs.values ? compare(ours.values, theirs.values, `${where}.*`) : []),
  ];
}

/** Types of one side that the other does not accept. An integer counts as a number. */
function refusedTypes(given: Shape, taken: Shape): string[] {
  if (taken.types.size === 0) return [];
  return [...given.types].filter(
    (type) => !taken.types.has(type) && !(type === "integer" && taken.types.has("number")),
  );
}

/** Values of one enum that the other lacks. */
function beyond(words: ReadonlySet<string> | undefined, known: ReadonlySet<string> | undefined): string[] {
  return words === undefined || known === undefined ? [] : [...words].filter((word) => !known.has(word));
}
