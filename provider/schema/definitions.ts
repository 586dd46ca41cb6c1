import type { z } from "zod";
import type { KindDescription, Takes } from "../lifecycle/definition";
import type { Example } from "../lifecycle/example";
import { definitions as all } from "../resources";

/** The part of a kind's definition that the generator reads, whatever its schemas. */
export interface AnyDefinition {
  readonly kind: string;
  readonly source: KindDescription<z.ZodObject>["source"];
  readonly description: string;
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodObject;
  readonly shows: readonly string[];
  readonly examples: readonly AnyExample[];
  readonly takes?: Takes;
  readonly list?: unknown;
  readonly keeps?: string;
  /** A component: a class of the sdk makes it from other resources. */
  readonly isComponent?: true;
}

export type AnyExample = Pick<Example<z.ZodObject>, "title" | "name"> & { readonly args: object };

/** Definitions of all kinds, by the name of their export. */
export const definitions: Readonly<Record<string, AnyDefinition>> = all;
