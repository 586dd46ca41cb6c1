import { Ajv2020, type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { propertiesOf } from "./compare";
import { uriTemplate } from "./deviations";
import { follow, type JsonSchema, type OpenApi, type Operation, operationsOf, type ParameterNode } from "./document";

export interface Exchange {
  readonly operationId: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when there is none, text when it is not JSON. */
  readonly answer: unknown;
}

const DOCUMENT = "openapi";

/** Holds requests and answers against an OpenAPI document. */
export class Validator {
  readonly operations: ReadonlyMap<string, Operation>;
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly compiled = new Map<JsonSchema, ValidateFunction>();

  constructor(readonly document: OpenApi) {
    this.operations = operationsOf(document);
    addFormats(this.ajv);
    this.ajv.addFormat("uri", uriTemplate);
    this.ajv.addSchema(prepared(document), DOCUMENT);
  }

  /** What the document's request schemas have against a request. */
  requestErrors({ operationId, query, body }: Exchange): string[] {
    const operation = this.operation(operationId);
    const queryErrors = Object.entries(query).flatMap(([name, text]) => {
      const parameter = operation.query.find((each) => each.name === name);
      if (parameter === undefined) return [`unknown query parameter ${name}`];
      return this.errors(parameter.schema, this.parsed(parameter, text), `query ${name}`);
    });
    return [...queryErrors, ...(operation.body ? this.errors(operation.body, body ?? null, "body") : [])];
  }

  /** Whether the document names this status, rather than leaving it to `default`. */
  namesStatus({ operationId, status }: Exchange): boolean {
    return this.operation(operationId).responses.has(String(status));
  }

  /** What the document has against an answer: headers, content type, schema, and properties that it does not know. */
  answerErrors({ operationId, status, headers, answer }: Exchange): string[] {
    const { responses } = this.operation(operationId);
    const response = responses.get(String(status)) ?? responses.get("default");
    if (response === undefined) return [`status ${status} is not described`];
    const missing = Object.keys(response.headers ?? {}).filter((name) => !headers.has(name));
    const errors = missing.map((name) => `header ${name} is missing`);
    const [described] = Object.entries(response.content ?? {});
    if (described === undefined) return answer === undefined ? errors : [...errors, "there should be no body"];
    const [contentType, { schema }] = described;
    if (headers.get("content-type")?.split(";")[0] !== contentType)
      errors.push(`content type is ${headers.get("content-type")}, not ${contentType}`);
    return [...errors, ...this.errors(schema, answer, "answer"), ...this.undeclared(schema, answer)];
  }

  private operation(id: string): Operation {
    const operation = this.operations.get(id);
    if (operation === undefined) throw new Error(`there is no operation ${id} in the document`);
    return operation;
  }

  private errors(schema: JsonSchema, value: unknown, where: string): string[] {
    let validate = this.compiled.get(schema);
    if (validate === undefined) {
      validate = this.ajv.compile(prepared(schema));
      this.compiled.set(schema, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${where}${instancePath} ${message}`);
  }

  /** A query value as its schema wants it; what does not look right stays text for the schema to refuse. */
  private parsed({ schema }: ParameterNode, text: string): unknown {
    const { type } = follow(this.document, schema);
    if (type === "array") return text.split(",");
    if (type === "integer" && /^-?\d+$/.test(text)) return Number(text);
    if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
    return text;
  }

  /** Properties of an answer that its schema does not name, though it does not forbid them either. */
  private undeclared(schema: JsonSchema, answer: unknown): string[] {
    const declared = [...propertiesOf(this.document, schema, "answer").keys()];
    const look = (value: unknown, at: string): string[] => {
      if (Array.isArray(value)) return value.flatMap((item) => look(item, `${at}[]`));
      const isFreeForm = !declared.some((path) => path.startsWith(`${at}.`));
      if (typeof value !== "object" || value === null || isFreeForm) return [];
      return Object.entries(value).flatMap(([name, inner]) =>
        declared.includes(`${at}.${name}`) ? look(inner, `${at}.${name}`) : [`${at}.${name} is not in the schema`],
      );
    };
    return look(answer, "answer");
  }
}

/**
 * A document, or a part of it, as Ajv can take it. References start at the document's root, which a part alone has lost.
 * A condition beside `unevaluatedProperties` moves into `allOf`, where it means the same: when it fails, Ajv forgets
 * what the keywords beside it have evaluated.
 */
function prepared<T>(node: T): T {
  return JSON.parse(JSON.stringify(node), (key, value) => {
    if (key === "$ref" && typeof value === "string") return value.replace(/^#/, `${DOCUMENT}#`);
    if (Object(value).if === undefined || !("unevaluatedProperties" in value)) return value;
    const { if: condition, then: consequence, allOf = [], ...rest } = value;
    // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's
    return { ...rest, allOf: [...allOf, { if: condition, then: consequence }] };
  });
}
