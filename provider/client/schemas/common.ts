import { z } from "zod";

/** One of the values known today. Lists that the service extends at will (regions, certificates) stay open to new ones. */
export function open<const Value extends string>(
  values: readonly [Value, ...Value[]],
): z.ZodType<Value | (string & {})> {
  return z.union([z.enum(values), z.string()]);
}

/** One page of a list. Contract 2.0.0 has no paging; where the service adds it, every page is fetched. */
export const Pagination = z.object({ nextCursor: z.string().nullish(), hasNextPage: z.boolean() });

export const CudaVersion = z.string().regex(/^\d+\.\d+$/);

export const PersistentMount = z.strictObject({ size: z.int().describe("GB."), path: z.string() });
export const NetworkMount = z.strictObject({ volumeId: z.string(), path: z.string() });
export const Mounts = z.strictObject({
  persistent: PersistentMount.optional(),
  network: z.array(NetworkMount).optional(),
});
export type Mounts = z.infer<typeof Mounts>;

export const TemplateMounts = z.strictObject({ persistent: PersistentMount.optional() });

/** Container fields that every kind shares, as sent. All optional: a template may bring them. */
export const baseContainerFields = {
  image: z.string().optional(),
  args: z.string().optional(),
  disk: z.int().optional(),
  ports: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
};
export const containerFields = { ...baseContainerFields, registry: z.string().nullish() };

/** The same as read back from kinds that always show them. */
export const shownContainerFields = {
  image: z.string(),
  args: z.string().describe("CMD, as one string."),
  disk: z.int().describe("GB, wiped on a restart."),
  ports: z.array(z.string()).describe("As `8888/http`."),
  env: z.record(z.string(), z.string()).describe("Values are hidden, unless `showSecrets` asks for them."),
  registry: z.string().nullable().describe("Id of registry credentials."),
};

export const CpuRequest = z.strictObject({ id: z.string(), vcpuCount: z.int() });
export const Cpu = z.object({ id: z.string(), vcpuCount: z.int(), memory: z.int().describe("GB.") });
