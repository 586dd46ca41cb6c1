import { z } from "zod";
import { named } from "../http/openapi";

/** The container fields that pods, endpoints and templates share. */
export const containerFields = {
  image: z.string().optional(),
  args: z.string().optional(),
  disk: z.int().min(1).optional(),
  ports: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  registry: z.string().nullable().optional(),
};

/** The same fields in an answer, where none is missing. */
export const containerShown = {
  image: z.string(),
  args: z.string(),
  disk: z.int(),
  ports: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  registry: z.string().nullable(),
};

export const persistentMount = named("PersistentMount", z.strictObject({ size: z.int().min(10), path: z.string() }));

export const templateMounts = named("TemplateMounts", z.strictObject({ persistent: persistentMount.optional() }));

export const mounts = named(
  "Mounts",
  z.strictObject({
    persistent: persistentMount.optional(),
    network: z
      .array(named("NetworkMount", z.strictObject({ volumeId: z.string(), path: z.string() })))
      .max(1)
      .optional(),
  }),
);

export const cudaVersion = z.string().regex(/^\d+\.\d+$/);

/** Container fields as a body may bring them. */
export interface ContainerInput {
  readonly image?: string | undefined;
  readonly args?: string | undefined;
  readonly disk?: number | undefined;
  readonly ports?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly registry?: string | null | undefined;
}

/** The service's defaults where a body says nothing. */
export const CONTAINER_DEFAULTS = { image: "", args: "", ports: [], env: {}, registry: null } as const;

/** A body without the fields that were not sent. */
export type Sent<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the fields that were not sent, so that they do not overwrite anything when spread. */
export function sent<T extends object>(fields: T): Sent<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Sent<T>;
}
