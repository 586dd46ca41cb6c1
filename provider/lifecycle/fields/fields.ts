import { cached } from "../../../common/cached";
import { DURATION, DURATION_RULE, SPAN, SPAN_RULE } from "../../../common/duration";
import { z } from "../../../common/zod";
import { ownMember, type Properties } from "./values";

/**
 * Facts of a field that its schema can't express and that operations need. They are written beside the schema, so that
 * one place says everything about a field:
 *
 *   size: growsOnly("GB", z.int().min(10)).describe("GB, at least 10."),
 *   dataCenter: replaces(catalogued("dataCenter", z.string())).describe("Id of a data center."),
 *
 * What users read about a field's default, and about the effect of changing it, is generated from these facts. Descriptions
 * leave both out.
 */
export interface FieldFacts {
  /**
   * Which changes replace the resource. `any`: every change, at any depth. `presence`: setting or removing the field.
   * `removal`: removing it. `member`: every change, but it replaces only the member that the field belongs to.
   */
  readonly replaces?: "any" | "presence" | "removal" | "member";
  /** The service never returns it, so a read keeps what was declared. */
  readonly writeOnly?: true;
  /** Write-only, but the service shows when it was last set. */
  readonly dated?: true;
  /** A list that means a set: a different order is not a change. */
  readonly unordered?: true;
  /** If it is declared empty, the service may fill it in. What the service fills in is not a difference. */
  readonly openWhenEmpty?: true;
  /** A map to which the platform adds keys of its own: only declared keys are compared. */
  readonly declaredKeys?: true;
  /** Shrinking would lose data and is refused; the text is the unit. */
  readonly growsOnly?: string;
  /** Only a replacement can make the number smaller. */
  readonly shrinkReplaces?: true;
  /** If it is left out, the service chooses a value. That value is not a difference. */
  readonly computed?: true;
  /**
   * Steers the provider and is not a property of the resource. It is never compared, and the state holds it only if it
   * was given.
   */
  readonly control?: true;
  /** An update takes it, a create doesn't. */
  readonly afterCreate?: true;
  /** A change of it causes an update, but it is never sent. */
  readonly trigger?: true;
  /** Never shown, not even in a list of changes. Encrypted in the state. */
  readonly secret?: true;
  /** Paths in the plain value of a JSON text. With a value at one of them the text is a secret. */
  readonly secretParts?: readonly string[];
  /** A secret if one of these arguments is a secret. */
  readonly secretWith?: readonly string[];
  /** Only the state holds it; the class has no such property. */
  readonly internal?: true;
  /** An output that never changes while the resource exists. */
  readonly stable?: true;
  /** How long an operation may take. */
  readonly timeout?: true;
  /** The kind of catalog entry that it names. */
  readonly catalogued?: CatalogFact;
  /** A text in which references may name secrets of the account. */
  readonly mayNameSecrets?: true;
  /** The resource's name, generated if none is given. */
  readonly autoNamed?: true;
  /** The service refuses a second resource of the same name. */
  readonly uniqueName?: true;
  /** A JSON text that programs give as a plain value, which has this schema. */
  readonly json?: z.core.$ZodType;
  /**
   * Description of the member `template` that the class gets beside this field. It takes a Template as it is, in place of
   * its id and revision.
   */
  readonly takesTemplate?: string;
  /** What a create asks for if the field is left out. The service may change the value later: that is not drift. */
  readonly initially?: unknown;
  /** Its name as a type in the package's schema and in the classes. */
  readonly typeName?: string;
}

/** What a field names in the catalog. */
export interface CatalogFact {
  readonly kind: string;
  /** Other arguments that the check needs, by path. Paths are looked up from the field's own object outwards. */
  readonly beside: Readonly<Record<string, string>>;
}

declare const role: unique symbol;

interface Marked<Role> {
  readonly [role]: Role;
}

/** Marks for the compiler. It keeps such fields out of operations that must not send them. */
export type Control = Marked<"control">;
export type AfterCreate = Marked<"afterCreate">;
export type Trigger = Marked<"trigger">;

type WithRole<Schema extends z.ZodObject, Role> = {
  [Key in keyof Schema["shape"]]: Schema["shape"][Key] extends Role ? Key : never;
}[keyof Schema["shape"]];

/** The arguments that steer the provider, with their defaults. */
export type Controls<Schema extends z.ZodObject> = Pick<z.output<Schema>, WithRole<Schema, Control>>;
/** The arguments that describe the resource. */
export type Desired<Schema extends z.ZodObject> = Omit<z.output<Schema>, WithRole<Schema, Control | Trigger>>;
/** The arguments that its create takes. */
export type Creatable<Schema extends z.ZodObject> = Omit<
  z.output<Schema>,
  WithRole<Schema, Control | Trigger | AfterCreate>
>;

/** By schema, what was added to those that it is a copy of. */
const added = new WeakMap<z.core.$ZodType, FieldFacts>();

function withFacts<T extends z.ZodType>(schema: T, facts: FieldFacts): T {
  const copy = schema.clone();
  added.set(copy, facts);
  return copy;
}

const mark =
  <Role = unknown>(facts: FieldFacts) =>
  <T extends z.ZodType>(schema: T) =>
    withFacts(schema, facts) as T & Role;

export const replaces = mark({ replaces: "any" });
export const replacesWhenSwitched = mark({ replaces: "presence" });
export const replacesWhenRemoved = mark({ replaces: "removal" });
export const replacesMember = mark({ replaces: "member" });
export const writeOnly = mark({ writeOnly: true });
export const dated = mark({ writeOnly: true, dated: true });
export const unordered = mark({ unordered: true });
export const declaredKeys = mark({ declaredKeys: true });
export const openWhenEmpty = mark({ openWhenEmpty: true });
export const growsOnly = <T extends z.ZodType>(unit: string, schema: T): T => withFacts(schema, { growsOnly: unit });
export const shrinkReplaces = mark({ shrinkReplaces: true });
export const computedWhenOmitted = mark({ computed: true });
export const secret = mark({ secret: true });
export const secretWith = <T extends z.ZodType>(inputs: readonly string[], schema: T): T =>
  withFacts(schema, { secretWith: inputs });
export const takesTemplate = <T extends z.ZodType>(description: string, schema: T): T =>
  withFacts(schema, { takesTemplate: description });
export const internal = mark({ internal: true });
export const stable = mark({ stable: true });
export const json = <T extends z.ZodType>(plain: z.core.$ZodType, schema: T): T => {
  const secretParts = secretPaths(plain);
  return withFacts(schema, { json: plain, ...(secretParts.length > 0 && { secretParts }) });
};
export const control = mark<Control>({ control: true });
export const afterCreate = mark<AfterCreate>({ afterCreate: true });
export const trigger = mark<Trigger>({ trigger: true });

/** A field whose value is sent when it is left out. The service may change that value later: this is not a difference. */
export const initially = <T extends z.ZodType>(value: z.output<T>, schema: T): z.ZodOptional<T> =>
  withFacts(schema.optional(), { computed: true, initially: value });

/** How long an operation may take, such as `90s` or `15m`. */
export const timeout = (byDefault: string) => control(withFacts(duration.default(byDefault), { timeout: true }));

/** `catalogued` of `provider/catalog` knows the kinds. */
export const namesEntry = <T extends z.ZodType>(catalogued: CatalogFact, schema: T): T =>
  withFacts(schema, { catalogued });

/**
 * For a schema: what to say of a value in another form than the schema's, which people expect to work.
 *
 * @param form the message with the right form; false for the usual one
 */
export const hint = (form: (input: unknown) => string | false) => ({
  error: ({ code, input }: { readonly code: string; readonly input?: unknown }) =>
    (code === "invalid_type" && form(input)) || undefined,
});

export const mayNameSecrets = mark({ mayNameSecrets: true });

/** The field as an optional one that has no default. */
export function preset(schema: z.core.$ZodType): z.ZodType {
  const copy = withFacts(z.optional(bare(schema)), factsOf(schema));
  const description = descriptionOf(schema);
  return description === undefined ? copy : copy.describe(description);
}

/** The service's own limit. */
export const MAX_NAME_LENGTH = 191;

/**
 * `name` that may be left out. The generated name is the logical name and a hash. Updates keep it; a replacement gets
 * another.
 */
export const autoName = () =>
  withFacts(z.string().min(1).max(MAX_NAME_LENGTH).optional(), { autoNamed: true }).describe(
    "Need not be unique. Default: the logical name and a short hash.",
  );

/** `autoName` for a kind whose names are unique in the account. */
export const uniqueAutoName = () =>
  withFacts(autoName(), { uniqueName: true }).describe(
    "Unique in the account. Default: the logical name and a short hash.",
  );

/** The members of the plain value that a JSON text is of; none where any value will do. */
export function jsonMembers(schema: z.core.$ZodType): string[] {
  const { json } = factsOf(schema);
  return json === undefined ? [] : [...new Set(membersOf(json))];
}

function membersOf(schema: z.core.$ZodType): string[] {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject) return Object.keys(inner.shape);
  return inner instanceof z.ZodUnion ? inner.options.flatMap(membersOf) : [];
}

/** The schema as a named type in the package's schema and in the classes. */
export const named = <T extends z.ZodType>(name: string, schema: T): T => withFacts(schema, { typeName: name });

/** The description, gathered through `optional` and `default`. */
export function descriptionOf(schema: z.core.$ZodType): string | undefined {
  const ownDescription = z.globalRegistry.get(schema)?.description;
  return ownDescription ?? (isWrapper(schema) ? descriptionOf(schema.def.innerType) : undefined);
}

/** The facts of a field, gathered once through `optional`, `default` and the schemas that it is a copy of. */
export const factsOf = cached(
  (schema: z.core.$ZodType): FieldFacts => ({
    ...(isWrapper(schema) && factsOf(schema.def.innerType)),
    ...(schema._zod.parent && factsOf(schema._zod.parent)),
    ...added.get(schema),
  }),
);

/** Where a value of the schema holds secrets. A list or map that holds one counts as a whole. */
function secretPaths(schema: z.core.$ZodType, path: readonly string[] = []): string[] {
  const { secret, secretParts } = factsOf(schema);
  if (secret || secretParts) return [path.join(".")];
  const inner = bare(schema);
  if (inner instanceof z.ZodUnion) return [...new Set(inner.options.flatMap((option) => secretPaths(option, path)))];
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([key, field]) => secretPaths(field, [...path, key]));
  const element = inner instanceof z.ZodArray ? inner.element : inner instanceof z.ZodRecord && inner.valueType;
  return element && secretPaths(element).length > 0 ? [path.join(".")] : [];
}

/** The names of the fields that hold a secret at any depth, looked up once for a schema. */
export const secretFields = cached(({ shape }: z.ZodObject): readonly string[] =>
  Object.keys(shape).filter((key) => secretPaths(shape[key]).length > 0),
);

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

/** The names that are allowed at a path inside a schema of objects and lists; empty where any name is. */
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

const controlsIn = cached(({ shape }: z.ZodObject) =>
  z.object(Object.fromEntries(Object.entries(shape).filter(([, field]) => factsOf(field).control))),
);

/** The arguments that steer the provider, with their defaults. */
export const controlsOf = (schema: z.ZodObject, inputs: Properties): Properties => controlsIn(schema).parse(inputs);

type Role = "control" | "trigger" | "afterCreate" | "computed";

/** The names of the fields that have each role, looked up once for a schema. */
export const fieldsByRole = cached(({ shape }: z.ZodObject): Readonly<Record<Role, readonly string[]>> => {
  const having = (role: Role) => Object.keys(shape).filter((key) => factsOf(shape[key])[role]);
  return {
    control: having("control"),
    trigger: having("trigger"),
    afterCreate: having("afterCreate"),
    computed: having("computed"),
  };
});

/** The properties without arguments of the given roles. */
export function without(schema: z.ZodObject, properties: Properties, roles: readonly Role[]): Properties {
  const remaining = { ...properties };
  const byRole = fieldsByRole(schema);
  for (const role of roles) for (const key of byRole[role]) delete remaining[key];
  return remaining;
}

/**
 * Whether a recorded value is of another type than its field, or lacks, as after an edit of the state by hand. A value that
 * this version no longer allows is not damaged.
 */
export function isDamaged(field: z.core.$ZodType | undefined, value: unknown): boolean {
  if (field === undefined) return false;
  const { error } = z.safeParse(field, value ?? undefined);
  return error?.issues.some(({ code }) => code === "invalid_type") ?? false;
}

/** An argument that takes a duration. */
export const duration = z.string().regex(DURATION, DURATION_RULE);

/** An argument that takes a time which may be shorter than a second. */
export const span = z.string().regex(SPAN, SPAN_RULE);
