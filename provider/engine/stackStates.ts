import { z } from "zod";
import { parseJson } from "../../common/json";
import { textsIn } from "../lifecycle/fields/values";
import type { Holder } from "../lifecycle/run";
import { pulumi } from "./pulumiCommand";

const Resource = z.object({ id: z.string().optional(), outputs: z.record(z.string(), z.unknown()).default({}) });
export type Recorded = z.output<typeof Resource>[];

/** The resources in what `pulumi stack export` prints. Before its first run a stack has no deployment. */
export const Exported = z
  .object({ deployment: z.object({ resources: z.array(Resource).default([]) }).nullable() })
  .transform(({ deployment }): Recorded => deployment?.resources ?? []);

const Stacks = z.array(z.object({ name: z.string(), resourceCount: z.number().optional() }));

/** How long the engine's command line may take to show this stack's state, and those of the others. */
const PATIENCE_MS = { own: 20_000, others: 60_000 };
const AT_ONCE = 4;

/**
 * Ids of the resources in a state, with those that a fleet or a cluster records of its members. An id in an output of the
 * stack, or in another resource's arguments, does not count.
 */
export function idsIn(resources: Recorded): Set<string> {
  const own = resources.flatMap(({ id, outputs: { ids, templateIds, podIds } }) =>
    id === undefined ? [] : [id, ...textsIn([ids, templateIds, podIds])],
  );
  return new Set(own);
}

/**
 * Finds out which stack of the project has an id. Providers are not shown states, so the engine's command line is asked: for
 * this stack's state, and only if that lacks the id, for the others'. Each is read once in a run. That takes about a second
 * a state, so it is only for questions that nothing else answers.
 *
 * @param address of the engine, which knows the stack's name
 */
export function holderFinder(address: string | undefined, signal: AbortSignal): (id: string) => Promise<Holder> {
  const stack = address === undefined ? Promise.resolve(undefined) : stackName(address);
  let own: Promise<Set<string>> | undefined;
  let others: Promise<Others> | undefined;
  return async (id) => {
    const name = await stack;
    if (name === undefined) return { by: "unknown", isOwnRead: false };
    own ??= exported(name, within(signal, PATIENCE_MS.own));
    const recorded = await own.catch(() => undefined);
    if (recorded === undefined) return { by: "unknown", isOwnRead: false };
    if (recorded.has(id)) return { by: "this stack" };
    others ??= readOthers(name, within(signal, PATIENCE_MS.others));
    const { read, areAllRead } = await others;
    const holder = [...read].find(([, ids]) => ids.has(id));
    if (holder !== undefined) return { by: "another stack", stack: holder[0] };
    return areAllRead ? { by: "no stack" } : { by: "unknown", isOwnRead: true };
  };
}

interface Others {
  /** Ids by the stack's name. */
  readonly read: ReadonlyMap<string, Set<string>>;
  readonly areAllRead: boolean;
}

async function readOthers(own: string, signal: AbortSignal): Promise<Others> {
  const read = new Map<string, Set<string>>();
  try {
    const listed = Stacks.parse(parseJson(await pulumi(["stack", "ls", "--json"], { signal })));
    // A stack of another organization has the name `organization/stack`.
    const isOther = (name: string) => name !== own && !name.endsWith(`/${own}`);
    const left = listed.filter(({ name, resourceCount }) => isOther(name) && resourceCount !== 0);
    let areAllRead = true;
    const readNext = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const ids = await exported(next.name, signal).catch(() => undefined);
        if (ids === undefined) areAllRead = false;
        else read.set(next.name, ids);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readNext));
    return { read, areAllRead };
  } catch {
    return { read, areAllRead: false };
  }
}

async function exported(stack: string, signal: AbortSignal): Promise<Set<string>> {
  const text = await pulumi(["stack", "export", "--stack", stack], { signal });
  return idsIn(Exported.parse(parseJson(text)));
}

const within = (signal: AbortSignal, ms: number) => AbortSignal.any([signal, AbortSignal.timeout(ms)]);

/** The name in the URN of the stack itself, `urn:pulumi:<stack>::<project>::…`. */
function stackName(address: string): Promise<string | undefined> {
  const { EngineClient } =
    require("@pulumi/pulumi/proto/engine_grpc_pb") as typeof import("@pulumi/pulumi/proto/engine_grpc_pb");
  const { GetRootResourceRequest } =
    require("@pulumi/pulumi/proto/engine_pb") as typeof import("@pulumi/pulumi/proto/engine_pb");
  const { credentials } = require("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
  const client = new EngineClient(address, credentials.createInsecure());
  return new Promise((resolve) => {
    client.getRootResource(new GetRootResourceRequest(), (error, answer) => {
      client.close();
      resolve(error === null ? /^urn:pulumi:(.+?)::/.exec(answer.getUrn())?.[1] : undefined);
    });
  });
}
