import { z } from "zod";
import type { Tolerant } from "../values/tolerant";
import { open } from "./common";

// Open, so that an endpoint with a value that the service adds later can still be saved.
const EndpointType = open(["QB", "LB"]);
const Scaler = open(["QUEUE_DELAY", "REQUEST_COUNT"]);
const FlashBoot = z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]);

/** A serverless endpoint as GraphQL shows it. */
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
  /** Models that are cached on workers' machines, a branch as the commit that it named. */
  modelReferences: z.array(z.string()).nullish(),
  /** Absent in the answer to a save over GraphQL, and where the service does not show it. */
  flashBootType: FlashBoot.nullish(),
  /** Its workers. Only GraphQL shows them, and not in the answer to a save. */
  pods: z.array(z.object({ desiredStatus: z.string().nullish() })).nullish(),
  // Not the service's: set when REST has shown the endpoint. Then fields that REST lacks are absent, and countries are
  // expanded to data centers.
  throughRest: z.boolean().optional(),
  /** Its global volume, by id. Only REST shows it. */
  globalVolumes: z.array(z.string()).optional(),
});
export type SavedEndpoint = Tolerant<z.infer<typeof SavedEndpoint>>;

/**
 * Input of saveEndpoint. With an id, the service replaces the whole endpoint: an omitted field returns to its default, except
 * `modelReferences`. So all other fields are required.
 */
export const SaveEndpointInput = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  /** Pool ids in order of priority, and excluded types as `-<GPU type id>`, comma separated. */
  gpuIds: z.string(),
  templateId: z.string(),
  type: EndpointType,
  gpuCount: z.int(),
  /** Seconds. */
  idleTimeout: z.int(),
  /** Data centers or countries, comma separated. Empty: anywhere. */
  locations: z.string(),
  networkVolumeId: z.string().nullable(),
  scalerType: Scaler,
  scalerValue: z.int(),
  workersMin: z.int(),
  workersMax: z.int(),
  flashBootType: FlashBoot,
  /** Models that are cached on workers' machines. If omitted, they stay as they are. */
  modelReferences: z.array(z.string()).optional(),
  /** Its global volume, at most one. If omitted, it stays as it is. */
  volumes: z.array(z.strictObject({ volumeId: z.string(), volumeType: z.literal("OBJECT_STORE_VOLUME") })).optional(),
});
export type SaveEndpointInput = z.infer<typeof SaveEndpointInput>;

/** What an existing endpoint is saved as. REST shows no template, and no idle timeout of a queue that scales by requests. */
export const EndpointChange = SaveEndpointInput.omit({ id: true }).partial({ templateId: true, idleTimeout: true });
export type EndpointChange = z.infer<typeof EndpointChange>;

export const ServerlessDiscount = z.object({
  discountFactor: z.number().describe("What the service multiplies prices with, as it shows it."),
  type: z.string().nullish().describe("Kind of discount, as the service calls it."),
  expirationDate: z.string().nullish().describe("When it ends, RFC 3339."),
});
export type ServerlessDiscount = Tolerant<z.infer<typeof ServerlessDiscount>>;
