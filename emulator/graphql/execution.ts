import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ASTVisitor,
  buildSchema,
  type DocumentNode,
  defaultFieldResolver,
  execute,
  GraphQLError,
  getNullableType,
  getOperationAST,
  isTypeSubTypeOf,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  typeFromAST,
  type ValidationContext,
  VariablesInAllowedPositionRule,
  validate,
  visit,
} from "graphql";
import { Problem } from "../problem";
import type { Settings } from "../settings";

const schema = buildSchema(readFileSync(join(__dirname, "schema.graphql"), "utf8"));

export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Record<string, unknown> | null;
  readonly operationName?: string | null;
}

export interface GraphqlAnswer {
  readonly status: 200 | 400;
  readonly body: { readonly data?: unknown; readonly errors?: readonly { readonly message: string }[] };
}

/** The code of every error that a resolver raised. */
const RESOLVER_CODE = "RUNPOD";

/**
 * The standard's rules, except one. Real clients declare variables as nullable (`$input: SaveTemplateInput`) where the schema
 * requires a value, and the service accepts that. If the value is null, the field that gets it fails.
 */
const RULES = [
  ...specifiedRules.filter((rule) => rule !== VariablesInAllowedPositionRule),
  NoSchemaIntrospectionCustomRule,
  variablesFit,
];

function variablesFit(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition: {
      leave(operation) {
        const declared = new Map(operation.variableDefinitions?.map((each) => [each.variable.name.value, each.type]));
        for (const { node, type } of context.getRecursiveVariableUsages(operation)) {
          const declaredType = declared.get(node.name.value);
          const [actual, wanted] = [declaredType && typeFromAST(schema, declaredType), getNullableType(type)];
          if (actual && wanted && !isTypeSubTypeOf(schema, getNullableType(actual), wanted))
            context.reportError(
              new GraphQLError(
                `Variable "$${node.name.value}" of type "${actual}" used in position expecting type "${type}".`,
                { nodes: [node] },
              ),
            );
        }
      },
    },
  };
}

type Prepared =
  | { readonly document: DocumentNode; readonly refusal?: never }
  | { readonly document?: never; readonly refusal: GraphqlAnswer };

const MOST_PREPARED = 200;
/** Far more than any client sends. */
const MOST_TOKENS = 5000;
const TOO_DEEP = new GraphQLError("Syntax Error: the document is nested too deeply.");

/** Keeps documents as they were read, because clients send the same few again and again. */
export class Documents {
  private readonly prepared = new Map<string, Prepared>();

  prepare(query: string): Prepared {
    const cached = this.prepared.get(query);
    if (cached !== undefined) return cached;
    const fresh = read(query);
    if (this.prepared.size >= MOST_PREPARED) this.prepared.clear();
    this.prepared.set(query, fresh);
    return fresh;
  }
}

/** Answers a call. A document with a syntax error, against the schema or with wrong variables is a 400; any other is a 200. */
export async function answer(
  documents: Documents,
  { query, variables, operationName }: GraphqlRequest,
  rootValue: unknown,
  { graphqlMostMutations: mostMutations, graphqlLacks, graphqlForbids }: Settings,
): Promise<GraphqlAnswer> {
  const { document, refusal } = documents.prepare(query);
  if (document === undefined) return refusal;
  const operation = getOperationAST(document, operationName);
  if (operation?.operation === "mutation" && operation.selectionSet.selections.length > mostMutations) {
    const message = `Syntax Error: a document may ask for ${mostMutations} mutations at most.`;
    return refusalOf([new GraphQLError(message)], "GRAPHQL_VALIDATION_FAILED");
  }
  const lacking = graphqlLacks.find((name) => selects(document, name));
  if (lacking !== undefined)
    return refusalOf([new GraphQLError(`Cannot query field "${lacking}".`)], "GRAPHQL_VALIDATION_FAILED");
  const { data, errors = [] } = await execute({
    schema,
    document,
    rootValue,
    variableValues: variables ?? null,
    operationName: operationName ?? null,
    fieldResolver: (source, args, context, info) => {
      if (graphqlForbids.includes(info.fieldName)) throw new GraphQLError("Not authorized");
      return defaultFieldResolver(source, args, context, info);
    },
  });
  if (data === undefined) return refusalOf(errors, "BAD_USER_INPUT");
  return { status: 200, body: { data, ...(errors.length > 0 && { errors: errors.map(resolverError) }) } };
}

function selects(document: DocumentNode, field: string): boolean {
  let isSelected = false;
  visit(document, {
    Field: ({ name }) => {
      isSelected ||= name.value === field;
    },
  });
  return isSelected;
}

/** The fields of a document, such as `saveEndpoint+deleteEndpoint`, and its type of operation. */
export function operationIn(
  documents: Documents,
  { query, operationName }: GraphqlRequest,
): { field: string; type: string } | undefined {
  const { document } = documents.prepare(query);
  const operation = document && getOperationAST(document, operationName);
  const fields = operation?.selectionSet.selections.flatMap((each) => (each.kind === "Field" ? [each.name.value] : []));
  if (operation === undefined || operation === null || fields === undefined || fields.length === 0) return undefined;
  return { field: [...new Set(fields)].join("+"), type: operation.operation };
}

function read(query: string): Prepared {
  try {
    const document = parse(query, { maxTokens: MOST_TOKENS });
    const broken = validate(schema, document, RULES);
    return broken.length === 0 ? { document } : { refusal: refusalOf(broken, "GRAPHQL_VALIDATION_FAILED") };
  } catch (error) {
    // A deeply nested document overflows the parser's stack.
    if (error instanceof RangeError) return { refusal: refusalOf([TOO_DEEP], "GRAPHQL_PARSE_FAILED") };
    if (error instanceof GraphQLError) return { refusal: refusalOf([error], "GRAPHQL_PARSE_FAILED") };
    throw error;
  }
}

const refusalOf = (errors: readonly GraphQLError[], code: string): GraphqlAnswer => ({
  status: 400,
  body: {
    errors: errors.map(({ message, locations }) => ({
      message,
      ...(locations && { locations }),
      extensions: { code },
    })),
  },
});

function resolverError({ message, path, originalError }: GraphQLError) {
  const isRefusal = originalError instanceof Problem || originalError instanceof GraphQLError;
  if (originalError !== undefined && !isRefusal)
    console.error("computecloud-emulator: a resolver failed", originalError);
  return { message, path, extensions: { code: RESOLVER_CODE } };
}
