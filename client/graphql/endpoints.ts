import { z } from "zod";
import { timeLeft } from "../calls/deadline";
import { ContractError, GraphqlError, RetiredError } from "../errors";
import { type CallOptions, splitOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { shownByRest } from "../rest/endpointMapping";
import { type EndpointInterface, existing } from "../rest/endpoints";
import type { ServerlessCalls } from "../rest/serverless";
import { type EndpointChange, SavedEndpoint, SaveEndpointInput, ServerlessDiscount } from "../schemas/savedEndpoints";
import type { Endpoint } from "../schemas/serverless";
import { checkedRequest } from "../values/request";
import { readPage, readTolerantly } from "../values/tolerant";
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
 * @param rest the same endpoints over REST, which has what GraphQL lacks: a 404, and an uncapped list
 * @param calls how writes and single reads are sent
 */
export function endpoints(
  graphql: Graphql,
  rest: ServerlessCalls,
  calls: EndpointCalls = singleCalls(graphql, rest),
): EndpointInterface {
  const list = async (options: CallOptions = {}) => {
    const call = { operation: "myself", class: "repeatable", kind: KIND, ...documents.listEndpoints } as const;
    const page = await graphql.call({ ...call, ...options }, ({ myself }) =>
      readPage<z.infer<typeof SavedEndpoint>>(Listed, myself, "endpoints", { kind: KIND }),
    );
    return [...page.items];
  };

  const confirm = (ids: readonly string[], options?: CallOptions) => confirmEndpoints(graphql, rest, ids, options);
  const reads = graphql.windows.share({ kind: KIND, list: () => list(), confirm: (ids) => confirm(ids) });

  const { find } = calls;

  const create = (input: SaveEndpointInput, { uniqueName = false, onLost, ...options }: CreateOptions) =>
    graphql.creator.create<SavedEndpoint, Endpoint>({
      kind: KIND,
      name: input.name,
      nameIdentifies: uniqueName,
      options,
      onLost,
      list: (looking) => rest.list(looking),
      adopt: async (listed, remaining) => {
        try {
          return existing(listed.id, await find(listed.id, remaining));
        } catch (error) {
          // The service has ended GraphQL in the meantime.
          if (error instanceof RetiredError) return shownByRest(listed);
          throw error;
        }
      },
      send: (reconcile, remaining) => calls.create(input, reconcile, remaining),
    });

  return {
    list,
    find,
    read: (id: string, options?: CallOptions) => reads.read(id, options),
    create: (input, options) => graphql.windows.during(KIND, undefined, () => create(input, options)),
    replace: (id, input, options) =>
      graphql.windows.during(KIND, id, async () => {
        return calls.replace(wholeOf(id, input), splitOptions(options).options);
      }),
    delete: (id, { scaledDown, ...options }) =>
      graphql.windows.during(KIND, id, async () => {
        const remaining = timeLeft(splitOptions(options).options, graphql.transport.clock, { kind: KIND, id });
        const first = scaledDown && wholeOf(id, scaledDown);
        try {
          await calls.delete(id, first, remaining());
        } catch (error) {
          // GraphQL's refusal to delete a missing endpoint differs from other refusals only in its text, so a read decides.
          const says = error instanceof GraphqlError || error instanceof ContractError;
          if (!says || (await find(id, remaining())) !== undefined) throw error;
        }
      }),
  };
}

const wholeOf = (id: string, input: EndpointChange) => checkedRequest(SaveEndpointInput, { ...input, id }, KIND);

/** The account's discount on serverless prices; null where it has none. Only GraphQL shows it. */
export async function serverlessDiscount(graphql: Graphql, options: CallOptions = {}) {
  const call = {
    operation: "myself",
    class: "repeatable",
    kind: KIND,
    document: documents.serverlessDiscount,
  } as const;
  const account = await graphql.call({ ...call, ...options }, ({ myself }) =>
    readTolerantly(Account, myself, { kind: "ServerlessDiscount" }),
  );
  return account.serverlessDiscount ?? null;
}
