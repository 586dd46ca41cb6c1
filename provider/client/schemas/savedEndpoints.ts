import { z } from "zod";
import type { Tolerant } from "../values/tolerant";
import { open } from "./common";

// Open, so that an endpoint with a word of tomorrow can be saved with it.
const EndpointType = open(["QB", "LB"]);
const Scaler = open(["QUEUE_DELAY", "REQUEST_COUNT"]);
const FlashBoot = z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]);

/** Serverless endpoint as GraphQL shows it. */
export const SavedEndpoint = z.object({
  id: z.string(),
  name: z.string(),
  gpuIds: z.string().nullable(),
  templateId: z.string().nullable(),
  type: EndpointType.nullish(),
  gpuCount: z.int().nullish(),
  idleTimeout: z.int(),
  locations: z.string().nullable(),
  networkVolumeId: z.string().nullable(),
  scalerType: Scaler,
  scalerValue: z.int(),
  workersMin: z.int(),
  workersMax: z.int(),
  createdAt: z.string().nullish(),
  // Of ours: where REST has shown it. What REST has no word for is absent then, and countries are shown as data centers.
  throughRest: z.boolean().optional(),
});
export type SavedEndpoint = Tolerant<z.infer<typeof SavedEndpoint>>;

/**
 * Input of saveEndpoint. Every field but the last must be given: with an id the service replaces the whole endpoint, and what is
 * left out goes back to the service's default.
 */
export const SaveEndpointInput = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  /** Pool ids in order of priority, minus `-<GPU type id>`, comma separated. */
  gpuIds: z.string(),
  templateId: z.string(),
  type: EndpointType,
  gpuCount: z.int(),
  /** Seconds. */
  idleTimeout: z.int(),
  /** Comma separated; empty: anywhere. */
  locations: z.string(),
  networkVolumeId: z.string().nullable(),
  scalerType: Scaler,
  scalerValue: z.int(),
  workersMin: z.int(),
  workersMax: z.int(),
  flashBootType: FlashBoot,
  /** Models that are cached on workers' machines. Left out, they stay as they are. */
  modelReferences: z.array(z.string()).optional(),
});
export type SaveEndpointInput = z.infer<typeof SaveEndpointInput>;

export const ServerlessDiscount = z.object({
  discountFactor: z.number().describe("What the service multiplies prices with, as it shows it."),
  type: z.string().nullish().describe("Kind of discount, as the service calls it."),
  expirationDate: z.string().nullish().describe("When it ends, RFC 3339."),
});
export type ServerlessDiscount = Tolerant<z.infer<typeof ServerlessDiscount>>;
