import * as pulumi from "@pulumi/pulumi";
import { fullUrls } from "../../common/queueUrls";
import { seedOf } from "../../common/seed";
import { giveEndpoint } from "./endpoint";
import { findPlugin, version } from "./findPlugin";
import { findProvider } from "./findProvider";
import { isHostedNatively } from "./host";
import { withShortTraces } from "./shortTraces";

const PROVIDER_TYPE = "pulumi:providers:computecloud";

/** Arguments that every resource takes besides its own. */
export interface CommonArgs {
  /**
   * Adopts the existing resource with this id instead of creating one. Differences are updated in place; a difference
   * that needs a replacement is an error. Removing `adoptId` later changes nothing. Default: none.
   */
  adoptId?: pulumi.Input<string>;
}

/** Facts of a kind that its class passes on. */
export interface Kind {
  /** Export of `pulumi-computecloud/provider`. Users' states hold it: never change it. */
  readonly provider: string;
  /** The kind's name for users. */
  readonly type: string;
  /** All properties of the class. The engine's answer is dropped for a property that was not announced. */
  readonly outputs: readonly string[];
  /** Arguments and outputs that are encrypted in the state. */
  readonly secrets?: readonly string[];
  /** An output that is encrypted if one of these arguments is a secret. The argument `secretOutput` tells the provider. */
  readonly secretWith?: { readonly output: string; readonly inputs: readonly string[] };
  /** Whether the service needs a name, which is generated if none is given. Default true. */
  readonly named?: boolean;
  /** Whether a Template may be given as `template`, in place of `templateId` and `templateRevision`. */
  readonly takesTemplate?: "follows" | "onRequest";
  /** Whether an endpoint may be given as `endpoint`, in place of `endpointId` and `endpointRevision`. */
  readonly takesEndpoint?: boolean;
  /** Whether it keeps other resources, which have secrets of their own and are replaced and protected one by one. */
  readonly keeps?: boolean;
  /** When a replacement has to delete the old resource first. On `--replace` the engine does not ask the provider. */
  readonly deletesFirst?: "always" | "withVolume";
  /** Whether nothing of it remains in the account that would have to be deleted. */
  readonly leavesNothing?: boolean;
  /** Arguments that reach the provider as JSON texts. */
  readonly json?: readonly string[];
  /** By such an argument: paths in its value. With a value at one of them the text is a secret. */
  readonly secretParts?: Readonly<Record<string, readonly string[]>>;
}

/** A Template with its id and revision. Resources that use it follow its changes. */
export interface RevisedTemplate {
  readonly id: pulumi.Output<string>;
  readonly revision: pulumi.Output<number>;
  /** An endpoint, which has a revision as well, is no template. */
  readonly requestUrls?: undefined;
}

/** The resources of the program by the output of their id, by which others name them. */
const resourcesById = new WeakMap<object, pulumi.Resource>();

/**
 * Base class of all resources. Without a `Provider` a resource is dynamic, and names its provider by a short text instead
 * of serialised code. With one it is native, and the plugin manages it.
 */
export abstract class ComputeCloudResource extends pulumi.CustomResource {
  protected constructor(kind: Kind, name: string, args: object, chosenOptions: pulumi.CustomResourceOptions = {}) {
    const isNative = isHostedNatively() || hasProvider(chosenOptions);
    if (isNative) findPlugin();
    else findProvider();
    refuse(kind, name, args, chosenOptions, isNative);
    const argsByName = new Map(Object.entries(args));
    const options = {
      ...aboutArguments(chosenOptions, args),
      ...(deletesFirst(kind, argsByName) && { deleteBeforeReplace: chosenOptions.deleteBeforeReplace ?? true }),
    };
    for (const key of kind.secrets ?? []) {
      const value = argsByName.get(key);
      // mutant secrets-in-clear: false
      // The plugin has to see which variables the program itself marks, and encrypts all of them.
      if (value !== undefined && !(isNative && key === "env")) argsByName.set(key, secretly(value));
    }
    if (kind.takesEndpoint) giveEndpoint(argsByName);
    for (const key of kind.json ?? []) {
      const value = argsByName.get(key);
      if (value !== undefined) argsByName.set(key, pulumi.jsonStringify(value));
    }
    if (kind.takesTemplate !== undefined) giveTemplate(kind.takesTemplate, argsByName, `${kind.type} "${name}"`);
    const setProtected = kind.keeps ? followProtect(argsByName) : undefined;
    const chosen = { kind, name, argsByName, options, env: Reflect.get(args, "env") as unknown };
    if (pulumi.runtime.isDryRun()) giveReferenced(argsByName);
    const { type, properties, more } = isNative ? asNative(chosen) : asDynamic(chosen);
    const withLongTraces = withShortTraces(ComputeCloudResource.name);
    try {
      super(type, name, properties, {
        ...options,
        // The provider replaces the members that are meant. The engine would replace the whole fleet.
        ...(kind.keeps && { replaceOnChanges: [] }),
        ...more,
      });
    } finally {
      withLongTraces();
    }
    // Parents and transformations have set their options by now.
    setProtected?.(Reflect.get(this, "__protect") === true);
    resourcesById.set(this.id, this);
    const urls: unknown = Reflect.get(this, "requestUrls");
    // The state of a dynamic resource holds only the beginning that all addresses share.
    if (pulumi.Output.isInstance(urls)) Reflect.set(this, "requestUrls", urls.apply(fullUrls));
  }
}

interface Chosen {
  readonly kind: Kind;
  readonly name: string;
  readonly argsByName: Map<string, unknown>;
  readonly options: pulumi.CustomResourceOptions;
  /** As the program gives them. */
  readonly env: unknown;
}

/** Registers a native resource. The engine tells the plugin what is secret, and the resource's place. */
function asNative({ kind, argsByName, options }: Chosen) {
  const type = dynamicType(kind);
  const { aliases = [] } = options;
  // A dynamic resource becomes this one without a replacement, also one of another name or parent.
  const renamed = aliases.flatMap((alias) => (isPlain(alias) && alias.type === undefined ? [{ ...alias, type }] : []));
  return {
    type: `computecloud:index:${kind.type}`,
    properties: {
      ...announced(kind),
      // What only reads gets no arguments: the plugin takes a state without any for that of an unknown resource.
      ...(options.id === undefined && Object.fromEntries(argsByName)),
      ...(kind.keeps && options.replaceOnChanges !== undefined && { __replaceOnChanges: options.replaceOnChanges }),
      ...(options.deleteBeforeReplace === true && { __deleteBeforeReplace: true }),
    },
    more: { version: options.version ?? version, aliases: [...aliases, ...renamed, { type }] },
  };
}

/** Registers a dynamic resource. Its provider gets what the engine does not tell it as arguments. */
function asDynamic({ kind, name, argsByName, options, env }: Chosen) {
  const type = dynamicType(kind);
  const secretOutputs = [...(options.additionalSecretOutputs ?? []), ...(kind.secrets ?? [])];
  if (kind.secretWith !== undefined) followSecrets(kind.secretWith, argsByName, secretOutputs);
  const secrets = kind.keeps ? undefined : secretArguments(argsByName, kind.secrets ?? [], env);
  // The plugin does it by itself. It knows the paths from its schema, and the engine takes marks from it.
  for (const [key, paths] of Object.entries(kind.secretParts ?? {}))
    argsByName.set(key, secretWith(paths, argsByName.get(key)));
  const properties = {
    ...announced(kind),
    ...Object.fromEntries(argsByName),
    __seed: seedAt(type, name, options.parent),
    // The engine does not tell a dynamic provider the name that it needs to generate one.
    ...(kind.named !== false && (argsByName.get("name") ?? undefined) === undefined && { __logicalName: name }),
    ...(secrets !== undefined && { __secrets: secrets }),
    ...(options.replaceOnChanges !== undefined && { __replaceOnChanges: options.replaceOnChanges }),
    ...(options.deleteBeforeReplace === true && { __deleteBeforeReplace: true }),
    ...((kind.keeps || kind.takesTemplate !== undefined) &&
      options.ignoreChanges !== undefined && { __ignoreChanges: options.ignoreChanges }),
    __provider: `exports.handler=()=>require("pulumi-computecloud/provider").${kind.provider}`,
  };
  return { type, properties, more: { additionalSecretOutputs: secretOutputs } };
}

const dynamicType = ({ type }: Kind): string => `pulumi-nodejs:dynamic/computecloud:${type}`;

const announced = ({ outputs }: Kind): pulumi.Inputs => Object.fromEntries(outputs.map((key) => [key, undefined]));

/**
 * Rewrites paths of options. A program gives one resource where the engine gets several arguments, so an option that
 * names the one means all of these. A revision that comes with `templateId: template.id` is treated like the id.
 */
function aboutArguments(options: pulumi.CustomResourceOptions, args: object): pulumi.CustomResourceOptions {
  const template = ["templateId", "templateRevision"];
  const meant: ReadonlyMap<string, readonly string[]> = new Map([
    ["template", template],
    ["endpoint", ["endpointId", "endpointRevision", "endpointType"]],
    ["pod", ["podId", "podImage"]],
    ...(Reflect.get(args, "templateRevision") === undefined ? [["templateId", template] as const] : []),
  ]);
  const spelledOut = (paths: string[]) => [...new Set(paths.flatMap((path) => meant.get(path) ?? templatePaths(path)))];
  const { ignoreChanges, replaceOnChanges } = options;
  return {
    ...options,
    ...(ignoreChanges !== undefined && { ignoreChanges: spelledOut(ignoreChanges) }),
    ...(replaceOnChanges !== undefined && { replaceOnChanges: spelledOut(replaceOnChanges) }),
  };
}

/** The paths for a template of a kept resource: `endpoints.chat.template`, `defaults["template"]`. */
function templatePaths(path: string): readonly string[] {
  const end = /(?:\.|\[")template(?:Id)?(?:"\])?$/.exec(path);
  if (end === null) return [path];
  const before = path.slice(0, end.index);
  return [`${before}.templateId`, `${before}.templateRevision`];
}

/** Whether the program chose an account by a `Provider`, for this resource or for the component that has it. */
export function hasProvider({ provider, parent }: pulumi.CustomResourceOptions): boolean {
  if (provider === undefined) return parent?.getProvider("computecloud:index:Provider") !== undefined;
  return Reflect.get(provider, "__pulumiType") === PROVIDER_TYPE;
}

/**
 * Makes an output secret if one of the arguments is. That is known only with the arguments. The engine reads the list of
 * secret outputs after all arguments are known, `secretOutput` among them, so the list is complete by then.
 */
function followSecrets(
  { output, inputs }: NonNullable<Kind["secretWith"]>,
  argsByName: Map<string, unknown>,
  secretOutputs: string[],
): void {
  if (argsByName.get("secretOutput") === true) {
    secretOutputs.push(output);
    return;
  }
  const isSecret = pulumi.isSecret(pulumi.output(inputs.map((key) => argsByName.get(key))));
  const isOutputSecret = isSecret.then((secret) => {
    // mutant secret-outputs-in-clear: false
    if (secret) secretOutputs.push(output);
    return secret;
  });
  argsByName.set("secretOutput", pulumi.output(isOutputSecret));
}

function deletesFirst({ deletesFirst: when }: Kind, argsByName: ReadonlyMap<string, unknown>): boolean {
  const mounts: unknown = argsByName.get("mounts");
  if (when !== "withVolume" || mounts === null || typeof mounts !== "object") return when === "always";
  return pulumi.Output.isInstance(mounts) || (Reflect.get(mounts, "network") ?? undefined) !== undefined;
}

/**
 * Replaces `template` by the template's id and revision.
 *
 * @param how `follows`: `templateId: template.id` brings the revision too; `onRequest`: only `template` does
 * @throws pulumi.RunError if `template` is given together with its id or revision
 */
export function giveTemplate(how: "follows" | "onRequest", argsByName: Map<string, unknown>, who: string): void {
  const argument = (key: string): unknown => argsByName.get(key) ?? undefined;
  const { template, templateId, templateRevision } = {
    template: argument("template") as RevisedTemplate | undefined,
    templateId: argument("templateId"),
    templateRevision: argument("templateRevision"),
  };
  argsByName.delete("template");
  if (template !== undefined) {
    if (templateId !== undefined || templateRevision !== undefined)
      throw new pulumi.RunError(`${who}: template brings its id and revision; remove templateId and templateRevision.`);
    argsByName.set("templateId", template.id).set("templateRevision", template.revision);
  } else if (how === "follows" && templateRevision === undefined && pulumi.Output.isInstance(templateId)) {
    const revision = outputOf(resourcesById.get(templateId), "revision");
    if (revision !== undefined) argsByName.set("templateRevision", revision);
  }
}

/** A preview doesn't know the ids of new resources. So it gets what the program declares of those that are named. */
function giveReferenced(argsByName: Map<string, unknown>): void {
  const references = [...argsByName].flatMap(([key, value]) => referencedIn(value, key));
  if (references.length > 0) argsByName.set("__referenced", Object.fromEntries(references));
}

function referencedIn(value: unknown, path: string): [string, object][] {
  if (pulumi.Output.isInstance(value)) {
    const [serverless, dataCenter] = ["serverless", "dataCenter"].map((key) => outputOf(resourcesById.get(value), key));
    return serverless === undefined && dataCenter === undefined ? [] : [[path, { serverless, dataCenter }]];
  }
  if (value === null || typeof value !== "object" || value instanceof Promise) return [];
  return Object.entries(value).flatMap(([key, member]) => referencedIn(member, `${path}.${key}`));
}

function outputOf(resource: pulumi.Resource | undefined, key: string): pulumi.Output<unknown> | undefined {
  const value: unknown = resource && Reflect.get(resource, key);
  return pulumi.Output.isInstance(value) ? value : undefined;
}

/**
 * Passes the option `protect` on as an argument. The provider, which deletes and replaces the kept resources, does not
 * see the option itself.
 *
 * @returns a function to call once it is known whether the resource is protected
 */
function followProtect(argsByName: Map<string, unknown>): (isProtected: boolean) => void {
  let resolveProtection: (isProtected: boolean) => void = () => {};
  const protection = new Promise<true | undefined>((resolve) => {
    resolveProtection = (isProtected) => resolve(isProtected || undefined);
  });
  argsByName.set("protectMembers", argsByName.get("protectMembers") ?? protection);
  return resolveProtection;
}

/**
 * Refuses options that the engine would ignore, or fail at without a way out.
 *
 * @throws pulumi.RunError
 */
function refuse(
  { type, leavesNothing }: Kind,
  name: string,
  args: unknown,
  options: pulumi.CustomResourceOptions,
  isNative: boolean,
): void {
  const subject = `${type} "${name}"`;
  if (args === null || typeof args !== "object") {
    throw new pulumi.RunError(`${subject} needs its arguments: new ${type}("${name}", { … })`);
  }
  const reading = (["import", "id"] as const).find((option) => options[option] !== undefined);
  if (reading !== undefined && !isNative) {
    throw new pulumi.RunError(
      `${subject}: the option \`${reading}\` works with a provider only: { ${reading}: …, provider: new Provider("cloud") }, which ` +
        "the resource has to keep. Without one, adopt the existing " +
        `${type} with the argument \`adoptId\`${reading === "id" ? ", or read it with a function" : ""}.`,
    );
  }
  if (options.customTimeouts !== undefined) {
    throw new pulumi.RunError(
      `${subject}: the option \`customTimeouts\` does not work with this package's resources. Where a run waits for a ` +
        'resource, the argument `createTimeout` says how long, such as createTimeout: "30m".',
    );
  }
  // mutant deleted-with-nothing: false
  if (!leavesNothing) refuseDeletedWith(subject, options);
}

/**
 * Refuses an option of which no provider learns: the engine alone forgets the resource. A component's resources inherit it.
 *
 * @throws pulumi.RunError
 */
export function refuseDeletedWith(subject: string, { deletedWith }: pulumi.ResourceOptions): void {
  if (deletedWith === undefined) return;
  throw new pulumi.RunError(
    `${subject}: the option \`deletedWith\` would leave it running, billed and in no stack. The service deletes nothing ` +
      "along with another resource. Remove the option.",
  );
}

/** Marks a value as secret; a map's values one by one, so that a diff can show its keys. */
export function secretly(value: unknown): unknown {
  if (!isPlain(value)) return pulumi.secret(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, pulumi.secret(member)]));
}

/** The JSON text, as a secret if it has a value at one of the paths. */
function secretWith(paths: readonly string[], text: unknown): pulumi.Output<string | undefined> {
  const part = (json: unknown, path: string): unknown =>
    path.split(".").reduce((at, key) => Reflect.get(Object(at), key), json);
  return pulumi.output(text as string | undefined).apply((text) => {
    const json: unknown = text && JSON.parse(text);
    // mutant nested-secrets-in-clear: pulumi.output(text)
    return paths.some((path) => part(json, path) !== undefined) ? pulumi.secret(text) : pulumi.output(text);
  });
}

/** Whether a value is a plain object, and not an output or a promise. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * The names of arguments that are secret. The provider gets all values in clear and names differences in messages, so it
 * has to know them.
 */
export function secretArguments(
  argsByName: ReadonlyMap<string, unknown>,
  alwaysSecret: readonly string[],
  ...environments: readonly unknown[]
) {
  const variables = environments.flatMap((env) =>
    isPlain(env)
      ? Object.entries(env).map(([name, value]) => [`env.${name}`, value] as const)
      : [["env.*", env] as const],
  );
  const others = [...argsByName].filter(([key]) => !alwaysSecret.includes(key));
  const candidates = [...others, ...variables].filter(([, value]) => holdsOutput(value));
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

/** The engine does not tell a dynamic provider where a resource is. */
function seedAt(type: string, name: string, parent?: pulumi.Resource): pulumi.Input<string> {
  // Under mocks there is no engine, and no organization unless the test sets one.
  const organization = pulumi.runtime.getEngine() === undefined ? "" : pulumi.getOrganization();
  const seed = (urn: string) => seedOf(organization, urn);
  if (parent === undefined) return seed(`urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`);
  // A promise, because the parent's URN as an output would make the resource depend on all of the parent's children.
  return new Promise((resolve) => pulumi.createUrn(name, type, parent).apply((urn) => resolve(seed(urn))));
}
