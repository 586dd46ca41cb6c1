import { z } from "../../common/zod";
import { timeLeft } from "../calls/cancellation";
import { ContractError, GraphqlError, RetiredError } from "../errors";
import { type CallOptions, splitOptions } from "../options";
import type { Creation } from "../outcomes/create";
import { type EndingInterface, existing } from "../rest/endpoints";
import { fromRest } from "../rest/savedEndpoints";
import type { ServerlessCalls } from "../rest/serverless";
import { type SavedEndpoint, ServerlessDiscount } from "../schemas/savedEndpoints";
import type { Endpoint } from "../schemas/serverless";
import { readPage, readTolerantly } from "../values/tolerant";
import * as documents from "./documents";
import { confirmEndpoints, gatheredCalls, singleCalls } from "./endpointCalls";
import type { Graphql } from "./graphql";
import { type EndpointInput, fromGraphql, inputOf, KIND, lastInputOf, ShownEndpoint } from "./mapping";

const Listed = z.object({ endpoints: z.array(ShownEndpoint) });
const Account = z.object({ serverlessDiscount: ServerlessDiscount.nullable() });

/**
 * Serverless endpoints over GraphQL.
 *
 * @param rest the same endpoints over REST, which has what GraphQL lacks: a 404, and an uncapped list
 * @param gathers several calls within a moment share a document
 */
export function endpoints(graphql: Graphql, rest: ServerlessCalls, gathers: boolean): EndingInterface {
  const single = singleCalls(graphql, rest);
  const calls = gathers ? gatheredCalls(graphql, rest, single) : single;
  const query = { operation: "myself", class: "repeatable", kind: KIND } as const;
  const list = async (options: CallOptions = {}) => {
    const page = await graphql.call({ ...query, ...documents.listEndpoints, ...options }, ({ myself }) =>
      readPage<z.infer<typeof ShownEndpoint>>(Listed, myself, "endpoints", { kind: KIND }),
    );
    return page.items.map(fromGraphql);
  };
  const confirm = (ids: readonly string[]) => confirmEndpoints(graphql, rest, ids);
  const beyond = async (listed: ReadonlyMap<string, SavedEndpoint>) =>
    confirm((await rest.list()).flatMap(({ id }) => (listed.has(id) ? [] : [id])));
  const reads = graphql.windows.share({ kind: KIND, list: () => list(), beyond, confirm });
  const { find } = calls;
  return {
    hasEnded: () => graphql.hasEnded,
    serverlessDiscount: async (options) => {
      const call = { ...query, document: documents.serverlessDiscount, ...options };
      const account = await graphql.call(call, ({ myself }) =>
        readTolerantly(Account, myself, { kind: "ServerlessDiscount" }),
      );
      return account.serverlessDiscount ?? null;
    },
    list,
    find,
    read: (id, options) => reads.read(id, options),
    create: (fields, { uniqueName = false, onLost, ...options }) => {
      const input = inputOf(fields);
      const creation = {
        kind: KIND,
        name: input.name,
        nameIdentifies: uniqueName,
        options,
        onLost,
        list: (looking: CallOptions) => rest.list(looking),
        adopt: async (listed: Endpoint, remaining: CallOptions) => {
          try {
            return existing(listed.id, await find(listed.id, remaining));
          } catch (error) {
            // The service has ended GraphQL in the meantime.
            if (error instanceof RetiredError) return fromRest(listed);
            throw error;
          }
        },
        send: (reconcile, remaining) => calls.save(input, remaining, reconcile),
      } satisfies Creation<SavedEndpoint, Endpoint>;
      return graphql.windows.during(KIND, undefined, () => graphql.creator.create(creation));
    },
    replace: async (id, fields, more) => {
      const [input, { options }] = [inputOf(fields, id), splitOptions(more)];
      try {
        return await graphql.windows.during(KIND, id, () => calls.save(input, options));
      } catch (error) {
        // Only the refusal's text says whether the endpoint is missing.
        const isRefusal = error instanceof GraphqlError && error.outcomeUnknown !== true;
        const isMissing =
          isRefusal &&
          find(id, options).then(
            (live) => live === undefined,
            () => false,
          );
        if (await isMissing) return existing(id, undefined);
        throw error;
      }
    },
    delete: (id, { scaledDown, idle, ...more }) =>
      graphql.windows.during(KIND, id, async () => {
        graphql.creator.deletes(id);
        const remaining = timeLeft(splitOptions(more).options, graphql.transport.clock, { kind: KIND, id });
        /** Resolves to GraphQL's refusal, if a read shows the endpoint: only its text says whether the endpoint is missing. */
        const refusalOf = async (first?: EndpointInput) => {
          try {
            await calls.delete(id, first, remaining());
          } catch (error) {
            const isRefusal = error instanceof GraphqlError || error instanceof ContractError;
            if (!isRefusal) throw error;
            return (await find(id, remaining())) && error;
          }
          return undefined;
        };
        const refusal = await refusalOf(scaledDown && lastInputOf(scaledDown));
        if (refusal === undefined) return;
        // The refusal has no code. It is worth a wait only if there are still workers.
        const mayWait = refusal instanceof GraphqlError && refusal.operation === "deleteEndpoint";
        if (!mayWait || (await idle?.()) !== true) throw refusal;
        const second = await refusalOf();
        if (second !== undefined) throw second;
      }),
  };
}
