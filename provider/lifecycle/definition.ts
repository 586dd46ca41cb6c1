import type { CallOptions, Client, Subject, Tolerant } from "../../client";
import { z } from "../../common/zod";
import type { Ledger } from "../memory/ledger";
import type { Difference } from "./fields/difference";
import type { Example } from "./fields/example";
import { type Controls, type Creatable, control, type Desired, factsOf } from "./fields/fields";
import type { Unknown } from "./fields/unknown";
import type { Properties } from "./fields/values";
import type { AccountProof, EngineLog, Holder, Settings } from "./run";

/** Arguments that may name entries of the service's catalog, or other resources of the account. */
export interface NamedArguments {
  readonly schema: z.ZodObject;
  /** The arguments in the state; empty for a new resource. */
  readonly old: Properties;
  readonly inputs: Properties;
  /** What the program declares of resources that a preview does not have yet, by the path of their id. */
  readonly referenced: Properties;
}

/** What every operation gets: the service, the settings it is reached with, and a line to the person who waits. */
export interface Context {
  readonly client: Client;
  readonly settings: Settings;
  readonly log: EngineLog;
  /** Aborts when the engine was told to stop: waits end, and what exists already is recorded. */
  readonly signal: AbortSignal;
  /** What is known between runs and processes. */
  readonly ledger: Ledger;
  readonly account: AccountProof;
  /** Finds names in arguments that are not there, and are not in the state either. */
  readonly checkNames: (context: Context, named: NamedArguments) => Promise<CheckFailure[]>;
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
  readonly onLost?: ((mayAppearUntil: Date) => void) | undefined;
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
  /** It undoes an update of this run, whose proof has failed. */
  readonly undoes?: boolean;
}

/** The run of an operation, for what lasts as long: `perRun`. */
export type Run = Pick<Context, "ledger">;

/** What `judge` gets of a change. */
export interface Judged {
  readonly id: string;
  /** Kind and id, as messages name it. */
  readonly subject: string;
  /** The recorded state: arguments and outputs. */
  readonly old: Properties;
  /** The declared arguments. */
  readonly next: Properties;
  /** Paths of all differences. */
  readonly changes: readonly string[];
  /** Paths of the differences that replace the resource. Empty if it changes in place, or not at all. */
  readonly replaces: readonly string[];
}

/** What a kind says of a change. All of it is left out where there is nothing to say. */
export interface Verdict {
  /** Why the service won't make this change, and the way out. */
  readonly refused?: string | undefined;
  /** What has to be done before the resource may be replaced. */
  readonly guard?: string | undefined;
  /** What a replacement deletes along with the resource. */
  readonly loses?: string | undefined;
  /** A replacement has to delete the resource first, for a reason other than its unique name. */
  readonly deletesFirst?: boolean;
  /** What else the person should know. */
  readonly warning?: string | undefined;
  /** What a killed run has left otherwise than the state says: `update` repairs it. */
  readonly left?: readonly Difference[];
}

/** What `ready` is told of the change. */
export interface Proof<Inputs> {
  /** Top-level arguments that an update has changed; undefined when all is new, or was never proven. */
  readonly changed: ReadonlySet<keyof Inputs & string> | undefined;
  /** Whether an argument is a secret of the program. */
  isSecret(argument: keyof Inputs & string): boolean;
  /** Whether Pulumi's option `ignoreChanges` names the argument. */
  isIgnored(argument: keyof Inputs & string): boolean;
}

/** What a program may use of a resource besides its arguments, but for the revision, which the lifecycle counts. */
type Computed<Outputs extends z.ZodObject> = Readable<Omit<z.input<Outputs>, typeof REVISION>>;

/** What an answer does not show is undefined, and the state keeps its value. */
type Readable<Outputs> = { [Key in keyof Outputs]: Tolerant<Outputs[Key]> | undefined };

/** `Given` with every key of `Expected` and no other: a key too many, or one that is missing, is a type error. */
type Exactly<Expected, Given> = Given & { [Key in Exclude<keyof Given, keyof Expected>]: never } & {
  [Key in Exclude<keyof Expected, keyof Given>]-?: Expected[Key];
};

/** How an existing resource is taken over, by `adoptId`, an import, `adopt` or `migrate`. */
export interface Adoption {
  /** It holds data or serves. The program that adopts it protects it from deletion. */
  readonly protect: boolean;
  /** Arguments that the kind's `read` does not show. */
  more?(context: Context, id: string): Promise<Properties>;
  /** Why this resource can't be managed as this kind, and the way out; undefined when it can. It gets what `read` gives. */
  unfit?(live: object): string | undefined;
  /** The kind whose list shows resources of this kind, too, by the name of its export. */
  readonly listedWith?: string;
  /**
   * Ids of the listed resources that this kind declares best; the others belong to the kind that is `listedWith` it,
   * or are left out. Default: all.
   */
  idsOfKind?(context: Context, listed: readonly Listed[]): Promise<ReadonlySet<string>>;
  /** Every account has exactly one, with this id. `adopt --filter` looks for it by this name. */
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
   * the killed run that created it; a kind without the argument `name` says how its list shows these arguments. `none`: a
   * killed run leaves nothing.
   */
  readonly orphans: "named" | "noted" | "none" | { notedAs(inputs: Properties): string | undefined };
  /**
   * Drift that no declared argument shows. It compares arguments and outputs before and after a refresh. `differences` finds the
   * same in the state, for the next run to repair.
   */
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
  /**
   * When a replacement has to delete the old resource before it creates the new one: always, or where `mounts` name a network
   * volume, to which both would write. On `--replace` the engine does not ask the provider, so the class passes it on.
   */
  readonly deletesFirst?: "always" | "withVolume";
}

/** What programs see of a kind that consists of other resources. Its operations are those of these resources. */
export interface GroupDescription<Schema extends z.ZodObject, Outputs extends z.ZodObject = z.ZodObject>
  extends KindDescription<Schema, Outputs> {
  /** The argument that holds them, by name; they, and not this one, are adopted and replaced. */
  readonly keeps: keyof z.output<Schema> & string;
}

/**
 * One kind of resource: its arguments and outputs, and how the service makes, shows, changes and removes it. What is the same
 * for all kinds is written once in this folder; what one or two kinds need is beside them, in `resources/`.
 *
 * Alchemy's provider interface has 12 members; the 14 operations here are more where previews, drift and lost answers need it:
 * - `rules`, `check` and `judge` find in the preview what the service would refuse, or delete, in the middle of a run;
 * - `withDefaults` and `differences` are what a kind adds to one comparison of all kinds, in place of a `diff` of its own;
 * - `observe` and `computed` are apart, because drift of arguments is repaired, and outputs are only recorded;
 * - `create` and `update` are no single `reconcile`: the service has no idempotency keys, so a create is looked for by its name and
 *   never sent twice, while an update may be;
 * - `ready` is apart from both, so that what exists is recorded before it is waited for, and undone if it does not do its work.
 *
 * `Schema` describes the arguments, `Live` is what the service answers, `Outputs` describes what programs may use.
 */
export interface ResourceDefinition<
  Schema extends z.ZodObject,
  Live extends { id: string },
  Outputs extends z.ZodObject = z.ZodObject,
  Made extends Computed<Outputs> = Computed<Outputs>,
> extends KindDescription<Schema, Outputs> {
  /**
   * Fills in defaults that depend on other arguments; what is set stays as it is. The schema holds all others. It is also applied
   * to old states, so that a default which is new is no change.
   */
  withDefaults?(inputs: Properties): Properties;
  /**
   * Finds mistakes across arguments, in every check and without a call. What is unknown in a preview is left out of `inputs`, and
   * named by `isUnknown`.
   */
  rules?(
    inputs: Partial<z.output<Schema>>,
    isUnknown: (field: keyof z.output<Schema> & string) => Unknown,
  ): CheckFailure[];
  /**
   * Finds mistakes that take more than the arguments: a call, the interface in use, or what the program declares besides. It is
   * called once all else is right, in every run, before resources that depend on this one are checked. What is unknown in a
   * preview is in `inputs` as such.
   *
   * @param old the arguments in the state; empty for a new resource
   */
  check?(context: Context, inputs: Properties, old: Properties): CheckFailure[] | Promise<CheckFailure[]>;
  /**
   * The differences between state and arguments as the kind sees them. It leaves out those that the recorded state already
   * satisfies, and adds those that no argument shows, such as a copy that a refresh found out of date. It makes no call.
   *
   * @param changes what the fields' facts make of the two
   */
  differences?(changes: readonly Difference[], old: Properties, next: Properties, run: Run): readonly Difference[];
  /**
   * Judges a change before anything is done, in the preview as well. It is called in every run, also where nothing differs, after
   * what holds for all kinds: an adopted resource is not replaced, and what only grows does not shrink. It may read what a
   * replacement depends on, and throw.
   */
  judge?(context: Context, change: Judged): Verdict | Promise<Verdict>;

  /**
   * Creates one. The answer may be partial; `ready` waits for the rest. The client looks for a create whose answer was lost.
   *
   * @param onAgain is called before a create that was refused is sent again, after a wait
   */
  create(
    context: Context,
    inputs: Creatable<Schema>,
    naming: Naming,
    controls: Controls<Schema>,
    onAgain: () => void,
  ): Promise<Live>;
  /**
   * Reads one. Undefined means gone, and the state forgets it; whatever is not known for sure must throw.
   *
   * @param state what is recorded; empty if only the id is known, the arguments alone before an adoption
   */
  read(context: Context, id: string, state: Properties): Promise<Live | undefined>;
  /**
   * Changes it in place, and sends only what changed. Left out where every change replaces. An update without changes goes on
   * with what an earlier run did not finish.
   */
  update?(
    context: Context,
    id: string,
    inputs: Desired<Schema>,
    change: Change<z.output<Schema>>,
    controls: Controls<Schema>,
  ): Promise<Live>;
  /**
   * Deletes it, and resolves when it no longer exists: to false if it was deleted before this call. What is lost by that was
   * judged before.
   *
   * @param state what is recorded; empty for an orphan, which no state holds
   */
  delete(context: Context, id: string, state: Properties): Promise<boolean>;
  /**
   * Waits, bounded, until what was created or changed can be used, and proves that it does its work. It rejects with the reason
   * when it never will: then the state holds the resource as unfinished, and the next run goes on. After an update it may reject
   * with an UnprovenError, which has the change undone by an update in the other direction.
   */
  ready?(
    context: Context,
    live: Live,
    inputs: Desired<Schema>,
    controls: Controls<Schema>,
    proof: Proof<z.output<Schema>>,
  ): Promise<Live>;
  /** Lists all of the account, for names in use, lost creates, adoptions and orphans. Left out if the service has no such list. */
  list?(context: Pick<Context, "client">, options?: CallOptions): Promise<readonly Listed[]>;
  /**
   * Logs what the error of a failed create or update does not say, such as who uses a quota.
   *
   * @param id of what was to be updated
   */
  explain?(context: Context, error: unknown, inputs: Desired<Schema>, id: string | undefined): Promise<void>;

  /**
   * The service's answer as arguments. An argument that is left out can't be read, and counts as declared.
   *
   * @param state what is recorded, arguments and outputs; only the arguments of a resource that is being adopted
   */
  observe(live: Live, state: Properties): Partial<Record<keyof z.output<Schema> & string, unknown>>;
  /**
   * The outputs, but for `revision`. One that is undefined keeps its recorded value, where it is stable or required.
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
interface Takes {
  /** The argument. */
  readonly argument: "template" | "endpoint" | "pod";
  readonly description: string;
  /** `follows`: the id of a resource of the same program brings the revision as well. */
  readonly byId: "follows" | "stays";
  /** Whether a program has to give it, or its id. */
  readonly isRequired?: true;
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
export function defineGroup<Schema extends z.ZodObject, Outputs extends z.ZodObject>(
  description: GroupDescription<Schema, Outputs>,
): GroupDescription<Schema, Outputs> {
  return description;
}

/** Whether its id exists in every account, or the account keeps nothing of it. Finding it does not show whose account it is. */
export function isEverywhere({ adoption }: Pick<AccountFacts, "adoption">): boolean {
  return adoption === "none" || adoption.only !== undefined;
}

/** Whether the service refuses a second resource of the same name. */
export function hasUniqueName({ inputs }: { readonly inputs: z.ZodObject }): boolean {
  const { name } = inputs.shape;
  return name !== undefined && factsOf(name).uniqueName === true;
}

/** A state's short hash of the account that the resource is in. */
export const ACCOUNT = "__account";

/** A state's mark of a resource that was taken over, once the argument `adoptId` doesn't say so. */
const ADOPTED = "__adopted";

/** Whether the resource of a state was taken over: then another state, or another name in this one, may have it, too. */
export function isAdopted({ adoptId, [ADOPTED]: mark }: Properties): boolean {
  return mark === true || typeof adoptId === "string";
}

export const adopted = (state: Properties): Properties => ({ ...state, [ADOPTED]: true });

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
};

/** The arguments among these that the program marked as secret. */
export function markedSecrets({ __secrets: names }: Properties): readonly unknown[] {
  return Array.isArray(names) ? names : [];
}
