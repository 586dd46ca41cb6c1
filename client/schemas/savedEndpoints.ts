import { z } from "../../common/zod";
import type { Tolerant } from "../values/tolerant";
import { open } from "./common";
import { CreateEndpointRequest, type Endpoint } from "./serverless";

/**
 * A serverless endpoint in REST's words, whichever interface has shown it. A field that this interface does not show is
 * undefined: over GraphQL its global volumes, and after a save FlashBoot on an older service; over REST template and models.
 */
export interface SavedEndpoint
  extends Pick<
    Endpoint,
    | "id"
    | "name"
    | "type"
    | "workers"
    | "scaling"
    | "dataCenterIds"
    | "networkVolumes"
    | "globalVolumes"
    | "flashboot"
    | "createdAt"
  > {
  /** Null for CPU workers. */
  readonly gpu?: Partial<Pick<NonNullable<Endpoint["gpu"]>, "pools" | "excludedTypes" | "count">> | null | undefined;
  readonly templateId?: string | null | undefined;
  /** Models that are cached on workers' machines, a branch as the commit that it named. */
  readonly models?: readonly string[] | undefined;
  /** Not the service's: REST has shown it, with data centers in place of countries, and pools in any order. */
  readonly throughRest?: true | undefined;
}

// Open, so that an endpoint with a value that the service adds later can still be saved.
const Scaling = z.union([
  z.strictObject({ type: open(["QUEUE_DELAY"]), queueDelay: z.number() }),
  z.strictObject({ type: open(["REQUEST_COUNT"]), requestCount: z.int() }),
]);
const { name, dataCenterIds, flashboot } = CreateEndpointRequest.required().shape;

/** What a save takes. GraphQL resets what a save of an existing endpoint leaves out, so all but three fields are required. */
export const SaveEndpointInput = z.strictObject({
  id: z.string().optional(),
  name,
  type: open(["QUEUE", "LOAD_BALANCER"]),
  templateId: z.string(),
  /** Pools in order of priority. */
  gpu: z.strictObject({ pools: z.array(z.string()), excludedTypes: z.array(z.string()).optional(), count: z.int() }),
  /** `idleTimeout` in seconds. */
  workers: z.strictObject({ min: z.int(), max: z.int(), idleTimeout: z.int() }),
  scaling: Scaling,
  /** Data centers, over GraphQL also countries. Empty: anywhere. */
  dataCenterIds,
  /** At most one in a data center. */
  networkVolumes: z.array(z.string()),
  /** At most one. If omitted, it stays as it is. */
  globalVolumes: z.array(z.string()).max(1).optional(),
  flashboot,
  /** Models that are cached on workers' machines, only over GraphQL. If omitted, they stay as they are. */
  models: z.array(z.string()).optional(),
});
export type SaveEndpointInput = z.infer<typeof SaveEndpointInput>;

export const ServerlessDiscount = z.object({
  discountFactor: z.number().describe("What the service multiplies prices with, as it shows it."),
  type: z.string().nullish().describe("Kind of discount, as the service calls it."),
  expirationDate: z.string().nullish().describe("When it ends, RFC 3339."),
});
export type ServerlessDiscount = Tolerant<z.infer<typeof ServerlessDiscount>>;
