import * as pulumi from "@pulumi/pulumi";
import { fullUrls } from "../../provider/common/queueUrls";
import type { QueueUrls } from "../types";
import { CONTAINER } from "./container";
import type { RevisedEndpoint } from "./endpoint";
import {
  ComputeCloudResource,
  giveTemplate,
  hasProvider,
  holdsOutput,
  type Kind,
  secretArguments,
  secretly,
} from "./resource";

/** One endpoint of a fleet, for what takes an endpoint: a SmokeJob runs again when this one was changed. */
export interface FleetMember extends RevisedEndpoint {
  readonly type: pulumi.Output<string>;
  /** Addresses of its queue. */
  readonly requestUrls: pulumi.Output<QueueUrls>;
}

type Values = Readonly<Record<string, unknown>>;

/** A kind that keeps many endpoints. */
export abstract class ComputeCloudFleet extends ComputeCloudResource {
  declare readonly ids: pulumi.Output<Record<string, string>>;
  declare readonly revisions: pulumi.Output<Record<string, number>>;
  declare readonly requestUrls: pulumi.Output<Record<string, QueueUrls>>;
  readonly #typeOf: (member: string) => pulumi.Output<string>;
  /** Names the member; throws where the program is known not to have it. */
  readonly #known: (member: string) => string;

  protected constructor(kind: Kind, name: string, args: object, options: pulumi.CustomResourceOptions = {}) {
    super(kind, name, membersGiven(`${kind.type} "${name}"`, args, options), options);
    Reflect.set(this, "requestUrls", this.requestUrls.apply(inFullByName));
    const { defaults, endpoints } = { defaults: {}, endpoints: {}, ...args };
    const typeIn = (values: unknown, member: string) => {
      const own: unknown = isPlain(values) && Object.hasOwn(values, member) ? values[member] : undefined;
      return isPlain(own) ? own.type : undefined;
    };
    this.#typeOf = (member) =>
      pulumi
        .output([typeIn(endpoints, member), typeIn({ defaults }, "defaults")])
        .apply(([own, common]) => String(own ?? common ?? "QB"));
    const names = isPlain(endpoints)
      ? Object.keys(endpoints).filter((name) => (endpoints[name] ?? null) !== null)
      : undefined;
    this.#known = (member) => {
      if (names === undefined || names.includes(member)) return member;
      throw missing(`ServerlessFleet "${name}"`, member, names);
    };
  }

  /** One member, as SmokeJob and jobs take an endpoint: `new SmokeJob("smoke", { endpoint: fleet.endpoint("chat"), … })`. */
  endpoint(name: string): FleetMember {
    const member = this.#known(name);
    return {
      id: this.ids.apply((ids) => found(ids, member)),
      revision: this.revisions.apply((revisions) => found(revisions, member)),
      requestUrls: this.requestUrls.apply((urls) => found(urls, member)),
      type: this.#typeOf(member),
    };
  }
}

/** The state of a dynamic fleet holds only what all the addresses of a member begin with. */
function inFullByName(urls: object | undefined): object | undefined {
  return urls && Object.fromEntries(Object.entries(urls).map(([name, each]) => [name, fullUrls(each)]));
}

function found<Value>(values: Readonly<Record<string, Value>> | undefined, member: string): Value {
  // Under mocks a resource has the outputs that the test gives it, and often none.
  if (values === undefined) return undefined as Value;
  const value = Object.hasOwn(values, member) ? values[member] : undefined;
  if (value !== undefined) return value;
  throw missing("the fleet", member, Object.keys(values));
}

function missing(fleet: string, member: string, names: readonly string[]): pulumi.RunError {
  const known = names.length === 0 ? "none" : names.join(", ");
  return new pulumi.RunError(`${fleet} has no member "${member}". It has: ${known}.`);
}

/** The arguments as the provider wants them: templates by id and revision, and every variable a secret. */
function membersGiven(who: string, args: object, options: pulumi.CustomResourceOptions): object {
  const { defaults, endpoints, ...rest }: Values = { ...args };
  if (endpoints === undefined || endpoints === null) return args;
  if (isPlain(endpoints) && isPlain(defaults ?? {}))
    return { ...rest, ...prepared(who, endpoints, { ...(defaults ?? {}) }, options) };
  // As a whole, and so a secret as a whole where a part of it is one.
  const all = pulumi.output({ endpoints, defaults }).apply((known): unknown => {
    const { endpoints, defaults }: Values = { ...known };
    return pulumi.output(
      prepared(who, isPlain(endpoints) ? endpoints : {}, isPlain(defaults) ? defaults : {}, options),
    );
  });
  const part = (key: string) => all.apply((values) => (isPlain(values) ? values[key] : undefined));
  return { ...rest, endpoints: part("endpoints"), defaults: part("defaults") };
}

/** What the members share. */
interface Shared {
  readonly all: ReadonlyMap<string, unknown>;
  /** The secrets among it; undefined where it turns out that there is none. */
  readonly secret: ReadonlyMap<string, Promise<unknown>>;
  /** Whether it is the provider that puts them into the members. */
  readonly stays: boolean;
}

function prepared(who: string, endpoints: Values, defaults: Values, options: pulumi.CustomResourceOptions): Values {
  const all = new Map(Object.entries(defaults));
  giveTemplate("follows", all, `${who}: defaults`);
  const mayBeSecret = [...all].filter(
    ([key, value]) => key !== "env" && !key.startsWith("template") && holdsOutput(value),
  );
  const secret = new Map(
    mayBeSecret.map(([key, value]) => [
      key,
      pulumi.isSecret(pulumi.output(value)).then((isSecret) => (isSecret ? value : undefined)),
    ]),
  );
  // What the engine puts in the place of ignored defaults is not known here.
  const stays = (options.ignoreChanges ?? []).some((path) => /^(\[")?defaults\b/.test(path));
  const shared = { all, secret, stays };
  const members = Object.entries(endpoints).map(([name, given]): [string, unknown] => {
    if (isPlain(given)) return [name, member(`${who}: endpoints.${name}`, given, shared)];
    if (given === null || typeof given !== "object") return [name, given];
    return [
      name,
      pulumi.output(given).apply((known) => pulumi.output(member(`${who}: endpoints.${name}`, { ...known }, shared))),
    ];
  });
  const env = all.get("env") ?? undefined;
  if (env !== undefined) all.set("env", secretly(merged([env])));
  // A dynamic resource is encrypted where its arguments are: of secrets that only the provider puts there all has to be.
  const isHidden = stays && !hasProvider(options) && (env !== undefined || secret.size > 0);
  const byName = Object.fromEntries(members);
  return { endpoints: isHidden ? pulumi.secret(byName) : byName, defaults: Object.fromEntries(all) };
}

const containerKeys: ReadonlySet<string> = new Set(CONTAINER);

/** The engine keeps a secret where it was given: one among the defaults is given to each member. */
function member(who: string, args: Values, { all, secret, stays }: Shared): Values {
  const given = new Map(Object.entries(args));
  giveTemplate("follows", given, who);
  const has = (key: string) => (given.get(key) ?? undefined) !== undefined;
  const declared = secretArguments(given, ["env"]);
  // What the member's template takes away is none of its arguments, nor is what would have to be a mistake.
  const hasImage = !has("templateId") && (CONTAINER.some(has) || (all.get("templateId") ?? undefined) === undefined);
  const taken = [...secret].filter(([key]) => !has(key) && (hasImage || !containerKeys.has(key)));
  const env = [...(stays || has("templateId") ? [] : [all.get("env")]), given.get("env")].filter(
    (each) => each !== undefined && each !== null,
  );
  for (const [key, value] of stays ? [] : taken) given.set(key, value);
  if (env.length > 0) given.set("env", secretly(merged(env)));
  if (declared === undefined && taken.length === 0) return Object.fromEntries(given);
  const names = [declared, ...taken.map(async ([key, value]) => ((await value) === undefined ? [] : [key]))];
  const __secrets = Promise.all(names).then((all) => {
    const known = all.flatMap((each) => each ?? []);
    return known.length === 0 ? undefined : known;
  });
  return { ...Object.fromEntries(given), __secrets };
}

function merged(values: readonly unknown[]): unknown {
  if (values.every(isPlain)) return onTop(values);
  return pulumi.output([...values]).apply((known) => onTop(known.filter(isPlain)));
}

/** A variable that is left out is the default's. */
function onTop(values: readonly Values[]): Values {
  const given = values.flatMap((each) =>
    Object.entries(each).filter(([, value]) => (value ?? undefined) !== undefined),
  );
  return Object.fromEntries(given);
}

/** No output and no promise of one. */
function isPlain(value: unknown): value is Values {
  return value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
}
