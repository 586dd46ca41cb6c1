import { z } from "zod";
import type { CreateOptions } from "../create";
import { timeLeft } from "../deadline";
import { GraphqlError, NotFoundError } from "../errors";
import { type CallOptions, splitOptions } from "../options";
import type { serverless } from "../rest/serverless";
import { SavedEndpoint, type SaveEndpointInput, ServerlessDiscount } from "../schemas/savedEndpoints";
import type { Endpoint } from "../schemas/serverless";
import { describe } from "../statuses";
import { readPage, readTolerantly } from "../tolerant";
import { confirmEndpoints } from "./confirmEndpoints";
import * as documents from "./documents";
import { type EndpointCalls, singleCalls } from "./endpointCalls";
import type { Graphql } from "./graphql";

const KIND = "Endpoint";
const Listed = z.object({ endpoints: z.array(SavedEndpoint) });
const Account = z.object({ serverlessDiscount: ServerlessDiscount.nullable() });

/**
 * Serverless endpoints over GraphQL.
 *
 * @param rest the same endpoints over REST, which has what GraphQL lacks: a 404, and a list without a cap
 * @param calls how writes and single reads are sent
 */
export function endpoints(
  graphql: Graphql,
  rest: ReturnType<typeof serverless>,
  calls: EndpointCalls = singleCalls(graphql, rest),
) {
  const list = async (options: CallOptions = {}) => {
    const call = { operation: "myself", class: "repeatable", kind: KIND, document: documents.listEndpoints } as const;
    const { myself } = await graphql.call({ ...call, ...options });
    return [...readPage<z.infer<typeof SavedEndpoint>>(Listed, myself, "endpoints", { kind: KIND }).items];
  };

  const confirm = (ids: readonly string[], options?: CallOptions) => confirmEndpoints(graphql, rest, ids, options);
  const reads = graphql.windows.share({ kind: KIND, list: () => list(), confirm: (ids) => confirm(ids) });

  const { find } = calls;
  const get = async (id: string, options?: CallOptions) => {
    const read = await find(id, options);
    if (read !== undefined) return read;
    const facts = { kind: KIND, id, status: 404, title: "Not Found" };
    throw new NotFoundError(describe(facts, "Check the id, or refresh the stack if it was deleted elsewhere."), facts);
  };

  const create = (input: SaveEndpointInput, { uniqueName = false, ...options }: CreateOptions) =>
    graphql.creator.create<SavedEndpoint, Endpoint>({
      kind: KIND,
      name: input.name,
      nameTells: uniqueName,
      options,
      list: (looking) => rest.list(looking),
      adopt: ({ id }, left) => get(id, left),
      send: (reconcile, left) => calls.create(input, reconcile, left),
    });

  return {
    /** The account's endpoints; the service shows the 400 oldest. */
    list,
    /** A read of its own. @throws NotFoundError */
    get,
    /** The same; undefined when the service says that it does not exist. */
    find,
    /** A shared read; undefined when the service says that it does not exist. */
    read: (id: string, options?: CallOptions) => reads.read(id, options),
    /** Creates, or with an id replaces as a whole: what the input leaves out goes back to the service's default. */
    save: (input: SaveEndpointInput, options: CreateOptions = {}) =>
      graphql.windows.during(KIND, () =>
        input.id === undefined ? create(input, options) : calls.replace(input, splitOptions(options).options),
      ),
    /** Resolves when it is gone, also when it was gone before. The service refuses while its workers are not 0. */
    delete: (id: string, options: CallOptions = {}) =>
      graphql.windows.during(KIND, async () => {
        const left = timeLeft(options, graphql.transport.clock, { kind: KIND, id });
        try {
          await calls.delete(id, left());
        } catch (error) {
          // GraphQL refuses to delete what is gone in words only; a read tells this refusal from the others.
          if (!(error instanceof GraphqlError) || (await find(id, left())) !== undefined) throw error;
        }
      }),
    /** The account's discount on serverless prices, if it has one. */
    serverlessDiscount: async (options: CallOptions = {}) => {
      const call = {
        operation: "myself",
        class: "repeatable",
        kind: KIND,
        document: documents.serverlessDiscount,
      } as const;
      const { myself } = await graphql.call({ ...call, ...options });
      return readTolerantly(Account, myself, { kind: "ServerlessDiscount" }).serverlessDiscount ?? null;
    },
  };
}
