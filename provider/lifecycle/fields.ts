import { z } from "zod";
import { duration } from "./duration";
import { ownMember, type Properties } from "./values";

/**
 * What a field's schema cannot say and every operation needs to know. Written beside the schema, so that a resource's
 * whole story is told in one place:
 *
 *   size: growsOnly("GB", z.int().min(10)).describe("GB, at least 10."),
 *   dataCenter: replaces(catalogued("dataCenter", z.string())).describe("Id of a data center."),
 *
 * The texts that users read about a field's default, and about what a change of it does, are made from these facts:
 * descriptions leave them out.
 */
export interface FieldFacts {
  /**
   * What replaces the resource. `any`: every change inside. `presence`: setting or removing it. `removal`: removing it.
   * `member`: not the resource, but the member of it that the field belongs to.
   */
  readonly replaces?: "any" | "presence" | "removal" | "member";
  /** The service never returns it: a read keeps what was declared. */
  readonly writeOnly?: true;
  /** Of what is write-only: the service shows when it was set last. */
  readonly dated?: true;
  /** A list that means a set: another order is not a change. */
  readonly unordered?: true;
  /** Empty, it may be filled in by the service: what it then shows is not a difference. */
  readonly openWhenEmpty?: true;
  /** A map in which the platform adds keys of its own: only declared keys are compared. */
  readonly declaredKeys?: true;
  /** Shrinking would lose data and is refused; the text is the unit. */
  readonly growsOnly?: string;
  /** A smaller number is only reached by a replacement. */
  readonly shrinkReplaces?: true;
  /** Left out, the service chooses: its choice is not a difference. */
  readonly computed?: true;
  /** Steers the provider and is not a property of the resource: never compared, and in the state only where it was given. */
  readonly control?: true;
  /** Taken by an update, and not by the create. */
  readonly afterCreate?: true;
  /** Its change asks for an update, and it is never sent. */
  readonly trigger?: true;
  /** Never shown, not even in a list of what would change; encrypted in the state. */
  readonly secret?: true;
  /** A secret where one of these arguments is. */
  readonly secretWith?: readonly string[];
  /** For the state alone: no property of the class. */
  readonly internal?: true;
  /** An output that stays what it is for as long as the resource lives. */
  readonly stable?: true;
  /** How long an operation may take. */
  readonly timeout?: true;
  /** What it names in the catalog. */
  readonly catalogued?: CatalogFact;
  /** A text in which references may name secrets of the account. */
  readonly mayNameSecrets?: true;
  /** The resource's name, made up where none is given. */
  readonly autoNamed?: true;
  /** A JSON text, which programs give as a plain value. */
  readonly json?: true;
  /** Ids of a Template, which the class takes as it is beside this field; what it is, in words. */
  readonly takesTemplate?: string;
  /** The name that the argument had before: programs and states that have it go on. */
  readonly deprecates?: string;
  /** What the provider asks for when it is left out, without holding the service to it. */
  readonly initially?: unknown;
}

/** What a field names in the catalog. */
export interface CatalogFact {
  readonly kind: CatalogKind;
  /** Other arguments that the judgement needs: paths, looked up from the field's own object outwards. */
  readonly beside: Readonly<Record<string, string>>;
}

/** `poolList`: pools, comma separated, minus `-<GPU type>`. `placeList`: country codes or data centers, comma separated. */
export type CatalogKind = "gpuType" | "pool" | "poolList" | "excludedType" | "dataCenter" | "placeList" | "cpu";

declare const role: unique symbol;

/** Marks for the compiler, which keeps such fields from the operations that must not send them. */
export interface Control {
  readonly [role]: "control";
}
export interface AfterCreate {
  readonly [role]: "afterCreate";
}
export interface Trigger {
  readonly [role]: "trigger";
}

type WithRole<Schema extends z.ZodObject, Role> = {
  [Key in keyof Schema["shape"]]: Schema["shape"][Key] extends Role ? Key : never;
}[keyof Schema["shape"]];

/** The arguments that steer the provider, with their defaults. */
export type Controls<Schema extends z.ZodObject> = Pick<z.output<Schema>, WithRole<Schema, Control>>;
/** The arguments that describe the resource. */
export type Desired<Schema extends z.ZodObject> = Omit<z.output<Schema>, WithRole<Schema, Control | Trigger>>;
/** Those that its create takes. */
export type Creatable<Schema extends z.ZodObject> = Omit<
  z.output<Schema>,
  WithRole<Schema, Control | Trigger | AfterCreate>
>;

const facts = z.registry<FieldFacts>();

function withFacts<T extends z.ZodType>(schema: T, more: FieldFacts): T {
  const copy = schema.clone();
  facts.add(copy, { ...facts.get(schema), ...more });
  return copy;
}

export const replaces = <T extends z.ZodType>(schema: T): T => withFacts(schema, { replaces: "any" });
export const replacesWhenSwitched = <T extends z.ZodType>(schema: T): T => withFacts(schema, { replaces: "presence" });
export const replacesWhenRemoved = <T extends z.ZodType>(schema: T): T => withFacts(schema, { replaces: "removal" });
export const replacesMember = <T extends z.ZodType>(schema: T): T => withFacts(schema, { replaces: "member" });
export const writeOnly = <T extends z.ZodType>(schema: T): T => withFacts(schema, { writeOnly: true });
export const dated = <T extends z.ZodType>(schema: T): T => withFacts(schema, { writeOnly: true, dated: true });
export const unordered = <T extends z.ZodType>(schema: T): T => withFacts(schema, { unordered: true });
export const declaredKeys = <T extends z.ZodType>(schema: T): T => withFacts(schema, { declaredKeys: true });
export const openWhenEmpty = <T extends z.ZodType>(schema: T): T => withFacts(schema, { openWhenEmpty: true });
export const growsOnly = <T extends z.ZodType>(unit: string, schema: T): T => withFacts(schema, { growsOnly: unit });
export const shrinkReplaces = <T extends z.ZodType>(schema: T): T => withFacts(schema, { shrinkReplaces: true });
export const computedWhenOmitted = <T extends z.ZodType>(schema: T): T => withFacts(schema, { computed: true });
export const secret = <T extends z.ZodType>(schema: T): T => withFacts(schema, { secret: true });
export const secretWith = <T extends z.ZodType>(inputs: readonly string[], schema: T): T =>
  withFacts(schema, { secretWith: inputs });
export const takesTemplate = <T extends z.ZodType>(description: string, schema: T): T =>
  withFacts(schema, { takesTemplate: description });
export const internal = <T extends z.ZodType>(schema: T): T => withFacts(schema, { internal: true });
export const stable = <T extends z.ZodType>(schema: T): T => withFacts(schema, { stable: true });
export const json = <T extends z.ZodType>(plain: z.core.$ZodType, schema: T): T => {
  const copy = withFacts(schema, { json: true });
  plainValues.set(copy, plain);
  return copy;
};
export const control = <T extends z.ZodType>(schema: T): T & Control =>
  withFacts(schema, { control: true }) as T & Control;
export const afterCreate = <T extends z.ZodType>(schema: T): T & AfterCreate =>
  withFacts(schema, { afterCreate: true }) as T & AfterCreate;
export const trigger = <T extends z.ZodType>(schema: T): T & Trigger =>
  withFacts(schema, { trigger: true }) as T & Trigger;

/** Asked for when it is left out; what the service makes of that later is not a difference. */
export const initially = <T extends z.ZodType>(value: z.output<T>, schema: T): z.ZodOptional<T> =>
  withFacts(schema.optional(), { computed: true, initially: value });

/** How long an operation may take, such as `90s` or `15m`. */
export const timeout = (byDefault: string) => control(withFacts(duration.default(byDefault), { timeout: true }));

/** @param beside other arguments that the judgement needs: paths, looked up from the field's own object outwards */
export const catalogued = <T extends z.ZodType>(kind: CatalogKind, schema: T, beside: CatalogFact["beside"] = {}): T =>
  withFacts(schema, { catalogued: { kind, beside } });

export const deprecates = <T extends z.ZodType>(oldName: string, schema: T): T =>
  withFacts(schema, { deprecates: oldName });

export const mayNameSecrets = <T extends z.ZodType>(schema: T): T => withFacts(schema, { mayNameSecrets: true });

/** The field where it may be left out without standing for its default. */
export function preset(schema: z.core.$ZodType): z.ZodType {
  const copy = withFacts(z.optional(bare(schema)), factsOf(schema));
  const description = descriptionOf(schema);
  return description === undefined ? copy : copy.describe(description);
}

/** The service's own limit. */
export const MAX_NAME_LENGTH = 191;

/** `name` where it may be left out: the logical name and a hash, kept across updates, another one on replacement. */
export const autoName = () =>
  withFacts(z.string().min(1).max(MAX_NAME_LENGTH).optional(), { autoNamed: true }).describe(
    "Need not be unique. Default: the logical name and a short hash.",
  );

/** The same of a kind whose names the service keeps apart. */
export const uniqueAutoName = () =>
  autoName().describe("Unique in the account. Default: the logical name and a short hash.");

const names = new WeakMap<z.core.$ZodType, string>();
const plainValues = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** What programs give in place of a JSON text. */
export function plainValueOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  return plainValues.get(schema) ?? (schema._zod.parent && plainValueOf(schema._zod.parent));
}

/** The schema under a name of its own in the package's schema and in the classes. */
export function named<T extends z.ZodType>(name: string, schema: T): T {
  const copy = schema.clone();
  names.set(copy, name);
  return copy;
}

/** The name, gathered through `optional` and `default` and from what the schema was copied from. */
export function nameOf(schema: z.core.$ZodType): string | undefined {
  const own = names.get(schema) ?? (schema._zod.parent && nameOf(schema._zod.parent));
  return own ?? (isWrapper(schema) ? nameOf(schema.def.innerType) : undefined);
}

/** The description, gathered through `optional` and `default`. */
export function descriptionOf(schema: z.core.$ZodType): string | undefined {
  const own = z.globalRegistry.get(schema)?.description;
  return own ?? (isWrapper(schema) ? descriptionOf(schema.def.innerType) : undefined);
}

/** The registry merges what it knows of a schema and its ancestors anew for each look: too slow for every operation. */
const gathered = new WeakMap<z.core.$ZodType, FieldFacts>();

/** The facts of a field, gathered through `optional` and `default`. */
export function factsOf(schema: z.core.$ZodType): FieldFacts {
  const known = gathered.get(schema);
  if (known !== undefined) return known;
  const own = facts.get(schema) ?? {};
  const all = isWrapper(schema) ? { ...factsOf(schema.def.innerType), ...own } : own;
  gathered.set(schema, all);
  return all;
}

/** The schema under `optional` and `default`. */
export function bare(schema: z.core.$ZodType): z.core.$ZodType {
  return isWrapper(schema) ? bare(schema.def.innerType) : schema;
}

/** The documented default, or undefined. */
export function defaultOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodDefault) return schema.def.defaultValue;
  return schema instanceof z.ZodOptional ? defaultOf(schema.def.innerType) : undefined;
}

function isWrapper(schema: z.core.$ZodType): schema is z.ZodOptional | z.ZodDefault {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
}

/** The names that may stand at a path inside a schema of objects and lists; empty where anything may. */
export function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const here = bare(schema);
  const [key, ...rest] = path;
  if (here instanceof z.ZodArray) return key === undefined ? [] : namesAt(here.element, rest);
  if (here instanceof z.ZodRecord) return key === undefined ? [] : namesAt(here.valueType, rest);
  if (!(here instanceof z.ZodObject)) return [];
  if (key === undefined) return Object.keys(here.shape);
  const field = ownMember(here.shape, String(key));
  return field === undefined ? [] : namesAt(field, rest);
}

const controls = new WeakMap<z.ZodObject, z.ZodObject>();

/** The arguments that steer the provider, with their defaults. */
export function controlsOf<Schema extends z.ZodObject>(schema: Schema, inputs: Properties): Controls<Schema> {
  const known = controls.get(schema);
  const own =
    known ?? z.object(Object.fromEntries(Object.entries(schema.shape).filter(([, field]) => factsOf(field).control)));
  controls.set(schema, own);
  return own.parse(inputs) as Controls<Schema>;
}

/** Checked arguments without those that have one of the parts. */
export function without<Kept>(
  schema: z.ZodObject,
  inputs: Properties,
  parts: readonly ("control" | "trigger" | "afterCreate")[],
): Kept {
  const keeps = (key: string) => {
    const field = schema.shape[key];
    const facts = field === undefined ? {} : factsOf(field);
    return !parts.some((part) => facts[part]);
  };
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => keeps(key))) as Kept;
}
