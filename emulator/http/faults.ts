import { z } from "zod";
import type { Interface } from "./requestLog";

const YEAR_MS = 365 * 86_400_000;

const act = z.union([
  /** Answers at once, without doing the work. A string body is sent unchanged, so it may be broken JSON. */
  z.strictObject({
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.unknown().optional(),
  }),
  /** Answers later, in real time. */
  z.strictObject({ delayMs: z.int().min(0).max(3_600_000) }),
  /** Closes the connection before or after the work was done. */
  z.strictObject({ drop: z.enum(["before", "after"]) }),
  /** Closes the connection at once, and does the work so much later, by the emulator's clock, as a gateway may. */
  z.strictObject({ lateMs: z.int().min(0).max(YEAR_MS) }),
  /** Does the work, and cuts off the answer in the middle. */
  z.strictObject({ truncate: z.literal(true) }),
  /** Does the work and answers with a body that is not JSON. */
  z.strictObject({ malformed: z.literal(true) }),
  /** GraphQL: status 200 with these errors, without doing the work. */
  z.strictObject({ graphqlErrors: z.array(z.looseObject({ message: z.string().optional() })).min(1) }),
  /** Placing a pod or worker on this GPU type (and in this data center) finds no capacity. */
  z.strictObject({
    capacity: z.strictObject({ gpuTypeId: z.string().optional(), dataCenterId: z.string().optional() }),
  }),
  /** Eventual consistency: what this call creates cannot be read for so long, by the emulator's clock. */
  z.strictObject({ staleMs: z.int().min(1).max(YEAR_MS) }),
]);

export const faultSchema = z.strictObject({
  match: z
    .strictObject({
      /** `webhook`: the emulator's own calls. Only faults with this value apply to them. */
      interface: z.enum(["rest", "graphql", "queue", "endpoint", "pod", "webhook"]).optional(),
      method: z.string().optional(),
      /** Exact, or a prefix ending in `*`, without the query. */
      path: z.string().optional(),
      operation: z.string().optional(),
      /** The first match that fails, from 1. */
      nth: z.int().min(1).default(1),
      /** How many matches fail from there on. */
      times: z.int().min(1).default(1),
    })
    .prefault({}),
  act,
});

export type Fault = z.output<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;
export type Act = Fault["act"];
type CapacityAct = Extract<Act, { capacity: unknown }>;

/** A call as faults match it. */
export interface Matchable {
  readonly interface: Interface | "webhook";
  readonly method: string;
  readonly path: string;
  readonly operation: string;
}

export class Faults {
  private armed: { readonly fault: Fault; seen: number }[] = [];

  add(fault: Fault): void {
    this.armed.push({ fault, seen: 0 });
  }

  clear(): void {
    this.armed = [];
  }

  list(): readonly { readonly fault: Fault; readonly seen: number }[] {
    return this.armed;
  }

  /** The acts of the faults that apply to this call. Every matching fault counts the call. */
  take(call: Matchable): Act[] {
    return this.fire((fault) => !("capacity" in fault.act) && matches(fault.match, call));
  }

  /** Whether placing on this GPU type in this data center must find no capacity; counts one attempt. */
  takesCapacity(call: Matchable, gpuTypeId: string | undefined, dataCenterId: string): boolean {
    const applies = ({ capacity }: CapacityAct) =>
      (capacity.gpuTypeId === undefined || capacity.gpuTypeId === gpuTypeId) &&
      (capacity.dataCenterId === undefined || capacity.dataCenterId === dataCenterId);
    return this.fire(({ match, act }) => "capacity" in act && matches(match, call) && applies(act)).length > 0;
  }

  private fire(concerns: (fault: Fault) => boolean): Act[] {
    return this.armed
      .filter(({ fault }) => concerns(fault))
      .filter((armed) => {
        armed.seen += 1;
        const { nth, times } = armed.fault.match;
        return armed.seen >= nth && armed.seen < nth + times;
      })
      .map(({ fault }) => fault.act);
  }
}

function matches(match: Fault["match"], call: Matchable): boolean {
  return (
    (match.interface === undefined ? call.interface !== "webhook" : match.interface === call.interface) &&
    (match.method === undefined || match.method.toUpperCase() === call.method) &&
    (match.operation === undefined || call.operation.split("+").includes(match.operation)) &&
    (match.path === undefined || matchesPath(match.path, call.path))
  );
}

function matchesPath(pattern: string, path: string): boolean {
  const [bare = ""] = path.split("?");
  return pattern.endsWith("*") ? bare.startsWith(pattern.slice(0, -1)) : bare === pattern;
}
