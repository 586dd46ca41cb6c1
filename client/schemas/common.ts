import { z } from "../../common/zod";

/** One of the known values, or any other: the service extends lists such as regions and certificates without notice. */
export function open<const Value extends string>(
  values: readonly [Value, ...Value[]],
): z.ZodType<Value | (string & {})> {
  return z.union([z.enum(values), z.string()]);
}

/** An id. @param taker where users pass it */
export const idOf = (what: string, taker: string) =>
  z.string().describe(`Identifies the ${what}: what ${taker} takes.`);
export const name = z.string().describe("Its name, which others may have too.");
export const uniqueName = z.string().describe("Its name, unique in the account that owns it.");
export const createdAt = z.string().describe("When it was created, RFC 3339.");

/** The next page of a list. Contract 2.0.0 has no paging; if the service adds it, every page is fetched. */
const Pagination = z.object({ nextCursor: z.string().nullish(), hasNextPage: z.boolean() });

/** The answer of a list: the items under the key, and perhaps a page that follows. */
export function listOf<Key extends string, Item>(key: Key, item: z.ZodType<Item>): z.ZodType<{ [K in Key]: Item[] }>;
export function listOf(key: string, item: z.ZodType): z.ZodType {
  return z.object({ [key]: z.array(item), pagination: Pagination.optional() });
}

export const CudaVersion = z.string().regex(/^\d+\.\d+$/);

const path = z.string().describe("Path in the container.");
export const PersistentMount = z.strictObject({ size: z.int().describe("Size in GB."), path });
export const NetworkMount = z.strictObject({
  volumeId: z.string().describe("The network volume, by its id in `getNetworkVolumes`."),
  path,
});
export const GlobalMount = z.strictObject({
  volumeId: z.string().describe("The global volume, by its id in `getGlobalVolumes`."),
  path,
});
export const Mounts = z.strictObject({
  persistent: PersistentMount.optional().describe("Storage of the pod's machine; absent where it has none."),
  network: z.array(NetworkMount).optional().describe("The network volume, at most one; absent where it has none."),
  // No page shows this form for pods. Sandboxes have it.
  global: z
    .array(GlobalMount)
    .optional()
    .describe("The global volume, at most one; absent where it has none, or where the service does not show it."),
});
export type Mounts = z.infer<typeof Mounts>;

export const TemplateMounts = z.strictObject({
  persistent: PersistentMount.optional().describe("Storage of a pod's machine; absent where pods get none."),
});

/** Container fields that all kinds share, in requests. All are optional, because a template may set them. */
export const baseContainerFields = {
  image: z.string().optional(),
  args: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  cmd: z.array(z.string()).optional(),
  disk: z.int().optional(),
  ports: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
};
export const containerFields = { ...baseContainerFields, registry: z.string().nullish() };

/** The same fields in answers, for kinds that always show them. */
export const shownContainerFields = {
  image: z.string().describe("Container image."),
  args: z
    .string()
    .describe(
      "Command of the container as it is stored: a shell line, or `entrypoint` and `cmd` as JSON; empty: the image's own.",
    ),
  entrypoint: z.array(z.string()).optional().describe("In place of the image's entry point; empty: the image's own."),
  cmd: z
    .array(z.string())
    .optional()
    .describe("In place of the image's command, word by word; empty: the image's own."),
  disk: z.int().describe("Container disk in GB; a restart wipes it."),
  ports: z.array(z.string()).describe("Ports that are open, as `8888/http` or `22/tcp`."),
  env: z
    .record(z.string(), z.string())
    .describe("Environment variables; their values are hidden, unless `showSecrets` asks for them."),
  registry: z
    .string()
    .nullable()
    .describe("The credentials that pull the image, by their id in `getRegistries`; null: none."),
};

export const CpuRequest = z.strictObject({ id: z.string(), vcpuCount: z.int() });
export const Cpu = z.object({
  id: z.string().describe("CPU flavor, as `getCpuType` takes it."),
  vcpuCount: z.int().describe("How many vCPUs."),
  memory: z.int().describe("Memory of all these vCPUs in GB."),
});
