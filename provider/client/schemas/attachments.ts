import { z } from "zod";

/** A resource that tags and cost centers can be attached to. */
export const AttachedResource = z.object({
  id: z.string().describe("Its id."),
  type: z.enum(["POD", "CLUSTER", "SERVERLESS_ENDPOINT", "NETWORK_VOLUME"]).describe("What it is."),
});
export type AttachedResource = z.infer<typeof AttachedResource>;
