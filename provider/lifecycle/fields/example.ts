import type { z } from "zod";

/** In an example's arguments: an output of another resource, which an example of its kind creates. */
export class FromResource {
  constructor(
    /** Export of the kind's definition. */
    readonly kind: string,
    readonly output: string,
    /** Index of the kind's example. */
    readonly example: number,
  ) {}
}

/** In an example's arguments: a secret of the stack's configuration. */
export class FromConfig {
  constructor(
    readonly key: string,
    /** The value that it has where the example is run. */
    readonly trial: string,
  ) {}
}

export const from = (kind: string, output = "id", example = 0) => new FromResource(kind, output, example);
export const secretFromConfig = (key: string, trial: string) => new FromConfig(key, trial);

/** Arguments whose texts and numbers may come from another resource, and whose texts may come from the configuration. */
type Exemplary<T> = T extends string
  ? T | FromResource | FromConfig
  : T extends number
    ? T | FromResource
    : T extends boolean | undefined
      ? T
      : T extends readonly (infer Item)[]
        ? Exemplary<Item>[]
        : { [Key in keyof T]: Exemplary<T[Key]> };

/** An example of a kind that can be copied as it is. The tests run every one. */
export interface Example<Schema extends z.ZodObject> {
  readonly title: string;
  /** The resource's name in the program. */
  readonly name: string;
  readonly args: Exemplary<z.input<Schema>>;
}
