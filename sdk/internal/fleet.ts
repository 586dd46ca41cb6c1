import * as pulumi from "@pulumi/pulumi";
import { fullUrls } from "../../common/queueUrls";
import type { EndpointUrls } from "../generated/types";
import { CONTAINER } from "./container";
import type { RevisedEndpoint } from "./endpoint";
import {
  ComputeCloudResource,
  giveTemplate,
  hasProvider,
  holdsOutput,
  isPlain,
  type Kind,
  secretArguments,
  secretly,
} from "./resource";

/** One endpoint of a fleet, for resources that take an endpoint. A SmokeJob runs again when this endpoint has changed. */
export interface FleetMember extends RevisedEndpoint {
  readonly type: pulumi.Output<string>;
  /** Addresses of the endpoint's queue. */
  readonly requestUrls: pulumi.Output<EndpointUrls>;
}

type Values = Readonly<Record<string, unknown>>;

/** Base class of a kind that keeps many endpoints. */
export abstract class ComputeCloudFleet extends ComputeCloudResource {
  declare readonly ids: pulumi.Output<Record<string, string>>;
  declare readonly revisions: pulumi.Output<Record<string, number>>;
  declare readonly requestUrls: pulumi.Output<Record<string, EndpointUrls>>;
  /** @throws pulumi.RunError if the program is known not to have that member */
  readonly #typeOf: (member: string) => pulumi.Output<string>;

  protected constructor(kind: Kind, name: string, args: object, options: pulumi.CustomResourceOptions = {}) {
    super(kind, name, fleetArguments(`${kind.type} "${name}"`, args, options), options);
    Reflect.set(this, "requestUrls", this.requestUrls.apply(inFullByName));
    const { defaults, endpoints } = { defaults: {}, endpoints: {}, ...args };
    const typeIn = (values: unknown, member: string) => {
      const memberArgs: unknown = isPlain(values) && Object.hasOwn(values, member) ? values[member] : undefined;
      return isPlain(memberArgs) ? memberArgs.type : undefined;
    };
    const names = isPlain(endpoints)
      ? Object.keys(endpoints).filter((name) => (endpoints[name] ?? null) !== null)
      : undefined;
    this.#typeOf = (member) => {
      if (names?.includes(member) === false) throw missing(`ServerlessFleet "${name}"`, member, names);
      return pulumi
        .output([typeIn(endpoints, member), typeIn({ defaults }, "defaults")])
        .apply(([memberType, defaultType]) => String(memberType ?? defaultType ?? "QB"));
    };
  }

  /**
   * One member, as SmokeJob and jobs take an endpoint: `new SmokeJob("smoke", { endpoint: fleet.endpoint("chat"), … })`.
   *
   * @throws pulumi.RunError if the fleet has no such member
   */
  endpoint(name: string): FleetMember {
    return {
      type: this.#typeOf(name),
      id: this.ids.apply((ids) => memberOf(ids, name)),
      revision: this.revisions.apply((revisions) => memberOf(revisions, name)),
      requestUrls: this.requestUrls.apply((urls) => memberOf(urls, name)),
    };
  }
}

/** Completes the addresses: the state of a dynamic fleet holds only the beginning that a member's addresses share. */
function inFullByName(urls: object | undefined): object | undefined {
  return urls && Object.fromEntries(Object.entries(urls).map(([name, each]) => [name, fullUrls(each)]));
}

function memberOf<Value>(values: Readonly<Record<string, Value>> | undefined, member: string): Value {
  // Under mocks a resource has only the outputs that the test gives it.
  if (values === undefined) return undefined as Value;
  const value = Object.hasOwn(values, member) ? values[member] : undefined;
  if (value !== undefined) return value;
  throw missing("the fleet", member, Object.keys(values));
}

function missing(fleet: string, member: string, names: readonly string[]): pulumi.RunError {
  const memberList = names.length === 0 ? "none" : names.join(", ");
  return new pulumi.RunError(`${fleet} has no member "${member}". It has: ${memberList}.`);
}

/** The arguments in the provider's form: templates by id and revision, and every variable a secret. */
function fleetArguments(who: string, args: object, options: pulumi.CustomResourceOptions): object {
  const { defaults, endpoints, ...rest }: Values = { ...args };
  if (endpoints === undefined || endpoints === null) return args;
  if (isPlain(endpoints) && isPlain(defaults ?? {}))
    return { ...rest, ...prepared(who, endpoints, { ...(defaults ?? {}) }, options) };
  // Passed on as one output, which is secret as a whole if a part of it is.
  const all = pulumi.output({ endpoints, defaults }).apply((resolved): unknown => {
    const { endpoints, defaults }: Values = { ...resolved };
    return pulumi.output(
      prepared(who, isPlain(endpoints) ? endpoints : {}, isPlain(defaults) ? defaults : {}, options),
    );
  });
  const part = (key: string) => all.apply((values) => (isPlain(values) ? values[key] : undefined));
  return { ...rest, endpoints: part("endpoints"), defaults: part("defaults") };
}

/** The defaults that the members share. */
interface Shared {
  readonly all: ReadonlyMap<string, unknown>;
  /** The defaults that may be secrets; a promise yields undefined if its default is not one. */
  readonly secret: ReadonlyMap<string, Promise<unknown>>;
  /** Whether the provider merges the defaults into the members, instead of this class. */
  readonly stays: boolean;
}

function prepared(who: string, endpoints: Values, defaults: Values, options: pulumi.CustomResourceOptions): Values {
  const all = new Map(Object.entries(defaults));
  giveTemplate("follows", all, `${who}: defaults`);
  const mayBeSecret = [...all].filter(
    ([key, value]) => key !== "env" && key !== "templateRevision" && holdsOutput(value),
  );
  const secret = new Map(
    mayBeSecret.map(([key, value]) => [
      key,
      pulumi.isSecret(pulumi.output(value)).then((isSecret) => (isSecret ? value : undefined)),
    ]),
  );
  // With `ignoreChanges` on defaults, the engine's values are not known here.
  const stays = (options.ignoreChanges ?? []).some((path) => /^(\[")?defaults\b/.test(path));
  const shared = { all, secret, stays };
  const members = Object.entries(endpoints).map(([name, memberArgs]): [string, unknown] => {
    if (isPlain(memberArgs)) return [name, member(`${who}: endpoints.${name}`, memberArgs, shared)];
    if (memberArgs === null || typeof memberArgs !== "object") return [name, memberArgs];
    return [
      name,
      pulumi
        .output(memberArgs)
        .apply((resolved) => pulumi.output(member(`${who}: endpoints.${name}`, { ...resolved }, shared))),
    ];
  });
  const env = all.get("env") ?? undefined;
  if (env !== undefined) all.set("env", secretly(merged([env])));
  // The engine encrypts a dynamic resource's outputs where its arguments are secret. If only the provider merges the
  // secrets in, all members must be secret.
  const others = mayBeSecret.filter(([key]) => key !== "templateId");
  const isHidden = stays && !hasProvider(options) && (env !== undefined || others.length > 0);
  const byName = Object.fromEntries(members);
  return { endpoints: isHidden ? pulumi.secret(byName) : byName, defaults: Object.fromEntries(all) };
}

const containerKeys: ReadonlySet<string> = new Set(CONTAINER);

/**
 * Prepares a member's arguments. The engine encrypts a secret only where it was given, so a secret default is given to
 * each member.
 */
function member(who: string, args: Values, { all, secret, stays }: Shared): Values {
  const argsByName = new Map(Object.entries(args));
  giveTemplate("follows", argsByName, who);
  const has = (key: string) => (argsByName.get(key) ?? undefined) !== undefined;
  const declared = secretArguments(argsByName, ["env"], all.get("env"), argsByName.get("env"));
  // A default that the member's template overrides is not an argument of the member. Nor is one that would make the
  // arguments invalid.
  const hasImage = !has("templateId") && (CONTAINER.some(has) || (all.get("templateId") ?? undefined) === undefined);
  const hasOwn = has("templateId") || CONTAINER.some(has);
  const isTaken = (key: string) => (key === "templateId" ? !hasOwn : hasImage || !containerKeys.has(key));
  const taken = [...secret].filter(([key]) => !has(key) && isTaken(key));
  const env = [...(stays || has("templateId") ? [] : [all.get("env")]), argsByName.get("env")].filter(
    (each) => each !== undefined && each !== null,
  );
  for (const [key, value] of stays ? [] : taken) {
    argsByName.set(key, value);
    // A member with a template's id takes no revision from the defaults.
    if (key === "templateId" && !has("templateRevision"))
      argsByName.set(
        "templateRevision",
        value.then((id) => id && all.get("templateRevision")),
      );
  }
  if (env.length > 0) argsByName.set("env", secretly(merged(env)));
  if (declared === undefined && taken.length === 0) return Object.fromEntries(argsByName);
  const names = [declared, ...taken.map(async ([key, value]) => ((await value) === undefined ? [] : [key]))];
  const __secrets = Promise.all(names).then((all) => {
    const secretNames = all.flatMap((each) => each ?? []);
    return secretNames.length === 0 ? undefined : secretNames;
  });
  return { ...Object.fromEntries(argsByName), __secrets };
}

function merged(values: readonly unknown[]): unknown {
  if (values.every(isPlain)) return onTop(values);
  return pulumi.output([...values]).apply((resolved) => onTop(resolved.filter(isPlain)));
}

/** Merges variables: the default counts where a member leaves one out. */
function onTop(values: readonly Values[]): Values {
  const entries = values.flatMap((each) =>
    Object.entries(each).filter(([, value]) => (value ?? undefined) !== undefined),
  );
  return Object.fromEntries(entries);
}
