import { z } from "zod";
import type { CatalogReference } from "../catalogChecks";
import type { Client } from "../client";
import type { Settings } from "../config";
import type { EngineLog } from "../engineLog";
import type { Difference } from "./diff";
import { control } from "./fields";
import type { Properties } from "./values";

/** What every operation gets: the service, the settings it is reached with, and a line to the person who waits. */
export interface Context {
  readonly client: Client;
  readonly settings: Settings;
  readonly log: EngineLog;
}

/** A mistake in the arguments: the property's dotted path ("" for the whole), and the way out. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** Told to the client, which looks for a resource by its name when the answer to its creation was lost. */
export interface Naming {
  /** The name carries a random suffix of ours: whatever bears it is this resource. */
  readonly uniqueName: boolean;
}

/** What an update knows of the change. */
export interface Change<Inputs> {
  /** Top-level arguments that differ; empty when only the waiting of an interrupted run goes on. */
  readonly changed: ReadonlySet<keyof Inputs & string>;
  readonly differences: readonly Difference[];
  /** The recorded state before: arguments and outputs. */
  readonly old: Properties;
}

/**
 * One kind of resource: its arguments, and how the service makes, shows, changes and removes it. Everything that is
 * the same for all kinds stands once in this folder.
 *
 * `Schema` describes the arguments, `Live` is what the service answers.
 */
export interface ResourceDefinition<Schema extends z.ZodObject, Live extends { id: string }> {
  /** As users read it: "NetworkVolume". */
  readonly kind: string;
  readonly inputs: Schema;
  /** The service refuses a second resource of the same name. */
  readonly uniqueName?: true;
  /** The outputs hold a `revision` that changes with every update of ours. */
  readonly revision?: true;

  /** Defaults that depend on other arguments; what is set stays as it is. */
  complete?(inputs: Properties): Properties;
  /** Rules across arguments; what is unknown in a preview is left out of `inputs`, and named by `isUnknown`. */
  rules?(inputs: Partial<z.output<Schema>>, isUnknown: (field: keyof z.output<Schema>) => boolean): CheckFailure[];
  /** What the arguments name in the catalog, for the check in the preview. */
  catalog?(inputs: Partial<z.output<Schema>>): CatalogReference[];
  /** A difference that the recorded state already satisfies. */
  settled?(difference: Difference, old: Properties): boolean;
  /** Differences that no argument shows, such as a copy that a refresh found out of date. */
  further?(old: Properties, next: Properties): Difference[];
  /** What has to be done before the resource may be replaced; undefined when nothing has. */
  guarded?(old: Properties): string | undefined;
  /** Whether a replacement has to delete first for a reason other than a unique name. */
  deleteBeforeReplace?(old: Properties, next: Properties): boolean;

  create(context: Context, inputs: z.output<Schema>, naming: Naming): Promise<Live>;
  /** Undefined means gone. Whatever is not known for sure must throw. */
  read(context: Context, id: string, state: Properties): Promise<Live | undefined>;
  /** Changes in place; left out where every change replaces. */
  update?(context: Context, id: string, inputs: z.output<Schema>, change: Change<z.output<Schema>>): Promise<Live>;
  /** Resolves when it is gone, also when it was gone before. */
  delete(context: Context, id: string, state: Properties): Promise<void>;
  /** Waits, bounded, until it can be used; rejects with the reason when it never will. */
  ready?(context: Context, live: Live, inputs: z.output<Schema>): Promise<Live>;

  /**
   * The service's answer in the words of the arguments. What it leaves out can't be read.
   *
   * @param state what is recorded, arguments and outputs; only the arguments of a resource that is being adopted
   */
  observe(live: Live, state: Properties): Partial<Record<keyof z.output<Schema> & string, unknown>>;
  /** What programs may use besides the arguments: nothing that changes by itself from read to read. */
  outputs(live: Live, context: Context, old: Properties | undefined): Properties;
}

/** A definition whose types are inferred from its schema and its `read`. */
export function defineResource<Schema extends z.ZodObject, Live extends { id: string }>(
  definition: ResourceDefinition<Schema, Live>,
): ResourceDefinition<Schema, Live> {
  return definition;
}

/** `name` where it may be left out: the logical name and a random suffix, kept across updates, fresh on replacement. */
export const autoName = (): z.ZodOptional<z.ZodString> => z.string().min(1).max(MAX_NAME_LENGTH).optional();

/** The service's own limit. */
export const MAX_NAME_LENGTH = 191;

/** Arguments that every kind takes and that are no property of the resource. */
export const COMMON_INPUTS = {
  /** Takes over an existing resource instead of creating one. */
  adoptId: control(z.string().min(1).optional()),
  /** The program's name of the resource, sent by the sdk where `name` was left out. */
  logicalName: control(z.string().optional()),
};
