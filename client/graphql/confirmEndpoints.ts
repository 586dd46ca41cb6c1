import { isRecord } from "../../common/json";
import { timeLeft } from "../calls/cancellation";
import { each } from "../calls/gathered";
import { GraphqlError } from "../errors";
import type { CallOptions } from "../options";
import type { ServerlessCalls } from "../rest/serverless";
import type { SavedEndpoint } from "../schemas/savedEndpoints";
import { readTolerantly } from "../values/tolerant";
import { endpointsById } from "./documents";
import { type Graphql, graphqlError } from "./graphql";
import { KIND, ShownEndpoint, shown } from "./mapping";

/** Endpoints read in one call: enough for fleets, but within common limits on the size of a query. */
const READS_PER_CALL = 100;

const OPERATION = "endpoint";

type Read = SavedEndpoint | undefined | Error;

/**
 * Reads endpoints by id, many in one call: the endpoint, undefined when it is deleted, or the error. GraphQL reports a missing
 * endpoint only in the text of an error, so REST is asked too, which answers 404.
 */
export async function confirmEndpoints(
  graphql: Graphql,
  rest: ServerlessCalls,
  ids: readonly string[],
  options: CallOptions = {},
): Promise<Read[]> {
  const groups = Array.from({ length: Math.ceil(ids.length / READS_PER_CALL) }, (_, index) =>
    ids.slice(index * READS_PER_CALL, (index + 1) * READS_PER_CALL),
  );
  return (await Promise.all(groups.map((group) => readGroup(graphql, rest, group, options)))).flat();
}

async function readGroup(
  graphql: Graphql,
  rest: ServerlessCalls,
  ids: readonly string[],
  options: CallOptions,
): Promise<Read[]> {
  const [only] = ids.length === 1 ? ids : [];
  const remaining = timeLeft(options, graphql.transport.clock, { kind: KIND, id: only });
  const reply = await graphql.exchange({
    operation: OPERATION,
    class: "repeatable",
    kind: KIND,
    id: only,
    ...endpointsById(ids.length),
    variables: Object.fromEntries(ids.map((id, index) => [`id${index}`, id])),
    ...remaining(),
  });
  if (reply.problems.length === 0 && isRecord(reply.data) && reply.data.myself === null)
    throw graphql.unknownKey({ kind: KIND }, reply);
  const myself = isRecord(reply.data) && isRecord(reply.data.myself) ? reply.data.myself : undefined;
  const problemOf = (index: number) => reply.problems.find(({ path }) => path[1] === `e${index}`);
  const broken = reply.problems.find(({ path }) => path[1] === undefined);
  if (broken !== undefined || (myself === undefined && reply.problems.length === 0)) {
    throw graphqlError({ operation: OPERATION, kind: KIND }, reply.requestId(), broken);
  }
  const readOne = async (id: string, index: number): Promise<SavedEndpoint | undefined> => {
    const facts = { operation: OPERATION, kind: KIND, id, requestId: reply.requestId() };
    const problem = problemOf(index);
    if (problem === undefined && myself === undefined) {
      // Another endpoint's error may have emptied the whole answer, so this one is read again by itself.
      const [read] = await readGroup(graphql, rest, [id], remaining());
      if (read instanceof Error) throw read;
      return read;
    }
    const value = myself?.[`e${index}`];
    if (problem === undefined && value !== null) return shown(readTolerantly(ShownEndpoint, value, facts));
    if ((await rest.find(id, remaining())) === undefined) return undefined;
    throw problem === undefined
      ? new GraphqlError(`Endpoint ${id}: GraphQL shows nothing.`, facts)
      : graphqlError(facts, reply.requestId(), problem);
  };
  return each(ids, readOne);
}
