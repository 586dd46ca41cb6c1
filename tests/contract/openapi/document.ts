import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { checkout } from "../../../tools/run/environment";

/** The parts of an OpenAPI 3.1 document that the tests look at. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PathItemPart>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
type PathItemPart = OperationNode | readonly Reference<ParameterNode>[];

type Reference<T> = T | { readonly $ref: string };

interface OperationNode {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Reference<ParameterNode>[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Reference<ResponseNode>>>;
}

export interface ParameterNode {
  readonly name: string;
  readonly in: string;
  readonly schema: JsonSchema;
}

export interface ResponseNode {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** As much of JSON Schema as is looked into; the rest is the validator's business. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

export interface Operation {
  readonly id: string;
  readonly summary: string | undefined;
  readonly tag: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: readonly ParameterNode[];
  readonly body: JsonSchema | undefined;
  /** By status, `default` among them. */
  readonly responses: ReadonlyMap<string, ResponseNode>;
}

/** Every operation of a document, by its id. */
export function operationsOf(document: OpenApi): ReadonlyMap<string, Operation> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, node]) =>
      "operationId" in node ? [operation(document, path, method.toUpperCase(), node)] : [],
    ),
  );
  return new Map(operations.map((each) => [each.id, each]));
}

function operation(document: OpenApi, path: string, method: string, node: OperationNode): Operation {
  return {
    id: node.operationId,
    summary: node.summary,
    tag: node.tags?.[0],
    method,
    path,
    query: (node.parameters ?? [])
      .map((each) => follow(document, each))
      .filter((parameter) => parameter.in === "query"),
    body: node.requestBody?.content["application/json"]?.schema,
    responses: new Map(
      Object.entries(node.responses).map(([status, response]) => [status, follow(document, response)]),
    ),
  };
}

/** What a `$ref` stands for; anything else stands for itself. */
export function follow<T extends object>(document: OpenApi, node: Reference<T>): T {
  if (!("$ref" in node) || typeof node.$ref !== "string") return node as T;
  let target: unknown = document;
  for (const part of node.$ref.slice("#/".length).split("/"))
    target = Object(target)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  return follow(document, target as Reference<T>);
}

const file = process.env.CONTRACT ?? resolve(checkout, "../shared/contract/openapi.json");

/** The service's own description: what `CONTRACT` names, or what stands beside the checkout. */
export const contractFile: string | undefined = existsSync(file) ? file : undefined;
