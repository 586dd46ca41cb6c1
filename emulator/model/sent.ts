import type { z } from "zod";

/** A value as a schema lets it through, which nobody changes. */
export type Received<S extends z.ZodType> = Unchanged<z.output<S>>;
export type Unchanged<T> = T extends object ? { readonly [K in keyof T]: Unchanged<T[K]> } : T;

/** A body without the fields that were not sent. */
export type Sent<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the fields that were not sent, so that they do not overwrite anything when spread. */
export function sent<T extends object>(fields: T): Sent<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Sent<T>;
}
