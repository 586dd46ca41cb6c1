import { isRecord } from "../../common/json";
import { timeLeft } from "../calls/cancellation";
import { each, gathered, hasAny } from "../calls/gathered";
import { BadRequestError, ComputeCloudError, ContractError, GraphqlError, ValidationError } from "../errors";
import type { CallOptions } from "../options";
import type { Reconcile } from "../outcomes/retry";
import type { ServerlessCalls } from "../rest/serverless";
import type { SavedEndpoint } from "../schemas/savedEndpoints";
import { about, readTolerantly } from "../values/tolerant";
import * as documents from "./documents";
import {
  type Graphql,
  type GraphqlCall,
  type GraphqlData,
  type GraphqlReply,
  graphqlError,
  isTransient,
} from "./graphql";
import { type EndpointInput, fromGraphql, KIND, ShownEndpoint } from "./mapping";

/** How calls about endpoints are sent: each in its own document, or several in one. */
export interface EndpointCalls {
  /**
   * Creates an endpoint, or replaces the one with the input's id.
   *
   * @param reconcile finds out whether a create was done, when its answer is lost
   */
  save(input: EndpointInput, options: CallOptions, reconcile?: Reconcile<SavedEndpoint>): Promise<SavedEndpoint>;
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

/** The answer to a save, which does not show FlashBoot and further volumes. @throws ContractError */
function savedAs({ id, flashBootType, networkVolumeIds }: EndpointInput, answer: unknown): SavedEndpoint {
  return fromGraphql({ flashBootType, networkVolumeIds, ...readTolerantly(ShownEndpoint, answer, { kind: KIND, id }) });
}

/** Sends every call in its own document. */
export function singleCalls(graphql: Graphql, rest: ServerlessCalls): EndpointCalls {
  const save = (input: EndpointInput, options: CallOptions, reconcile?: Reconcile<SavedEndpoint>) => {
    const { id } = input;
    const call = {
      ...options,
      class: id === undefined ? "create" : "repeatable",
      operation: "saveEndpoint",
      kind: KIND,
      id,
      document: documents.saveEndpoint,
      variables: { input },
      changes: () => changesOf([input]),
    } as const;
    // An answer without the endpoint and without an error counts as lost.
    const read = ({ saveEndpoint }: GraphqlData) => {
      const saved = savedAs(input, saveEndpoint);
      return id === undefined ? saved : about(KIND, id, saved);
    };
    return graphql.call(call, read, reconcile);
  };
  return {
    save,
    delete: async (id, scaledDown, options) => {
      if (scaledDown !== undefined) await save(scaledDown, options);
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
    ...documents.endpointsById(ids.length),
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
    if (problem === undefined && value !== null) return fromGraphql(readTolerantly(ShownEndpoint, value, facts));
    if ((await rest.find(id, remaining())) === undefined) return undefined;
    throw problem === undefined
      ? new GraphqlError(`Endpoint ${id}: GraphQL shows nothing.`, facts)
      : graphqlError(facts, reply.requestId(), problem);
  };
  return each(ids, readOne);
}

/** Few enough that a server that handles them in sequence answers in time, and that a lost answer affects few. */
const WRITES_PER_CALL = 25;
/** The time that each further write in a document may add to the answer. */
const WRITE_MS = 2_000;

/** The result of one field of a document. */
type FieldResult =
  | { readonly value: unknown }
  /** The service refused it and did nothing. */
  | { readonly refused: Error }
  /** The answer was lost: the service may have done it. */
  | { readonly lost: ComputeCloudError }
  /** The service did nothing, because it does not accept such a document. */
  | "unsent";

interface Delete {
  readonly id: string;
  readonly scaledDown: EndpointInput | undefined;
}

interface Save {
  readonly input: EndpointInput;
  readonly reconcile: Reconcile<SavedEndpoint> | undefined;
}

/**
 * Calls of the same moment share a document. Each has its own result: a refused field fails alone, and after a lost answer
 * each create is searched for by its own name. If the service does not accept the document, the calls are sent one by one.
 * A call with options of its own, such as a time limit, gets a document of its own.
 */
export function gatheredCalls(graphql: Graphql, rest: ServerlessCalls, single: EndpointCalls): EndpointCalls {
  const saves = (repeats: GraphqlCall["class"]) => {
    const allSaved = async (all: readonly Save[]) => {
      const inputs = all.map(({ input }) => input);
      const document = {
        operation: "saveEndpoint",
        class: repeats,
        document: documents.saveEndpoints(all.length),
        variables: Object.fromEntries(inputs.map((input, index) => [`input${index}`, input])),
        changes: () => changesOf(inputs),
      };
      const resultOf = await send(graphql, document, all.length);
      return each(all, async ({ input, reconcile }, index) => {
        const result = resultOfSave(input, resultOf(`e${index}`));
        if (result === "unsent") return single.save(input, {}, reconcile);
        if ("refused" in result) throw result.refused;
        if ("value" in result) return result.value;
        // Saving an existing endpoint is idempotent.
        if (reconcile === undefined) return single.save(input, {});
        const reconciled = await reconcile(result.lost);
        if (reconciled === undefined) throw result.lost;
        return reconciled.value;
      });
    };
    return gathered<Save, SavedEndpoint>(WRITES_PER_CALL, allSaved, ({ input, reconcile }) =>
      single.save(input, {}, reconcile),
    );
  };
  const creates = saves("create");
  const replacements = saves("repeatable");

  const allDeleted = async (all: readonly Delete[]) => {
    const variables: Record<string, unknown> = {};
    for (const [index, { id, scaledDown }] of all.entries()) {
      variables[`id${index}`] = id;
      if (scaledDown !== undefined) variables[`input${index}`] = scaledDown;
    }
    const isSaved = all.map(({ scaledDown }) => scaledDown !== undefined);
    const document = documents.deleteEndpoints(isSaved);
    // A save is not repeated blindly: it may be under the id of an endpoint that is gone by then.
    const repeats = isSaved.includes(true) ? "create" : "repeatable";
    const call = { operation: "deleteEndpoint", class: repeats, document, variables } as const;
    const resultOf = await send(graphql, call, Object.keys(variables).length);
    return each(all, async ({ id, scaledDown }, index) => {
      const result = resultOf(`e${index}`);
      if (result === "unsent") return single.delete(id, scaledDown, {});
      if ("value" in result) return;
      if (scaledDown !== undefined) {
        // Without the save, a delete is refused for its workers.
        const saved = resultOf(`s${index}`, "saveEndpoint");
        if (saved !== "unsent" && "refused" in saved) throw saved.refused;
      }
      if ("refused" in result) throw result.refused;
      // mutant saved-under-a-gone-id: true
      if ((await single.find(id)) !== undefined) await single.delete(id, scaledDown, {});
    });
  };
  const deletes = gathered<Delete, void>(WRITES_PER_CALL, allDeleted, async (one) => {
    if (one.scaledDown === undefined) return single.delete(one.id, undefined, {});
    const [failed] = await allDeleted([one]);
    if (failed instanceof Error) throw failed;
  });

  const confirm = (ids: readonly string[]) => confirmEndpoints(graphql, rest, ids);
  const finds = gathered<string, SavedEndpoint | undefined>(Infinity, confirm);

  return {
    save: async (input, options, reconcile) => {
      if (hasAny(options)) return single.save(input, options, reconcile);
      return (input.id === undefined ? creates : replacements)({ input, reconcile });
    },
    delete: (id, scaledDown, options) =>
      hasAny(options) ? single.delete(id, scaledDown, options) : deletes({ id, scaledDown }),
    find: (id, options) => (hasAny(options) ? single.find(id, options) : finds(id)),
  };
}

/** In REST's words, because a patch may meet them. */
const changesOf = (inputs: readonly EndpointInput[]) =>
  Object.fromEntries(inputs.map(({ id = "", ...input }) => [`/v2/serverless/${id}`, fromGraphql({ id, ...input })]));

type Document = Pick<GraphqlCall, "operation" | "class" | "document" | "variables" | "changes">;

/** The result of a field of a document, by its alias. */
type ResultOf = (field: string, operation?: string) => FieldResult;

/** @param writes how many fields of the document write */
async function send(graphql: Graphql, document: Document, writes: number): Promise<ResultOf> {
  const call = { ...document, kind: KIND, byField: true, heldMs: (writes - 1) * WRITE_MS } as const;
  const all = (result: FieldResult) => () => result;
  try {
    const reply = await graphql.exchange(call);
    return (field, operation = call.operation) => resultOfField(field, reply, { ...call, operation });
  } catch (error) {
    // An unreadable answer does not say what was done.
    if (error instanceof ContractError) return all({ lost: error });
    if (!(error instanceof ComputeCloudError)) throw error;
    if (error.outcomeUnknown === true) return all({ lost: error });
    if (error instanceof BadRequestError || error instanceof ValidationError) return all("unsent");
    throw error;
  }
}

function resultOfField(field: string, { data, problems, requestId }: GraphqlReply, call: GraphqlCall): FieldResult {
  const problem = problems.find(({ path }) => path[0] === field);
  if (problem !== undefined && !isTransient(problem)) return { refused: graphqlError(call, requestId(), problem) };
  const value = isRecord(data) ? data[field] : undefined;
  // Null is the answer to a delete, but also to a failed field. An error without a path may be about this field.
  const isDoubtful = value === null && problems.some(({ path }) => path.length === 0);
  // mutant failure-taken-for-done: true
  if (problem === undefined && value !== undefined && !isDoubtful) return { value };
  // By GraphQL's specification, an answer without `data` means that execution has not begun.
  if (data === undefined && problems.length > 0 && problems.every(({ path }) => path.length === 0)) return "unsent";
  const tally = { attempts: 1, elapsedMs: 0, outcomeUnknown: true };
  return { lost: graphqlError(call, requestId(), problem ?? problems[0], tally) };
}

/** An answer without the endpoint counts as lost. */
function resultOfSave(input: EndpointInput, result: FieldResult) {
  if (result === "unsent" || !("value" in result)) return result;
  try {
    return { value: savedAs(input, result.value) };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return { lost: error };
  }
}
