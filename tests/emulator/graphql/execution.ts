import {
  execute,
  GraphQLError,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import { Problem } from "../problem";
import { schema } from "./schema";

/** The body of a GraphQL call. */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Record<string, unknown> | null;
  readonly operationName?: string | null;
}

export interface GraphqlAnswer {
  readonly status: 200 | 400;
  readonly body: { readonly data?: unknown; readonly errors?: readonly unknown[] };
}

/** The code that every error carries which a resolver raised. */
const RESOLVER_CODE = "RUNPOD";

const RULES = [...specifiedRules, NoSchemaIntrospectionCustomRule];

/** A document that does not parse, does not fit the schema or has wrong variables is a 400; the rest is a 200. */
export async function answer(request: GraphqlRequest, rootValue: unknown): Promise<GraphqlAnswer> {
  let document: ReturnType<typeof parse>;
  try {
    document = parse(request.query);
  } catch (error) {
    if (error instanceof GraphQLError) return refusal([error], "GRAPHQL_PARSE_FAILED");
    throw error;
  }
  const broken = validate(schema, document, RULES);
  if (broken.length > 0) return refusal(broken, "GRAPHQL_VALIDATION_FAILED");
  const { data, errors = [] } = await execute({
    schema,
    document,
    rootValue,
    variableValues: request.variables ?? null,
    operationName: request.operationName ?? null,
  });
  if (data === undefined) return refusal(errors, "BAD_USER_INPUT");
  return { status: 200, body: { data, ...(errors.length > 0 && { errors: errors.map(resolverError) }) } };
}

/** The first field that a document asks for, and whether it is a mutation. */
export function operationIn({ query, operationName }: GraphqlRequest): { field: string; type: string } | undefined {
  try {
    const operation = getOperationAST(parse(query), operationName);
    const [first] = operation?.selectionSet.selections ?? [];
    return first?.kind === "Field" && operation ? { field: first.name.value, type: operation.operation } : undefined;
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

const refusal = (errors: readonly GraphQLError[], code: string): GraphqlAnswer => ({
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
  if (originalError !== undefined && !(originalError instanceof Problem))
    console.error("computecloud-emulator: a resolver failed", originalError);
  return { message, path, extensions: { code: RESOLVER_CODE } };
}
