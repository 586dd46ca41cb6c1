import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { fullUrls } from "../../provider/common/queueUrls";
import { giveEndpoint } from "./endpoint";
import { findPlugin, version } from "./findPlugin";
import { findProvider } from "./findProvider";
import { isHostedNatively } from "./host";
import { withShortTraces } from "./shortTraces";

const PROVIDER_TYPE = "pulumi:providers:computecloud";

/** Arguments that every resource takes besides its own. */
export interface CommonArgs {
  /**
   * Takes over the existing resource with this id instead of creating one: what differs is updated in place, what would
   * need a replacement is an error. Removing it later changes nothing. Default: none.
   */
  adoptId?: pulumi.Input<string>;
}

/** What a kind's class tells of itself. */
export interface Kind {
  /** Export of `pulumi-computecloud/provider`. Stands in users' states: never change it. */
  readonly provider: string;
  /** As users read it. */
  readonly type: string;
  /** All that the class declares: the engine's answer is dropped for a property that was not announced. */
  readonly outputs: readonly string[];
  /** Arguments and outputs that are encrypted in the state. */
  readonly secrets?: readonly string[];
  /** An output that is encrypted when one of these arguments is; the argument `secretOutput` tells the provider. */
  readonly secretWith?: { readonly output: string; readonly inputs: readonly string[] };
  /** Whether the service wants a name, which is made up where none is given. Default true. */
  readonly named?: boolean;
  /** Whether a Template may be given as `template`, in place of `templateId` and `templateRevision`. */
  readonly takesTemplate?: "follows" | "onRequest";
  /** Whether an endpoint may be given as `endpoint`, in place of `endpointId` and `endpointRevision`. */
  readonly takesEndpoint?: boolean;
  /** Whether it keeps other resources, each of which tells its own secrets, and is replaced and protected by itself. */
  readonly keeps?: boolean;
  /** Present names of arguments, by their old ones. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Arguments that reach the provider as JSON texts. */
  readonly json?: readonly string[];
}

/** A Template, which brings its id and its revision: what uses it follows its changes. */
export interface RevisedTemplate {
  readonly id: pulumi.Output<string>;
  readonly revision: pulumi.Output<number>;
}

/** The revision that belongs to an id, for programs that name a template of theirs by `template.id`. */
const revisions = new WeakMap<object, pulumi.Output<number>>();

/**
 * A resource: a dynamic one, whose provider is named by a short text instead of serialised code, or, where a `Provider`
 * is given, one that the plugin makes.
 */
export abstract class ComputeCloudResource extends pulumi.CustomResource {
  protected constructor(kind: Kind, name: string, args: object, chosenOptions: pulumi.CustomResourceOptions = {}) {
    const isNative = isHostedNatively() || hasProvider(chosenOptions);
    if (isNative) findPlugin();
    else findProvider();
    refuse(kind, name, args, chosenOptions, isNative);
    const options = aboutArguments(chosenOptions, args);
    const given = new Map(Object.entries(args));
    giveNewNames(kind, name, given);
    for (const key of kind.secrets ?? []) {
      const value = given.get(key);
      if (value !== undefined) given.set(key, secretly(value));
    }
    if (kind.takesEndpoint) giveEndpoint(given);
    for (const key of kind.json ?? []) {
      const value = given.get(key);
      if (value !== undefined) given.set(key, pulumi.jsonStringify(value));
    }
    if (kind.takesTemplate !== undefined) giveTemplate(kind.takesTemplate, given, `${kind.type} "${name}"`);
    const saysProtected = kind.keeps ? followProtect(given) : undefined;
    const chosen = { kind, name, given, options };
    const { type, properties, more } = isNative ? asNative(chosen) : asDynamic(chosen);
    const withLongTraces = withShortTraces(ComputeCloudResource.name);
    try {
      super(type, name, properties, {
        ...options,
        // The provider replaces the members that are meant: the engine would replace all that the resource keeps.
        ...(kind.keeps && { replaceOnChanges: [] }),
        ...(holdsVolume(kind, given) && { deleteBeforeReplace: options.deleteBeforeReplace ?? true }),
        ...more,
      });
    } finally {
      withLongTraces();
    }
    // By now parents and transformations have had their say.
    saysProtected?.(Reflect.get(this, "__protect") === true);
    const revision: unknown = Reflect.get(this, "revision");
    if (pulumi.Output.isInstance<number>(revision)) revisions.set(this.id, revision);
    const urls: unknown = Reflect.get(this, "requestUrls");
    // The state of a dynamic resource holds only what all the addresses begin with.
    if (pulumi.Output.isInstance(urls)) Reflect.set(this, "requestUrls", urls.apply(fullUrls));
  }
}

interface Chosen {
  readonly kind: Kind;
  readonly name: string;
  readonly given: Map<string, unknown>;
  readonly options: pulumi.CustomResourceOptions;
}

/** What the engine is told of a resource. */
interface Registration {
  readonly type: string;
  readonly properties: pulumi.Inputs;
  readonly more: pulumi.CustomResourceOptions;
}

/** The plugin sees by itself what is secret, and where in the program the resource is. */
function asNative({ kind, given, options }: Chosen): Registration {
  return {
    type: `computecloud:index:${kind.type}`,
    properties: {
      ...announced(kind),
      ...Object.fromEntries(given),
      ...(kind.keeps && options.replaceOnChanges !== undefined && { __replaceOnChanges: options.replaceOnChanges }),
    },
    // A resource that was dynamic goes on as this one.
    more: { version: options.version ?? version, aliases: [...(options.aliases ?? []), { type: dynamicType(kind) }] },
  };
}

function asDynamic({ kind, name, given, options }: Chosen): Registration {
  const type = dynamicType(kind);
  const secretOutputs = [...(options.additionalSecretOutputs ?? []), ...(kind.secrets ?? [])];
  if (kind.secretWith !== undefined) followSecrets(kind.secretWith, given, secretOutputs);
  const secrets = kind.keeps ? undefined : secretArguments(given, kind.secrets ?? []);
  const properties = {
    ...announced(kind),
    ...Object.fromEntries(given),
    ...(kind.named !== false && named(type, name, given, options.parent)),
    ...(secrets !== undefined && { __secrets: secrets }),
    ...(options.replaceOnChanges !== undefined && { __replaceOnChanges: options.replaceOnChanges }),
    ...((kind.keeps || kind.takesTemplate !== undefined) &&
      options.ignoreChanges !== undefined && { __ignoreChanges: options.ignoreChanges }),
    __provider: `exports.handler=()=>require("pulumi-computecloud/provider").${kind.provider}`,
  };
  return { type, properties, more: { additionalSecretOutputs: secretOutputs } };
}

function dynamicType({ type }: Kind): string {
  return `pulumi-nodejs:dynamic/computecloud:${type}`;
}

function announced({ outputs }: Kind): pulumi.Inputs {
  return Object.fromEntries(outputs.map((key) => [key, undefined]));
}

/**
 * What a program gives as one resource reaches the engine as several arguments: options that name the one mean these. A
 * revision that comes along with `templateId: template.id` goes where the id goes.
 */
function aboutArguments(options: pulumi.CustomResourceOptions, args: object): pulumi.CustomResourceOptions {
  const template = ["templateId", "templateRevision"];
  const meant: ReadonlyMap<string, readonly string[]> = new Map([
    ["template", template],
    ["endpoint", ["endpointId", "endpointRevision", "endpointType"]],
    ...(Reflect.get(args, "templateRevision") === undefined ? [["templateId", template] as const] : []),
  ]);
  const spelledOut = (paths: string[]) => [...new Set(paths.flatMap((path) => meant.get(path) ?? ofKept(path)))];
  const { ignoreChanges, replaceOnChanges } = options;
  return {
    ...options,
    ...(ignoreChanges !== undefined && { ignoreChanges: spelledOut(ignoreChanges) }),
    ...(replaceOnChanges !== undefined && { replaceOnChanges: spelledOut(replaceOnChanges) }),
  };
}

/** The same for a template of what a resource keeps: `endpoints.chat.template`, `defaults["template"]`. */
function ofKept(path: string): readonly string[] {
  const end = /(?:\.|\[")template(?:Id)?(?:"\])?$/.exec(path);
  if (end === null) return [path];
  const before = path.slice(0, end.index);
  return [`${before}.templateId`, `${before}.templateRevision`];
}

/** Whether the program chose an account by a `Provider`: for this resource, or for the component that it is part of. */
export function hasProvider({ provider, parent }: pulumi.CustomResourceOptions): boolean {
  if (provider === undefined) return parent?.getProvider("computecloud:index:Provider") !== undefined;
  return Reflect.get(provider, "__pulumiType") === PROVIDER_TYPE;
}

/**
 * Whether an argument is a secret is known no sooner than the argument itself. The engine is told the list of secret
 * outputs after all arguments are known, `secretOutput` among them: by then the list is complete.
 */
function followSecrets(
  { output, inputs }: NonNullable<Kind["secretWith"]>,
  given: Map<string, unknown>,
  secretOutputs: string[],
): void {
  if (given.get("secretOutput") === true) {
    secretOutputs.push(output);
    return;
  }
  const isSecret = pulumi.isSecret(pulumi.output(inputs.map((key) => given.get(key))));
  const told = isSecret.then((secret) => {
    if (secret) secretOutputs.push(output);
    return secret;
  });
  given.set("secretOutput", pulumi.output(told));
}

/**
 * Whether the new one must not run beside the old one: both would write to one network volume. A replacement by
 * `--replace` asks the provider nothing, so that the class has to know.
 */
function holdsVolume({ type }: Kind, given: ReadonlyMap<string, unknown>): boolean {
  const mounts: unknown = given.get("mounts");
  if (!["Pod", "Cluster"].includes(type) || mounts === null || typeof mounts !== "object") return false;
  return pulumi.Output.isInstance(mounts) || (Reflect.get(mounts, "network") ?? undefined) !== undefined;
}

/** The engine encrypts arguments by their names: an old name must not reach it. Under both names the provider refuses it. */
function giveNewNames({ type, renamed = {} }: Kind, name: string, given: Map<string, unknown>): void {
  for (const [old, now] of Object.entries(renamed)) {
    if (given.get(old) === undefined || given.get(now) !== undefined) continue;
    given.set(now, given.get(old)).delete(old);
    void pulumi.log.warn(
      `${type} "${name}": the argument ${old} is called ${now} now. A later version removes the old name.`,
    );
  }
}

/**
 * Puts a template's id and revision in the place of `template`.
 *
 * @param how `follows`: `templateId: template.id` brings the revision as well; `onRequest`: only `template` does
 */
export function giveTemplate(how: "follows" | "onRequest", given: Map<string, unknown>, who: string): void {
  const argument = (key: string): unknown => given.get(key) ?? undefined;
  const { template, templateId, templateRevision } = {
    template: argument("template") as RevisedTemplate | undefined,
    templateId: argument("templateId"),
    templateRevision: argument("templateRevision"),
  };
  given.delete("template");
  if (template !== undefined) {
    if (templateId !== undefined || templateRevision !== undefined)
      throw new pulumi.RunError(`${who}: template brings its id and revision; remove templateId and templateRevision.`);
    given.set("templateId", template.id).set("templateRevision", template.revision);
  } else if (how === "follows" && templateRevision === undefined && pulumi.Output.isInstance(templateId)) {
    const revision = revisions.get(templateId);
    if (revision !== undefined) given.set("templateRevision", revision);
  }
}

/**
 * The engine knows of the option `protect`, and the provider, which deletes and replaces what the resource keeps, doesn't:
 * it gets an argument.
 *
 * @returns to be told whether the resource is protected
 */
function followProtect(given: Map<string, unknown>): (isProtected: boolean) => void {
  let tell: (isProtected: boolean) => void = () => {};
  const asked = new Promise<true | undefined>((resolve) => {
    tell = (isProtected) => resolve(isProtected || undefined);
  });
  given.set("protectMembers", given.get("protectMembers") ?? asked);
  return tell;
}

/** What the engine can't do with these resources, and would ignore or fail at without a way out. */
function refuse(
  { type }: Kind,
  name: string,
  args: unknown,
  options: pulumi.CustomResourceOptions,
  isNative: boolean,
): void {
  const subject = `${type} "${name}"`;
  if (args === null || typeof args !== "object") {
    throw new pulumi.RunError(`${subject} needs its arguments: new ${type}("${name}", { … })`);
  }
  if (options.import !== undefined && !isNative) {
    throw new pulumi.RunError(
      `${subject}: the option \`import\` works with a provider only: { import: …, provider: new Provider("cloud") }, which ` +
        "the resource has to keep. Without one, take over the existing " +
        `${type} with the argument \`adoptId\`.`,
    );
  }
  if (options.customTimeouts !== undefined) {
    throw new pulumi.RunError(
      `${subject}: the option \`customTimeouts\` does not work with this package's resources. Where a run waits for a ` +
        'resource, the argument `createTimeout` says how long, such as createTimeout: "30m".',
    );
  }
}

/** A map's values one by one, so that a diff may show its keys. */
export function secretly(value: unknown): unknown {
  const isMap = value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
  if (!isMap) return pulumi.secret(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, pulumi.secret(member)]));
}

/** The provider is told which arguments are secret, because it gets all in clear, and names differences in messages. */
export function secretArguments(given: ReadonlyMap<string, unknown>, known: readonly string[]) {
  const candidates = [...given].filter(([key, value]) => !known.includes(key) && holdsOutput(value));
  if (candidates.length === 0) return undefined;
  return Promise.all(
    candidates.map(async ([key, value]) => ((await pulumi.isSecret(pulumi.output(value))) ? [key] : [])),
  ).then((keys) => (keys.flat().length === 0 ? undefined : keys.flat()));
}

export function holdsOutput(value: unknown): boolean {
  if (pulumi.Output.isInstance(value)) return true;
  if (value === null || typeof value !== "object" || value instanceof Promise) return false;
  return Object.values(value).some(holdsOutput);
}

/** The provider isn't told the resource's name and place, and needs both to make up a name for the service. */
function named(type: string, name: string, given: ReadonlyMap<string, unknown>, parent?: pulumi.Resource) {
  const unnamed = (given.get("name") ?? undefined) === undefined;
  return { __seed: seedOf(type, name, parent), ...(unnamed && { __logicalName: name }) };
}

/** The same in every run, and for no other resource. */
function seedOf(type: string, name: string, parent?: pulumi.Resource): pulumi.Input<string> {
  // Under mocks there is no engine, and unless the test names one no organization either.
  const organization = pulumi.runtime.getEngine() === undefined ? "" : pulumi.getOrganization();
  const seed = (urn: string) => createHash("sha256").update(`${organization}\n${urn}`).digest("hex").slice(0, 16);
  if (parent === undefined) return seed(`urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`);
  // As a promise: the parent's own output would make the resource depend on all of the parent's children.
  return new Promise((resolve) => pulumi.createUrn(name, type, parent).apply((urn) => resolve(seed(urn))));
}
