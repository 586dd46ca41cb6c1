import { z } from "zod";
import type { CreateOptions } from "../create";
import { GraphqlError, NotFoundError } from "../errors";
import { type CallOptions, splitOptions } from "../options";
import { checkedRequest } from "../request";
import type { serverless } from "../rest/serverless";
import { SavedEndpoint, SaveEndpointInput, ServerlessDiscount } from "../schemas/savedEndpoints";
import type { Endpoint } from "../schemas/serverless";
import { describe } from "../statuses";
import { readPage, readTolerantly } from "../tolerant";
import { confirmEndpoints } from "./confirmEndpoints";
import * as documents from "./documents";
import type { Graphql, GraphqlCall } from "./graphql";

const kind = "Endpoint";
const Listed = z.object({ endpoints: z.array(SavedEndpoint) });
const Account = z.object({ serverlessDiscount: ServerlessDiscount.nullable() });

/**
 * Serverless endpoints over GraphQL.
 *
 * @param rest the same endpoints over REST, which has what GraphQL lacks: a 404, and a list without a cap
 */
export function endpoints(graphql: Graphql, rest: ReturnType<typeof serverless>) {
  const list = async (options: CallOptions = {}) => {
    const call = { operation: "myself", class: "repeatable", kind, document: documents.listEndpoints } as const;
    const { myself } = await graphql.call({ ...call, ...options });
    return [...readPage<z.infer<typeof SavedEndpoint>>(Listed, myself, "endpoints", { kind }).items];
  };

  const confirm = (ids: readonly string[], options?: CallOptions) => confirmEndpoints(graphql, rest, ids, options);
  const reads = graphql.windows.share({ kind, list: () => list(), confirm: (ids) => confirm(ids) });

  const find = async (id: string, options?: CallOptions) => {
    const [read] = await confirm([id], options);
    if (read instanceof Error) throw read;
    return read;
  };
  const get = async (id: string, options?: CallOptions) => {
    const read = await find(id, options);
    if (read !== undefined) return read;
    const facts = { kind, id, status: 404, title: "Not Found" };
    throw new NotFoundError(describe(facts, "Check the id, or refresh the stack if it was deleted elsewhere."), facts);
  };

  const send = async (
    input: SaveEndpointInput,
    call: Pick<GraphqlCall, "class" | "reconcile" | "accept"> & CallOptions,
  ) => {
    const { saveEndpoint } = await graphql.call({
      ...call,
      operation: "saveEndpoint",
      kind,
      id: input.id,
      document: documents.saveEndpoint,
      variables: { input: checkedRequest(SaveEndpointInput, input, kind) },
    });
    return readTolerantly(SavedEndpoint, saveEndpoint, { kind, id: input.id });
  };

  const create = (input: SaveEndpointInput, { uniqueName = false, ...options }: CreateOptions) =>
    graphql.creator.create<SavedEndpoint, Endpoint>({
      kind,
      name: input.name,
      nameTells: uniqueName,
      options,
      list: (looking) => rest.list(looking),
      adopt: ({ id }) => get(id, { signal: options.signal }),
      send: (reconcile) =>
        send(input, {
          class: "create",
          ...options,
          // An answer without the endpoint is a lost one, unless it says why.
          accept: ({ saveEndpoint }) => void readTolerantly(SavedEndpoint, saveEndpoint, { kind }),
          reconcile: async (error) => {
            const found = await reconcile(error);
            return found && { value: { saveEndpoint: found.value } };
          },
        }),
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
      graphql.windows.during(kind, () =>
        input.id === undefined
          ? create(input, options)
          : send(input, { class: "repeatable", ...splitOptions(options).options }),
      ),
    /** Resolves when it is gone, also when it was gone before. The service refuses while its workers are not 0. */
    delete: (id: string, options: CallOptions = {}) =>
      graphql.windows.during(kind, () => remove(graphql, confirm, id, options)),
    /** The account's discount on serverless prices, if it has one. */
    serverlessDiscount: async (options: CallOptions = {}) => {
      const call = { operation: "myself", class: "repeatable", kind, document: documents.serverlessDiscount } as const;
      const { myself } = await graphql.call({ ...call, ...options });
      return readTolerantly(Account, myself, { kind: "ServerlessDiscount" }).serverlessDiscount ?? null;
    },
  };
}

/** GraphQL refuses to delete what is gone in words only; a read tells this refusal from the others. */
async function remove(
  graphql: Graphql,
  confirm: (ids: readonly string[]) => Promise<readonly unknown[]>,
  id: string,
  options: CallOptions,
): Promise<void> {
  const call = { operation: "deleteEndpoint", class: "repeatable", kind, document: documents.deleteEndpoint } as const;
  try {
    await graphql.call({ ...call, id, variables: { id }, ...options });
  } catch (error) {
    if (!(error instanceof GraphqlError)) throw error;
    const [read] = await confirm([id]);
    if (read !== undefined) throw error;
  }
}
