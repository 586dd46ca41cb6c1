import { z } from "zod";
import type { CallOptions, Client, Subject, Tolerant } from "../../client";
import type { Holders } from "../memory/holders";
import type { Woken } from "../memory/woken";
import type { Example } from "./fields/example";
import { type Controls, type Creatable, control, type Desired } from "./fields/fields";
import type { Properties } from "./fields/values";
import type { Difference } from "./plan/diff";
import type { AccountProof, EngineLog, Holder, Settings } from "./run";

/** What every operation gets: the service, the settings it is reached with, and a line to the person who waits. */
export interface Context {
  readonly client: Client;
  readonly settings: Settings;
  readonly log: EngineLog;
  /** Aborts when the engine was told to stop: waits end, and what exists already is recorded. */
  readonly signal: AbortSignal;
  /** Of all kinds. */
  readonly holders: Holders;
  readonly woken: Woken;
  readonly account: AccountProof;
  /** Finds out which stack's state has an id. Takes about a second for each state of the project. */
  holderOf(id: string): Promise<Holder>;
}

/** A mistake in the arguments: the property's dotted path ("" for the whole), and the way out. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** How the client finds a resource by its name after the answer to its creation was lost. */
export interface Naming {
  /** The name was generated for this resource, so whatever has the name is this resource. */
  readonly uniqueName: boolean;
  /** Called when the answer was lost, with the time until which the resource may still appear. */
  readonly onLost?: ((mayComeUpUntil: Date) => void) | undefined;
}

/** What a list shows of a resource. */
export interface Listed {
  readonly id: string;
  readonly name?: string | null | undefined;
  /** RFC 3339, for the kinds that show it. */
  readonly createdAt?: string | null | undefined;
}

/** What an update knows of the change. */
export interface Change<Inputs> {
  /** Top-level arguments that differ; empty when only the waiting of an interrupted run goes on. */
  readonly changed: ReadonlySet<keyof Inputs & string>;
  readonly differences: readonly Difference[];
  /** The recorded state before: arguments and outputs. */
  readonly old: Properties;
}

/** What `prove` is told of the change. */
export interface Proof<Inputs> {
  /** Top-level arguments that an update has changed; undefined when all is new, or was never proven. */
  readonly changed: ReadonlySet<keyof Inputs & string> | undefined;
  /** Whether an argument is a secret of the program. */
  isSecret(argument: keyof Inputs & string): boolean;
}

/** What a program may use of a resource besides its arguments, but for the revision, which the lifecycle counts. */
type Computed<Outputs extends z.ZodObject> = Readable<Omit<z.input<Outputs>, typeof REVISION>>;

/** What an answer does not show is undefined, and the state keeps its value. */
type Readable<Outputs> = { [Key in keyof Outputs]: Tolerant<Outputs[Key]> | undefined };

/** `Given` with every key of `Expected` and no other: a key too many, or one that is missing, is a type error. */
type Exactly<Expected, Given> = Given & { [Key in Exclude<keyof Given, keyof Expected>]: never } & {
  [Key in Exclude<keyof Expected, keyof Given>]-?: Expected[Key];
};

/** How `adopt` and `migrate` take a resource over. */
export interface Adoption {
  /** It holds data or serves. The program that adopts it protects it from deletion. */
  readonly protect: boolean;
  /** Arguments that the kind's `read` does not show. */
  more?(context: Context, id: string): Promise<Properties>;
  /**
   * Ids of the listed resources that this kind declares best; the others belong to the kind that is `listedWith` it,
   * or are left out. Default: all.
   */
  own?(context: Context, listed: readonly Listed[]): Promise<ReadonlySet<string>>;
  /** The account has exactly one, with this id. `adopt --filter` looks for it by this name. */
  readonly only?: { readonly id: string; readonly name: string };
  /** What other providers call the kind, besides its name here. */
  readonly elsewhere?: readonly string[];
}

/** An argument that is not as it was declared. The values of a secret are left out. */
export interface Differing {
  readonly path: string;
  readonly recorded?: unknown;
  readonly found?: unknown;
  readonly secret?: true;
  /** What differs, in words, where there are no two values to show. */
  readonly note?: string;
}

/** What the commands that work on a whole account know of a kind. The compiler asks each new kind for it. */
export interface AccountFacts {
  /** What the client calls it. Its area of rights follows: a 403 names the area, and `doctor` tries to read it. */
  readonly noun: Subject;
  /** The rights that a key needs for a preview and for an update, where they are not those to read and write the noun. */
  readonly rights?: { readonly preview: string; readonly up: string };
  /** Whether it costs money by itself. Then `cost/monthlyCost.ts` has its price. */
  readonly priced: boolean;
  /**
   * The kinds that its arguments refer to, by the names of their exports. They are adopted before it, and orphans of them are
   * deleted after it.
   */
  readonly uses: readonly string[];
  /** `none`: there is nothing to take over. */
  readonly adoption: Adoption | "none";
  /**
   * How a resource that no state holds is recognised. `named`: by the form of its generated name. `noted`: only by the note of
   * the killed run that created it. `none`: a killed run leaves nothing.
   */
  readonly orphans: "named" | "noted" | "none";
  /** The kind whose list shows resources of this kind, too, by the name of its export. */
  readonly listedWith?: string;
  /** Drift that no declared argument shows. It compares arguments and outputs before and after a refresh. */
  drifted?(before: Properties, after: Properties): Differing[];
}

/** What programs see of a kind. The package's schema, the class that they use and its documentation are made from it. */
export interface KindDescription<Schema extends z.ZodObject, Outputs extends z.ZodObject = z.ZodObject>
  extends AccountFacts {
  /** As users read it: "NetworkVolume". */
  readonly kind: string;
  /** The service's operation that creates one, such as `POST /v2/pods`, and the vendor's page about it: a path of its site. */
  readonly source: { readonly operation: string; readonly page: string };
  /** What it is; then what a user has to know before the first use. */
  readonly description: string;
  readonly inputs: Schema;
  /** Arguments that the class has as properties. Each costs every program some time, so that rarely used ones are left out. */
  readonly shows: readonly (keyof z.output<Schema> & string)[];
  /** What programs may use besides: nothing that changes by itself from read to read. */
  readonly outputs: Outputs;
  readonly examples: readonly [Example<Schema>, ...Example<Schema>[]];
  /** Resources that the class takes as they are, in place of the arguments that they bring. */
  readonly takes?: readonly Takes[];
  /** Its id exists in every account, or the account keeps nothing of it. Finding it does not show whose account it is. */
  readonly everywhere?: true;
  /** The argument that holds, by name, resources which this one keeps; they, and not this one, are adopted and replaced. */
  readonly keeps?: keyof z.output<Schema> & string;
}

/**
 * One kind of resource: its arguments and outputs, and how the service makes, shows, changes and removes it. Everything
 * that is the same for all kinds is written once in this folder.
 *
 * `Schema` describes the arguments, `Live` is what the service answers, `Outputs` describes what programs may use.
 */
export interface ResourceDefinition<
  Schema extends z.ZodObject,
  Live extends { id: string },
  Outputs extends z.ZodObject = z.ZodObject,
  Made extends Computed<Outputs> = Computed<Outputs>,
> extends KindDescription<Schema, Outputs> {
  /** What uses it is changed in place to use a replacement. Until then the service refuses to delete it. */
  readonly keptByUsers?: true;
  /** The service refuses a second resource of the same name. */
  readonly uniqueName?: true;

  /** Defaults that depend on other arguments; what is set stays as it is. */
  withDefaults?(inputs: Properties): Properties;
  /**
   * Mistakes in complete arguments of a new resource that take more than them to find. What is unknown in a preview is in
   * `inputs` as such.
   */
  examine?(context: Context, inputs: Properties): Promise<CheckFailure[]>;
  /** Called with each valid declaration, before resources that depend on it are checked. */
  declared?(context: Context, inputs: Properties): void;
  /** Rules across arguments; what is unknown in a preview is left out of `inputs`, and named by `isUnknown`. */
  rules?(
    inputs: Partial<z.output<Schema>>,
    isUnknown: (field: keyof z.output<Schema> & string) => boolean,
  ): CheckFailure[];
  /**
   * New or changed arguments that the interface in use, REST or GraphQL, does not support.
   *
   * @param old the arguments in the state; empty for a new resource
   */
  outOfReach?(context: Context, inputs: Properties, old: Properties): CheckFailure[];
  /** A difference that the recorded state already satisfies. */
  isMet?(difference: Difference, old: Properties): boolean;
  /** Differences that no argument shows, such as a copy that a refresh found out of date. */
  further?(old: Properties, next: Properties): Difference[];
  /** Why this existing resource can't be managed as this kind, and the way out; undefined when it can. */
  unfit?(live: Live): string | undefined;
  /** What has to be done before the resource may be replaced; undefined when nothing has. */
  guarded?(old: Properties, next: Properties): string | undefined;
  /** Why the service won't make this change, and the way out; undefined when it will. */
  refused?(old: Properties, next: Properties): string | undefined;
  /** The recorded state with this maximum of workers, which a killed run has left. */
  awake?(state: Properties, workersMax: number): Properties;
  /**
   * Paths of the arguments that `schedule` sets, where it is declared. The clock's change of them is no new revision,
   * because the resource does what it did.
   */
  readonly byClock?: readonly string[];
  /** What a replacement would delete along with the resource, in words; undefined when there is nothing. */
  dataLost?(old: Properties, context: Context): string | undefined;
  /** Whether a replacement has to delete first for a reason other than a unique name. */
  deleteBeforeReplace?(old: Properties, next: Properties): boolean;
  /**
   * Called before a replacement for which `deleteBeforeReplace` is true, in the preview as well.
   *
   * @param subject kind and id, for messages
   * @throws Error if the new resource can't be created now
   */
  beforeDeletion?(context: Context, subject: string, old: Properties, next: Properties): Promise<void>;

  /**
   * Called after a failed create or update. It logs what the error does not say.
   *
   * @param id of what was to be updated
   */
  explain?(context: Context, error: unknown, inputs: Desired<Schema>, id: string | undefined): Promise<void>;
  /**
   * The name under which the list shows a resource with these arguments, in kinds without the argument `name`. By it the
   * next run finds what a killed one has created.
   */
  listedAs?(inputs: Properties): string | undefined;
  /** All resources of the kind in the account. Left out if the service has no such list. */
  list?(context: Pick<Context, "client">, options?: CallOptions): Promise<readonly Listed[]>;
  /** @param onAgain is called before a create that was refused is sent again, after a wait */
  create(
    context: Context,
    inputs: Creatable<Schema>,
    naming: Naming,
    controls: Controls<Schema>,
    onAgain: () => void,
  ): Promise<Live>;
  /** Undefined means gone. Whatever is not known for sure must throw. */
  read(context: Context, id: string, state: Properties): Promise<Live | undefined>;
  /** Changes in place; left out where every change replaces. */
  update?(
    context: Context,
    id: string,
    inputs: Desired<Schema>,
    change: Change<z.output<Schema>>,
    controls: Controls<Schema>,
  ): Promise<Live>;
  /** Deletes an orphan, whose state is not known. Default: `delete`. */
  deleteOrphan?(context: Context, id: string): Promise<boolean>;
  /** Resolves when the resource no longer exists: to false if it was deleted before this call. */
  delete(context: Context, id: string, state: Properties): Promise<boolean>;
  /** Waits, bounded, until it can be used; rejects with the reason when it never will. */
  ready?(context: Context, live: Live, inputs: Desired<Schema>, controls: Controls<Schema>): Promise<Live>;
  /**
   * Proves that what was made or changed does its work; rejects with the reason when it doesn't. A change that is not
   * proven is undone by an update in the other direction.
   */
  prove?(context: Context, live: Live, controls: Controls<Schema>, proof: Proof<z.output<Schema>>): Promise<void>;

  /**
   * The service's answer as arguments. An argument that is left out can't be read.
   *
   * @param state what is recorded, arguments and outputs; only the arguments of a resource that is being adopted
   */
  observe(live: Live, state: Properties): Partial<Record<keyof z.output<Schema> & string, unknown>>;
  /**
   * The outputs, but for `revision`.
   *
   * @param old what is recorded, arguments and outputs; empty for a resource that is new
   */
  computed(
    live: Live,
    context: Context,
    old: Partial<z.output<Outputs>> & Properties,
  ): Exactly<Computed<Outputs>, Made>;
}

/** A definition as the lifecycle handles it, whatever the kind. */
export type AnyDefinition = ResourceDefinition<z.ZodObject, { id: string }>;

/** What a class takes in place of an id and a revision; how it does is written by hand, in the sdk. */
export interface Takes {
  /** The argument. */
  readonly argument: "template" | "endpoint" | "pod";
  readonly description: string;
  /** `follows`: the id of a resource of the same program brings the revision as well. */
  readonly byId: "follows" | "stays";
}

/** A definition whose types are inferred from its schemas and its `read`. */
export function defineResource<
  Schema extends z.ZodObject,
  Live extends { id: string },
  Outputs extends z.ZodObject,
  Made extends Computed<Outputs>,
>(definition: ResourceDefinition<Schema, Live, Outputs, Made>): ResourceDefinition<Schema, Live, Outputs, Made> {
  return definition;
}

/** A kind whose operations are those of the resources that it keeps. */
export function defineKind<Schema extends z.ZodObject, Outputs extends z.ZodObject>(
  description: KindDescription<Schema, Outputs>,
): KindDescription<Schema, Outputs> {
  return description;
}

/** A state's short hash of the account that the resource is in. */
export const ACCOUNT = "__account";

/** A state's mark of a resource that was taken over, once the argument `adoptId` doesn't say so. */
const ADOPTED = "__adopted";

/** Whether the resource of a state was taken over: then another state, or another name in this one, may have it, too. */
export function isAdopted({ adoptId, [ADOPTED]: mark }: Properties): boolean {
  return mark === true || typeof adoptId === "string";
}

export function adopted(state: Properties): Properties {
  return { ...state, [ADOPTED]: true };
}

/**
 * Sent by the sdk in previews, and never recorded: what the program declares of resources that don't exist yet, by the
 * path of the argument that will be their id.
 */
export const REFERENCED = "__referenced";

/** The output that changes with every update of ours, in kinds that declare it. */
export const REVISION = "revision";

/** Declares it. */
export const revision = (kind: string) =>
  z.int().describe(`Changes with every update of the ${kind} by this provider.`);

/** The mark of arguments that the option `import` was declared with. */
export const IMPORTED = "__imported";

/**
 * Arguments that every kind takes and that are not properties of the resource. The engine shows no property that begins
 * with two underscores.
 */
export const COMMON_INPUTS = {
  adoptId: control(z.string().min(1).optional()).describe(
    "Adopts the existing resource with this id instead of creating one. Differences are updated in place; " +
      "a difference that needs a replacement is an error. Removing `adoptId` later changes nothing. Default: none.",
  ),
  /** Sent by the sdk: stands for the resource's place in organization, project, stack and program. */
  __seed: control(z.string().optional()),
  /** The program's name of the resource, sent by the sdk where `name` was left out. */
  __logicalName: control(z.string().optional()),
  /** Sent by the sdk: top-level arguments whose values the program marked as secret. */
  __secrets: control(z.array(z.string()).optional()),
  /** Set by the check of what the option `import` takes over. */
  [IMPORTED]: control(z.boolean().optional()),
  /** Sent by the sdk: Pulumi's options of these names. */
  __replaceOnChanges: control(z.array(z.string()).optional()),
  __ignoreChanges: control(z.array(z.string()).optional()),
  __deleteBeforeReplace: control(z.boolean().optional()),
  /** What states of 0.1 hold for `__logicalName`. */
  logicalName: control(z.string().optional()),
};

/** The arguments among these that the program marked as secret. */
export function markedSecrets({ __secrets: names }: Properties): readonly unknown[] {
  return Array.isArray(names) ? names : [];
}
