import { z } from "zod";
import { named } from "../http/route";
import { LEAST } from "./bounds";

/** The container fields that pods, endpoints and templates share. */
export const containerFields = {
  image: z.string().optional(),
  args: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  cmd: z.array(z.string()).optional(),
  disk: z.int().min(LEAST.diskGb).optional(),
  ports: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  registry: z.string().nullable().optional(),
};

/** The same fields in answers, all required. */
export const containerShown = z.object({ ...containerFields, disk: z.int() }).required().shape;

/** For a body that the service's schema composes of parts: container fields and others. */
export const assembled = { unevaluatedProperties: false } as const;

const persistentMount = named(
  "PersistentMount",
  z.strictObject({ size: z.int().min(LEAST.persistentGb), path: z.string() }),
);

export const templateMounts = named("TemplateMounts", z.strictObject({ persistent: persistentMount.optional() }));

const mountOf = (name: string) =>
  z.array(named(name, z.strictObject({ volumeId: z.string(), path: z.string() }))).max(1);

/** Clusters share the schema with pods, and refuse a global volume. */
export const mounts = named(
  "Mounts",
  z.strictObject({
    persistent: persistentMount.optional(),
    network: mountOf("NetworkMount").optional(),
    global: mountOf("GlobalMount").optional(),
  }),
);

export const cudaVersion = z.string().regex(/^\d+\.\d+$/);
