import { parseJson } from "../../common/json";
import { seedOf } from "../../common/seed";
import { stackOfUrn } from "../../common/urn";
import { z } from "../../common/zod";
import { ACCOUNT } from "../lifecycle/definition";
import { textsIn } from "../lifecycle/fields/values";
import type { Holder } from "../lifecycle/run";
import { pulumi } from "./pulumiCommand";

const Resource = z.object({
  urn: z.string().default(""),
  type: z.string().default(""),
  id: z.string().optional(),
  created: z.string().optional(),
  outputs: z.record(z.string(), z.unknown()).default({}),
});
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
export const idsIn = (resources: Recorded): Set<string> => new Set(placesIn(resources).keys());

/** The same with the places in the program, as far as the state tells them. */
export function placesIn(resources: Recorded): Map<string, { readonly __seed?: unknown }> {
  return new Map(
    resources.flatMap(({ urn, id, outputs }): [string, { readonly __seed?: unknown }][] => {
      if (id === undefined) return [];
      // A dynamic resource records it. A native one's is made of its URN.
      const { ids, templateIds, podIds, __seed = seedOf(urn) } = outputs;
      return [[id, { __seed }], ...textsIn([ids, templateIds, podIds]).map((each): [string, object] => [each, {}])];
    }),
  );
}

/**
 * The states of the project's stacks. Providers are not shown states, so the engine's command line is asked: for this stack's
 * state, and only if that lacks an id, for the others'. Each is read once in a run. That takes about a second a state, so it
 * is only for questions that nothing else answers. `address` is the engine's, which knows the stack's name.
 */
export class StackStates {
  readonly #stack: Promise<string | undefined>;
  #ownState: Promise<Recorded | undefined> | undefined;
  #others: Promise<Others> | undefined;

  constructor(
    address: string | undefined,
    private readonly signal: AbortSignal,
  ) {
    this.#stack = address === undefined ? Promise.resolve(undefined) : stackName(address);
  }

  async holderOf(id: string): Promise<Holder> {
    const recorded = await this.#recorded();
    const name = await this.#stack;
    if (name === undefined || recorded === undefined) return { by: "unknown", isOwnRead: false };
    const resource = placesIn(recorded).get(id);
    if (resource !== undefined) return { by: "this stack", place: resource.__seed };
    this.#others ??= readOthers(name, within(this.signal, PATIENCE_MS.others));
    const { read, areAllRead } = await this.#others;
    const holder = [...read].find(([, ids]) => ids.has(id));
    if (holder !== undefined) return { by: "another stack", stack: holder[0] };
    return areAllRead ? { by: "no stack" } : { by: "unknown", isOwnRead: true };
  }

  /**
   * Short hashes of the accounts that this stack's resources are in; none if its state can't be read.
   *
   * @param before when this run began to create, in milliseconds since 1970: the state has that, too
   */
  async accounts(before: number): Promise<unknown[]> {
    const recorded = (await this.#recorded()) ?? [];
    const isOlder = ({ created }: Recorded[number]) => !(Date.parse(created ?? "") >= before);
    return recorded.filter(isOlder).map(({ outputs }) => outputs[ACCOUNT]);
  }

  #recorded(): Promise<Recorded | undefined> {
    this.#ownState ??= this.#stack.then((name) => {
      if (name === undefined) return undefined;
      return exported(name, within(this.signal, PATIENCE_MS.own)).catch(() => undefined);
    });
    return this.#ownState;
  }
}

interface Others {
  /** Ids by the stack's name. */
  readonly read: ReadonlyMap<string, Set<string>>;
  readonly areAllRead: boolean;
}

async function readOthers(ownStack: string, signal: AbortSignal): Promise<Others> {
  const read = new Map<string, Set<string>>();
  try {
    const listed = Stacks.parse(parseJson(await pulumi(["stack", "ls", "--json"], { signal })));
    // A stack of another organization has the name `organization/stack`.
    const isOther = (name: string) => name !== ownStack && !name.endsWith(`/${ownStack}`);
    const left = listed.filter(({ name, resourceCount }) => isOther(name) && resourceCount !== 0);
    let areAllRead = true;
    const readNext = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const recorded = await exported(next.name, signal).catch(() => undefined);
        if (recorded === undefined) areAllRead = false;
        else read.set(next.name, idsIn(recorded));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readNext));
    return { read, areAllRead };
  } catch {
    return { read, areAllRead: false };
  }
}

async function exported(stack: string, signal: AbortSignal): Promise<Recorded> {
  return Exported.parse(parseJson(await pulumi(["stack", "export", "--stack", stack], { signal })));
}

const within = (signal: AbortSignal, ms: number) => AbortSignal.any([signal, AbortSignal.timeout(ms)]);

/** The name in the URN of the stack itself. */
function stackName(address: string): Promise<string | undefined> {
  const { EngineClient, GetRootResourceRequest } = require("./engineService") as typeof import("./engineService");
  const { credentials } = require("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
  const client = new EngineClient(address, credentials.createInsecure());
  return new Promise((resolve) => {
    client.getRootResource(new GetRootResourceRequest(), (error, answer) => {
      client.close();
      resolve(error === null ? stackOfUrn(answer.getUrn()) : undefined);
    });
  });
}
