import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../../common/json";
import { seedOf as seedAt } from "../../../common/seed";
import { ACCOUNT } from "../../lifecycle/definition";
import { isUnknown } from "../../lifecycle/fields/unknown";
import { ownMember, type Properties, pick, valueAt, withoutNullMembers } from "../../lifecycle/fields/values";
import { ignoreChanges, joined, optionWithin, replaceOnChanges } from "../../lifecycle/plan/changeOptions";

/** A resource that the fleet has created, as its own kind records it. */
export interface MemberResource {
  readonly id: string;
  readonly state: Properties;
}

/** What exists of one member: its endpoint, and the template that the fleet keeps for it, if it takes no other. */
export interface Member {
  readonly endpoint?: MemberResource | undefined;
  readonly template?: MemberResource | undefined;
}

/** The arguments of a member that go to its template. */
export const CONTAINER = ["image", "args", "disk", "ports", "env", "registry"] as const;

export const containerKeys: ReadonlySet<string> = new Set(CONTAINER);
/** Members' properties that follow from the fleet's. */
const inherited: ReadonlySet<string> = new Set([ACCOUNT, "__seed", "__replaceOnChanges", "__ignoreChanges"]);
/** Outputs of the endpoint that have maps of their own in the fleet's state. */
const mappedOutputs: ReadonlySet<string> = new Set(["requestUrls", "revision"]);

/** The members that a fleet's state holds. */
export function membersIn(state: Properties): Map<string, Member> {
  const { ids, revisions, requestUrls, templateIds, templates } = state;
  const resourceOf = (id: unknown, properties: Properties): MemberResource | undefined =>
    typeof id === "string"
      ? { id, state: withoutNullMembers({ ...properties, [ACCOUNT]: state[ACCOUNT] }) }
      : undefined;
  const recorded = objectIn(state, "endpoints");
  const names = new Set([...Object.keys(recorded), ...damagedIn(state)]);
  const entries = [...names].map((name): [string, Member] => {
    const recordedMember = objectIn(recorded, name);
    const revision = member(revisions, name);
    const endpoint = { ...without(recordedMember, containerKeys), revision, requestUrls: member(requestUrls, name) };
    const recordedTemplate = member(templates, name);
    const template = { ...(isRecord(recordedTemplate) ? recordedTemplate : {}), ...container(recordedMember) };
    return [
      name,
      { endpoint: resourceOf(member(ids, name), endpoint), template: resourceOf(member(templateIds, name), template) },
    ];
  });
  return new Map(entries);
}

/** Names of members whose ids the state holds, and not their arguments, as after an edit by hand. */
export function damagedIn(state: Properties): string[] {
  const recorded = objectIn(state, "endpoints");
  const named = new Set([...Object.keys(objectIn(state, "ids")), ...Object.keys(objectIn(state, "templateIds"))]);
  return [...named].filter((name) => !isRecord(member(recorded, name)));
}

/** The members as a state. Arguments and everything without a map of its own are recorded under the member's name. */
export function stateOf(members: ReadonlyMap<string, Member>): Properties {
  const of = (value: (member: Member) => unknown): Properties =>
    Object.fromEntries(
      [...members].flatMap(([name, each]) => {
        const part = value(each);
        return part === undefined || part === null ? [] : [[name, part]];
      }),
    );
  return {
    endpoints: of(({ endpoint, template }) => ({
      ...withoutNullMembers(without(endpoint?.state ?? {}, mappedOutputs, inherited)),
      ...withoutNullMembers(container(template?.state ?? {})),
    })),
    ids: of(({ endpoint }) => endpoint?.id),
    revisions: of(({ endpoint }) => endpoint?.state.revision),
    requestUrls: of(({ endpoint }) => endpoint?.state.requestUrls),
    templateIds: of(({ template }) => template?.id),
    templates: of(({ template }) => template && withoutNullMembers(without(template.state, containerKeys, inherited))),
  };
}

/** The arguments that go to the member's template. */
export const container = (properties: Properties): Properties => pick(properties, containerKeys);

export function without(properties: Properties, ...keys: readonly ReadonlySet<string>[]): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.some((each) => each.has(key))));
}

export function objectIn(properties: Properties, key: string): Properties {
  const value = member(properties, key);
  return isRecord(value) ? value : {};
}

function member(values: unknown, name: string): unknown {
  return isRecord(values) && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The id that a member adopts; undefined if it adopts none or the id is not known yet. */
export function adoptIdOf(member: unknown): string | undefined {
  const id = isRecord(member) ? member.adoptId : undefined;
  return typeof id === "string" && !isUnknown(id) ? id : undefined;
}

/** Members that adopt the endpoint of another member, which is a renaming: old names by new names. */
export function renamedMembers(old: ReadonlyMap<string, Member>, wanted: Properties): Map<string, string> {
  const namesById = new Map(
    [...old].flatMap(([name, { endpoint }]) => (endpoint === undefined ? [] : [[endpoint.id, name]])),
  );
  const requested = new Map(
    Object.entries(wanted).flatMap(([name, next]) => {
      const from = namesById.get(adoptIdOf(next) ?? "");
      return from === undefined || from === name ? [] : [[name, from]];
    }),
  );
  // A member that has an endpoint would lose it, unless another member adopts it in turn.
  const handedOn = new Set(requested.values());
  return new Map([...requested].filter(([name]) => old.get(name)?.endpoint === undefined || handedOn.has(name)));
}

/** Members by their new names. */
export function underNewNames(
  old: ReadonlyMap<string, Member>,
  renamed: ReadonlyMap<string, string>,
): Map<string, Member> {
  const members = new Map(old);
  for (const from of renamed.values()) members.delete(from);
  for (const [name, from] of renamed) {
    const { endpoint, template } = old.get(from) ?? {};
    // A failed run may have created a template under the new name.
    const newTemplate = members.get(name)?.template;
    members.set(name, { endpoint, template: newTemplate ?? template });
    if (newTemplate !== undefined && template !== undefined && !members.has(from)) members.set(from, { template });
  }
  return members;
}

/** Whether the fleet keeps a template for this member. */
export function hasOwnTemplate(declared: Properties): boolean {
  return declared.templateId === undefined && declared.image !== undefined;
}

/** The members' arguments, completed with the fleet's defaults. Undefined while the members' names are not known. */
export function withFleetDefaults({ endpoints, defaults = {} }: Properties): Properties | undefined {
  if (isUnknown(endpoints) || !isRecord(endpoints) || !isRecord(defaults)) return undefined;
  return Object.fromEntries(
    Object.entries(withoutNullMembers(endpoints)).map(([name, declared]) => [
      name,
      isRecord(declared) ? merged(defaults, declared) : declared,
    ]),
  );
}

/**
 * Adds the defaults to a member. A template and container settings exclude each other, so a member that sets one of them
 * gets no default of the other.
 */
function merged(defaults: Properties, declared: Properties): Properties {
  const memberArguments = withoutNullMembers(declared);
  const takes = (key: string) => memberArguments[key] !== undefined;
  const base = takes("templateId")
    ? without(defaults, containerKeys, revision)
    : CONTAINER.some(takes)
      ? without(defaults, templateReference)
      : defaults;
  const env =
    isRecord(base.env) && isRecord(memberArguments.env) ? { env: { ...base.env, ...memberArguments.env } } : {};
  return { ...base, ...memberArguments, ...env };
}

const revision: ReadonlySet<string> = new Set(["templateRevision"]);
const templateReference: ReadonlySet<string> = new Set(["templateId", "templateRevision"]);

/** The seed of a member or of its template, derived from the fleet's. */
export const seedOf = ({ __seed }: Properties, name: string, part = ""): string => seedAt(String(__seed), name, part);

/** The beginning of a member's generated names. */
export function logicalNameOf({ __logicalName }: Properties, name: string): string {
  return typeof __logicalName === "string" ? `${__logicalName}-${name}` : name;
}

/** The path of a property in a member, or of the member itself. */
export function within(name: string, property: string): string {
  return ["endpoints", name, property].filter((part) => part !== "").join(".");
}

/**
 * The paths of Pulumi's option `replaceOnChanges` for one member. A path in the defaults counts for the members that take
 * them, when it changes.
 *
 * @param state the fleet's recorded state
 */
export function replacedOnChangesOf(name: string, fleet: Properties, state: Properties): string[] {
  const paths = replaceOnChanges(fleet);
  const ofDefaults = paths.flatMap(([first, ...rest]) => {
    if (first !== "defaults") return [];
    const path = rest.includes("*") ? rest.slice(0, rest.indexOf("*")) : rest;
    return isDeepStrictEqual(valueAt(state.defaults, path), valueAt(fleet.defaults, path)) ? [] : [joined(rest)];
  });
  return [...optionWithin(paths, ["endpoints", name]), ...ofDefaults];
}

/** The paths of `ignoreChanges` for one member. They matter for differences that no argument shows. */
export function ignoredChangesOf(name: string, fleet: Properties): string[] {
  const paths = ignoreChanges(fleet);
  return [...optionWithin(paths, ["endpoints", name]), ...optionWithin(paths, ["defaults"])];
}

/**
 * The arguments, with the recorded values of paths that `ignoreChanges` names for all members (`*`). The engine restores
 * these before the check. But it stops at the first member that is no longer declared, in no particular order.
 */
export function withIgnored(fleet: Properties, state: Properties): Properties {
  const paths = ignoreChanges(fleet).flatMap(([first, name, ...rest]) =>
    first === "endpoints" && name === "*" && rest.length > 0 ? [rest] : [],
  );
  if (paths.length === 0 || !isRecord(fleet.endpoints)) return fleet;
  const recorded = objectIn(state, "endpoints");
  const members = Object.entries(fleet.endpoints).map(([name, next]) => {
    const old = ownMember(recorded, name);
    return [name, old === undefined ? next : paths.reduce((value, path) => reset(value, old, path), next)];
  });
  return { ...fleet, endpoints: Object.fromEntries(members) };
}

/** A value in which the part at a path is restored to the old one. */
function reset(value: unknown, old: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return old;
  if (!isRecord(value) || !isRecord(old)) return value;
  const keys = key === "*" ? Object.keys({ ...old, ...value }) : [key];
  const members = keys.map((each) => [each, reset(ownMember(value, each), ownMember(old, each), rest)] as const);
  const all = { ...value, ...Object.fromEntries(members) };
  return Object.fromEntries(Object.entries(all).filter(([, member]) => member !== undefined));
}

/**
 * The engine sets an argument that `ignoreChanges` names to the state's value. From a member that the state doesn't have,
 * it removes the argument.
 *
 * @throws Error if a new member lost a value that way
 */
export function refuseLostValues(fleet: Properties, state: Properties): void {
  const recorded = objectIn(state, "endpoints");
  for (const [first, name, ...rest] of ignoreChanges(fleet)) {
    if (first !== "endpoints" || name === undefined || name === "*" || rest.length === 0) continue;
    if (!Object.hasOwn(objectIn(fleet, "endpoints"), name) || Object.hasOwn(recorded, name)) continue;
    throw new Error(
      `ignoreChanges names ${within(name, rest.join("."))}, and ${within(name, "")} is new: Pulumi drops the value because ` +
        `the state has none. Leave that path out until the member is made, or write endpoints["*"].${rest.join(".")}.`,
    );
  }
}
