import { ContractError } from "../errors";
import type { CallOptions } from "../options";
import type { Reconcile } from "../outcomes/retry";
import type { ServerlessCalls } from "../rest/serverless";
import type { SavedEndpoint } from "../schemas/savedEndpoints";
import { about, readTolerantly } from "../values/tolerant";
import { confirmEndpoints } from "./confirmEndpoints";
import * as documents from "./documents";
import type { Graphql, GraphqlData } from "./graphql";
import { type EndpointInput, KIND, ShownEndpoint, shown } from "./mapping";

/** How calls about endpoints are sent: each in its own document, or several in one. */
export interface EndpointCalls {
  /** @param reconcile finds out whether the create was done, when its answer is lost */
  create(input: EndpointInput, reconcile: Reconcile<SavedEndpoint>, options: CallOptions): Promise<SavedEndpoint>;
  /** Saves an existing endpoint. */
  replace(input: EndpointInput, options: CallOptions): Promise<SavedEndpoint>;
  /**
   * @param scaledDown the endpoint as it is saved before
   * @throws GraphqlError also when the endpoint is already deleted
   */
  delete(id: string, scaledDown: EndpointInput | undefined, options: CallOptions): Promise<void>;
  /** Undefined when the service says that it does not exist. */
  find(id: string, options?: CallOptions): Promise<SavedEndpoint | undefined>;
}

/**
 * The service answers `null`. Another GraphQL server, or a health page, has no such field.
 *
 * @throws ContractError
 */
function provesDeletion({ deleteEndpoint }: GraphqlData): void {
  if (deleteEndpoint !== undefined) return;
  const message =
    "Endpoint: the answer does not say that it is deleted, so nothing counts as deleted. Check graphqlUrl.";
  throw new ContractError(message, { kind: KIND, path: "deleteEndpoint" });
}

/** The answer to a save, which does not show FlashBoot. @throws ContractError */
export function savedAs({ id, flashBootType }: EndpointInput, answer: unknown): SavedEndpoint {
  return shown({ flashBootType, ...readTolerantly(ShownEndpoint, answer, { kind: KIND, id }) });
}

/** Sends every call in its own document. */
export function singleCalls(graphql: Graphql, rest: ServerlessCalls): EndpointCalls {
  const save = (input: EndpointInput, reconcile: Reconcile<SavedEndpoint> | undefined, options: CallOptions) => {
    const { id } = input;
    const call = {
      ...options,
      class: id === undefined ? "create" : "repeatable",
      operation: "saveEndpoint",
      kind: KIND,
      id,
      document: documents.saveEndpoint,
      variables: { input },
    } as const;
    // An answer without the endpoint and without an error counts as lost.
    const read = ({ saveEndpoint }: GraphqlData) => {
      const saved = savedAs(input, saveEndpoint);
      return id === undefined ? saved : about(KIND, id, saved);
    };
    return graphql.call(call, read, reconcile);
  };
  return {
    create: save,
    replace: (input, options) => save(input, undefined, options),
    delete: async (id, scaledDown, options) => {
      if (scaledDown !== undefined) await save(scaledDown, undefined, options);
      const call = { operation: "deleteEndpoint", class: "repeatable", document: documents.deleteEndpoint } as const;
      await graphql.call({ ...call, kind: KIND, id, variables: { id }, ...options }, provesDeletion);
    },
    find: async (id, options) => {
      const [read] = await confirmEndpoints(graphql, rest, [id], options);
      if (read instanceof Error) throw read;
      return read;
    },
  };
}
