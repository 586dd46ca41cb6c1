import { randomBytes } from "node:crypto";
import { isRecord } from "../../../common/json";
import { messageOf } from "../../../common/messageOf";
import { type Checked, checkInputs } from "../../lifecycle/check/check";
import { type CheckFailure, COMMON_INPUTS, type Context, REFERENCED } from "../../lifecycle/definition";
import type { Difference } from "../../lifecycle/fields/difference";
import { containsUnknown, isUnknown, UNKNOWN } from "../../lifecycle/fields/unknown";
import { ownMember, type Properties, withoutNullMembers } from "../../lifecycle/fields/values";
import type { Planned } from "../../lifecycle/plan/plan";
import { PartlyMadeError } from "../../lifecycle/state/partlyMade";
import { FleetMember, type MemberChange, MemberKinds, whole } from "./fleetMember";
import {
  adoptIdOf,
  damagedIn,
  hasOwnTemplate,
  type Member,
  membersIn,
  objectIn,
  refuseLostValues,
  renamedMembers,
  replacedOnChangesOf,
  stateOf,
  underNewNames,
  withFleetDefaults,
  withIgnored,
  within,
} from "./members";
import { describePlan, type Fate, joinNames, MOST_DETAILED, refuseLosses } from "./plan";
import { pool } from "./pool";
import { serverlessFleet } from "./serverlessFleet";

/**
 * How many templates are created or updated at a time, each in a call of its own, as the engine does with its resources.
 */
const TEMPLATES_AT_ONCE = 8;
/** How many endpoints are saved at a time. Calls are combined, so these take eight. */
const ENDPOINTS_AT_ONCE = 200;

/** The operations that the engine calls for a fleet. */
export class FleetLifecycle {
  readonly definition = serverlessFleet;
  readonly #connect: () => Promise<Context>;
  readonly #kinds: MemberKinds;
  /** By the fleet's seed: the members that the last comparison found to change, and what happens to them. */
  readonly #changing = new Map<unknown, ReadonlyMap<string, Fate>>();
  /** By the fleet's seed: the engine's last step for a fleet in its state. */
  readonly #lastSteps = new Map<unknown, "checked" | "compared">();

  constructor(connect: () => Promise<Context>) {
    this.#connect = connect;
    let members: Promise<Context> | undefined;
    this.#kinds = new MemberKinds(async () => {
      const context = await connect();
      members ??= Promise.resolve(forMembers(context));
      return members;
    });
  }

  /** @param old the arguments in the state; empty for a new fleet */
  async check(old: Properties, received: Properties): Promise<Checked> {
    await this.#connect();
    const { [REFERENCED]: _, ...args } = received;
    if (this.#isReplacement(old, args)) return { inputs: args, failures: [NEVER_REPLACED] };
    const endpoints = withFleetDefaults(args);
    if (endpoints === undefined && containsUnknown(args)) return { inputs: args, failures: [] };
    const declaredEndpoints =
      endpoints && Object.fromEntries(Object.entries(endpoints).map(([name, each]) => [name, declared(each)]));
    const complete = checkInputs(serverlessFleet, {
      ...args,
      ...(declaredEndpoints !== undefined && { endpoints: declaredEndpoints }),
    });
    const failures = [...complete.failures, ...mistakesIn({ ...args, endpoints: endpoints ?? {} })];
    if (endpoints === undefined || failures.length > 0) {
      // A mistake in the defaults shows in every member, and is reported once.
      const common = failures.filter(({ property }) => !property.startsWith("endpoints."));
      return { inputs: args, failures: common.length > 0 ? common : failures };
    }

    const before = objectIn(old, "endpoints");
    const checked = await Promise.all(
      Object.entries(endpoints).map(async ([name, member]) => {
        if (!isRecord(member)) return { name, inputs: member, failures: [] };
        const itself = objectIn(objectIn(args, "endpoints"), name);
        const referenced = referencedIn(objectIn(received, REFERENCED), name, itself, member);
        const checking = new FleetMember(this.#kinds, args, name);
        return { name, ...(await checking.check(objectIn(before, name), { ...member, [REFERENCED]: referenced })) };
      }),
    );
    const { defaults = {}, ...inputs } = withoutNullMembers(args);
    return {
      // The defaults are recorded because `ignoreChanges` looks for them in the state.
      inputs: { ...inputs, defaults, endpoints: Object.fromEntries(checked.map((each) => [each.name, each.inputs])) },
      failures: checked.flatMap(({ name, failures }) =>
        failures.map(({ property, reason }) => ({ property: within(name, property), reason })),
      ),
    };
  }

  /**
   * Whether the engine is replacing the fleet. For a replacement it calls `check` without the recorded arguments. After a
   * comparison, which never asks for a replacement, the cause is `replaceOnChanges` from a program whose class does not
   * handle that option.
   */
  #isReplacement(old: Properties, { __seed: seed }: Properties): boolean {
    if (Object.keys(old).length === 0) return this.#lastSteps.get(seed) === "compared";
    this.#lastSteps.set(seed, "checked");
    return false;
  }

  /** Compares without a call to the service. A fleet is never replaced; its members are, if they have to be. */
  async diff(_: string, state: Properties, args: Properties): Promise<Planned> {
    const context = await this.#connect();
    const { log } = context;
    const next = withIgnored(args, state);
    if (this.#lastSteps.has(next.__seed)) this.#lastSteps.set(next.__seed, "compared");
    const recorded = membersIn(state);
    for (const [name, member] of recorded) new FleetMember(this.#kinds, next, name, member).markRecorded(context);
    if (isUnknown(next.endpoints)) return { changes: true, replaces: [], deleteBeforeReplace: false, differences: [] };
    const compared = await this.#compare(recorded, state, next);
    const changed = compared.flatMap(({ fate, ...each }) => (fate === undefined ? [] : [{ ...each, fate }]));
    const subject = titleOf(next);
    // mutant protected-members-lost: false
    if (next.protectMembers === true) refuseLosses(subject, changed);
    this.#changing.set(next.__seed, new Map(changed.map(({ name, fate }) => [name, fate])));
    // The engine shows a single update, and prints each changed member in full.
    if (changed.length > 0) log.info(`${subject}: ${describePlan(changed)}`);
    return {
      changes: changed.length > 0,
      replaces: [],
      deleteBeforeReplace: false,
      differences: changed.flatMap(({ differences }) => differences),
    };
  }

  /** Decides what happens to each member, new and old. */
  async #compare(recorded: ReadonlyMap<string, Member>, state: Properties, next: Properties) {
    refuseLostValues(next, state);
    const damaged = damagedIn(state);
    if (damaged.length > 0) {
      throw new Error(
        `${titleOf(next)}: the state is damaged: it has ids of ${joinNames(damaged)}, and not their arguments. Run \`pulumi ` +
          "refresh`, which reads them again, then `pulumi up`.",
      );
    }
    const wanted = objectIn(next, "endpoints");
    const renamed = renamedMembers(recorded, wanted);
    const old = underNewNames(recorded, renamed);
    const released = releasedIn(next);
    const names = [...new Set([...old.keys(), ...Object.keys(wanted)])];
    const problems = new Map<string, string>();
    for (const [name, from] of renamed) {
      if (!Object.hasOwn(wanted, from) || renamed.has(from)) continue;
      problems.set(
        name,
        `adoptId is the id of ${within(from, "")}, which is still a member: remove that one, or adoptId`,
      );
    }
    const compared = await Promise.all(
      names.map(async (name): Promise<ComparedMember> => {
        const before = old.get(name) ?? {};
        const id = before.endpoint?.id;
        if (isUnknown(wanted[name]))
          return { name, id, fate: id === undefined ? "create" : "update", differences: [], what: "isn't known yet" };
        const member = Object.hasOwn(wanted, name) ? objectIn(wanted, name) : undefined;
        if (member === undefined && released.has(name)) {
          const what = `is released${id === undefined ? "" : `: endpoint ${id} goes on running`}`;
          return { name, id, fate: "release", differences: [inMember(name, whole({ old: {} }))], what };
        }
        let change: MemberChange;
        try {
          const option = replacedOnChangesOf(name, next, state);
          change = await new FleetMember(this.#kinds, next, name, before, member, option).compare();
        } catch (error) {
          problems.set(name, messageOf(error));
          return { name, id, fate: undefined, differences: [], what: "" };
        }
        const from = renamed.get(name);
        if (from === undefined)
          return { ...change, name, id, differences: change.differences.map((each) => inMember(name, each)) };
        const what = [`was ${within(from, "")}`, change.what].filter((part) => part !== "").join(", ");
        const difference = whole({ ...(recorded.has(name) && { old: {} }), next: {} });
        const gone = names.includes(from) ? [] : [inMember(from, whole({ old: {} }))];
        const differences = [inMember(name, difference), ...gone];
        return { name, id, fate: change.fate ?? "update", differences, what };
      }),
    );
    if (problems.size > 0) throw new Error(problemLines(problems).join("\n"));
    return compared;
  }

  /** @throws Error always: the service knows members, but no fleets */
  async readById(id: string): Promise<never> {
    throw new Error(
      `ServerlessFleet ${id} can't be read by its id, which the service doesn't know. Declare a fleet, and adopt its members ` +
        "with endpoints.<name>.adoptId.",
    );
  }

  async list(): Promise<never[]> {
    return [];
  }

  async create(inputs: Properties): Promise<{ id: string; state: Properties }> {
    const id = `fleet-${randomBytes(5).toString("hex")}`;
    return { id, state: await this.#apply(id, undefined, inputs) };
  }

  async update(id: string, state: Properties, inputs: Properties): Promise<Properties> {
    return this.#apply(id, state, withIgnored(inputs, state));
  }

  async read(_: string, state: Properties): Promise<{ inputs: Properties; state: Properties }> {
    const damaged = new Set(damagedIn(state));
    const members = [...membersIn(state)].map(([name, member]) => new FleetMember(this.#kinds, state, name, member));
    // All at once, because reads at the same moment share lists.
    const read = await Promise.all(members.map((member) => member.read(damaged.has(member.name))));
    const endpoints = members.flatMap(({ name }, index) => (read[index] === undefined ? [] : [[name, read[index]]]));
    const recorded = argumentsOf(state);
    return {
      inputs: { ...recorded, endpoints: Object.fromEntries(endpoints) },
      state: { ...recorded, ...stateOf(existing(members)) },
    };
  }

  /**
   * The state as far as it can be known before a create or an update has run.
   *
   * @param state undefined before a create
   */
  async preview(state: Properties | undefined, inputs: Properties): Promise<Properties> {
    const wanted = objectIn(inputs, "endpoints");
    const old = membersIn(state ?? {});
    const recorded = stateOf(underNewNames(old, renamedMembers(old, wanted)));
    const changing = this.#changing.get(inputs.__seed);
    const isSame = (name: string) => changing?.get(name) !== "replace" && !isUnknown(wanted[name]);
    const of = (output: string, names: readonly string[], isOld = isSame) => {
      const values = objectIn(recorded, output);
      return Object.fromEntries(
        names.map((name) => [name, isOld(name) ? (ownMember(values, name) ?? UNKNOWN) : UNKNOWN]),
      );
    };
    const names = Object.keys(wanted);
    const templated = names.filter((name) => hasOwnTemplate(objectIn(wanted, name)));
    const outputs = {
      ids: of("ids", names),
      revisions: of("revisions", names, (name) => changing?.has(name) === false),
      requestUrls: of("requestUrls", names),
      templateIds: of("templateIds", templated, () => true),
    };
    const unknown = Object.fromEntries(Object.keys(outputs).map((key) => [key, UNKNOWN]));
    return { ...inputs, ...(isUnknown(inputs.endpoints) ? unknown : outputs) };
  }

  /**
   * Deletes the members. After a failure the engine keeps the whole fleet in the state, deleted members included.
   *
   * @throws Error that lists the members which could not be deleted
   */
  async delete(_: string, state: Properties): Promise<void> {
    // mutant member-left-out: await this.#bringTo(new Map(), argumentsOf(state), {})
    const { problems } = await this.#bringTo(membersIn(state), argumentsOf(state), {});
    if (problems.size > 0) throw new Error(problemLines(problems).join("\n"));
  }

  /**
   * Creates or updates the members.
   *
   * @param old the recorded state; undefined for a new fleet
   * @throws PartlyMadeError if some members failed: the others are recorded, and the next run works on the failed ones
   * only
   * @throws Error if nothing exists of a new fleet
   */
  async #apply(id: string, old: Properties | undefined, inputs: Properties): Promise<Properties> {
    const wanted = objectIn(inputs, "endpoints");
    const recorded = membersIn(old ?? {});
    const before = underNewNames(recorded, renamedMembers(recorded, wanted));
    const { members, problems } = await this.#bringTo(before, inputs, wanted, old);
    const state = { ...argumentsOf(inputs), ...stateOf(existing(members)) };
    // After an update that failed in part, the engine keeps the arguments from before it. The next check then does not
    // know the names of new members, so their notes must stay.
    const context = await this.#connect();
    if (problems.size === 0 || old === undefined) for (const member of members) member.answered(context);
    if (problems.size === 0) return state;
    // A state that was there before must forget the endpoints that are deleted, also if that is all of them.
    if (old === undefined && !members.some(({ exists }) => exists)) throw new Error(problemLines(problems).join("\n"));
    throw new PartlyMadeError(id, state, problemLines(problems));
  }

  /**
   * Changes templates first, then the endpoints that use them, and last deletes unused templates. A member that fails is
   * left out of the later steps.
   */
  async #bringTo(
    old: ReadonlyMap<string, Member>,
    fleet: Properties,
    wanted: Properties,
    state: Properties = {},
  ): Promise<{ members: readonly FleetMember[]; problems: ReadonlyMap<string, string> }> {
    const { log, signal } = await this.#connect();
    const released = releasedIn(fleet);
    const names = [...new Set([...Object.keys(wanted), ...old.keys()])].filter(
      // mutant released-member-deleted: () => true
      (name) => Object.hasOwn(wanted, name) || !released.has(name),
    );
    const members = names.map((name) => {
      const next = Object.hasOwn(wanted, name) ? objectIn(wanted, name) : undefined;
      return new FleetMember(this.#kinds, fleet, name, old.get(name), next, replacedOnChangesOf(name, fleet, state));
    });
    const problems = new Map<string, string>();
    const phase = async (
      what: string,
      width: number,
      all: readonly FleetMember[],
      apply: (member: FleetMember) => Promise<void>,
    ) => {
      const those = all.filter(({ name }) => !problems.has(name));
      let done = 0;
      const report = (isLast: boolean) =>
        log.status(titleOf(fleet), `${done} of ${those.length} ${what} are done`, isLast);
      const counted = async (member: FleetMember) => {
        report(false);
        await apply(member);
        done += 1;
      };
      await pool(those, width, signal, counted, ({ name }, error) => problems.set(name, messageOf(error)));
      if (those.length > 0) report(true);
    };
    const templated = members.filter(({ hasOwnTemplate }) => hasOwnTemplate);
    const others = members.filter(({ hasOwnTemplate }) => !hasOwnTemplate);
    await phase("templates", TEMPLATES_AT_ONCE, templated, (member) => member.applyTemplate());
    await phase("endpoints", ENDPOINTS_AT_ONCE, members, (member) => member.applyEndpoint());
    const unused = others.filter(({ template }) => template !== undefined);
    await phase("templates", TEMPLATES_AT_ONCE, unused, (member) => member.deleteTemplate());
    return { members, problems };
  }
}

function existing(members: readonly FleetMember[]): ReadonlyMap<string, Member> {
  return new Map(members.flatMap((member) => (member.exists ? [[member.name, member]] : [])));
}

/** A member, and what happens to it. */
interface ComparedMember extends MemberChange {
  readonly name: string;
  /** Id of its current endpoint. */
  readonly id: string | undefined;
}

const NEVER_REPLACED: CheckFailure = {
  property: "",
  reason:
    "a fleet is never replaced, because that would delete all its endpoints with their ids and queues. Remove the option " +
    "replaceOnChanges, which asks for it. To replace a member, give it another name.",
};

/** Names of members that keep running without the fleet. */
function releasedIn({ released }: Properties): ReadonlySet<string> {
  return new Set(Array.isArray(released) ? released.map(String) : []);
}

/** Passes on the members' statuses as those of one resource, so that they are as frequent as those of any resource. */
function forMembers(context: Context): Context {
  const { log } = context;
  const status = (subject: string, message: string) => log.status("A fleet's member", `${subject}: ${message}`);
  return { ...context, log: { ...log, status } };
}

/** `ServerlessFleet models`. */
function titleOf({ __logicalName }: Properties): string {
  return typeof __logicalName === "string" ? `${serverlessFleet.kind} ${__logicalName}` : serverlessFleet.kind;
}

function inMember(name: string, difference: Difference): Difference {
  // Quoted as in a property path, because a dot would end the name.
  const quoted = /^[A-Za-z_][\w-]*$/.test(name) ? name : `["${name.replaceAll('"', '\\"')}"]`;
  const path = within(quoted, difference.path).replace("endpoints.[", "endpoints[");
  return { ...difference, path, field: "endpoints", replaces: false };
}

/**
 * A member without the additions of the class and of the state. `ignoreChanges` restores a member as it was recorded,
 * with those additions.
 */
function declared(member: unknown): unknown {
  if (!isRecord(member)) return member;
  return Object.fromEntries(Object.entries(member).filter(([key]) => !key.startsWith("__")));
}

/** What is known of the resources that a member refers to, by itself or with the fleet's defaults. */
function referencedIn(all: Properties, name: string, ownArguments: Properties, member: Properties): Properties {
  const under = (path: string) =>
    Object.entries(all).flatMap(([at, resource]) =>
      at.startsWith(path) ? [[at.slice(path.length), resource] as const] : [],
    );
  const shared = under("defaults.").filter(([key]) => ownArguments[key] === undefined && member[key] !== undefined);
  return Object.fromEntries([...shared, ...under(`endpoints.${name}.`)]);
}

const fleetKeys: ReadonlySet<string> = new Set(["defaults", "released", "protectMembers"]);

/** The fleet's own arguments, without its members. */
function argumentsOf(properties: Properties): Properties {
  const keys = Object.keys(properties).filter((key) => fleetKeys.has(key) || key in COMMON_INPUTS);
  return withoutNullMembers(Object.fromEntries(keys.map((key) => [key, properties[key]])));
}

function mistakesIn({ adoptId, endpoints, released }: Properties): CheckFailure[] {
  const failures: CheckFailure[] = [];
  const members = isRecord(endpoints) ? endpoints : {};
  if (adoptId !== undefined && adoptId !== null)
    failures.push({ property: "adoptId", reason: "belongs to a member: give it as endpoints.<name>.adoptId" });
  for (const name of Array.isArray(released) ? released : []) {
    if (!Object.hasOwn(members, String(name))) continue;
    const reason = `names "${name}", which is still a member: remove it from endpoints, or from released`;
    failures.push({ property: "released", reason });
  }
  const firsts = new Map<string, string>();
  for (const [name, member] of Object.entries(members)) {
    const id = adoptIdOf(member);
    if (id === undefined) continue;
    const first = firsts.get(id);
    firsts.set(id, first ?? name);
    if (first === undefined) continue;
    const reason = `is that of ${within(first, "")} too: an endpoint can belong to one member only`;
    failures.push({ property: within(name, "adoptId"), reason });
  }
  for (const name of Object.keys(members)) {
    if (name !== "" && !name.startsWith("__")) continue;
    const reason = "is not a name for a member: use one that is not empty and does not begin with two underscores";
    failures.push({ property: within(name, ""), reason });
  }
  return failures;
}

/** Lines for all failed members: the first ones with their errors, the others by name. */
function problemLines(members: ReadonlyMap<string, string>): string[] {
  const all = [...members].toSorted(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
  const lines = all.slice(0, MOST_DETAILED).map(([name, text]) => `${within(name, "")}: ${text}`);
  const others = all.slice(MOST_DETAILED).map(([name]) => name);
  return others.length === 0 ? lines : [...lines, `${others.length} more members failed: ${joinNames(others)}`];
}
