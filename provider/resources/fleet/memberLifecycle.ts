import { checkInputs } from "../../lifecycle/check/check";
import { type CheckFailure, type Context, markedSecrets } from "../../lifecycle/definition";
import { UNKNOWN } from "../../lifecycle/fields/unknown";
import type { Properties } from "../../lifecycle/fields/values";
import { Lifecycle } from "../../lifecycle/lifecycle";
import { generatedNameIn } from "../../lifecycle/make/names";
import { differenceText } from "../../lifecycle/plan/adoption";
import { replacedOnChange } from "../../lifecycle/plan/changeOptions";
import type { Difference } from "../../lifecycle/plan/diff";
import type { Planned } from "../../lifecycle/plan/plan";
import { unseenForMs } from "../../lifecycle/state/age";
import { PartlyMadeError } from "../../lifecycle/state/partlyMade";
import { serverlessEndpoint } from "../serverless/serverlessEndpoint";
import { template } from "../serverless/template";
import { wasTakenAlong } from "../serverless/templateCopy";
import { ignoredChangesOf } from "./memberOptions";
import { container, hasOwnTemplate, logicalNameOf, type Made, type Member, seedOf, withoutContainer } from "./members";
import type { Fate } from "./plan";

/** A member's arguments as they are recorded: the endpoint's and its own template's. */
export interface CheckedMember {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
}

export interface MemberChange {
  /** Undefined if nothing happens to the member. */
  readonly fate: Fate | undefined;
  readonly differences: readonly Difference[];
  /** The change as text. */
  readonly what: string;
}

/**
 * The operations of one member, made of those of a ServerlessEndpoint and a Template. What holds for these kinds holds
 * for a member.
 */
export class MemberLifecycle {
  readonly #endpoints: Lifecycle;
  readonly #templates: Lifecycle;
  readonly #connect: () => Promise<Context>;

  constructor(connect: () => Promise<Context>) {
    this.#connect = connect;
    this.#endpoints = new Lifecycle(serverlessEndpoint, connect, "a group");
    this.#templates = new Lifecycle(template, connect, "a group");
  }

  /** @param old the arguments that were recorded last; empty for a new member */
  async check(fleet: Properties, name: string, old: Properties, given: Properties): Promise<CheckedMember> {
    const own = hasOwnTemplate(given);
    const failures = mistakesIn(given, own);
    if (failures.length > 0) return { inputs: given, failures };
    const named = {
      __seed: seedOf(fleet, name),
      ...(given.name === undefined && { __logicalName: logicalNameOf(fleet, name) }),
    };
    const endpoint = await this.#endpoints.check(endpointOf(old), {
      ...endpointOf(given),
      ...named,
      ...(own && { templateId: UNKNOWN }),
    });
    if (!own) return { inputs: recorded(endpoint.inputs), failures: endpoint.failures };
    const made = await this.#templates.check(templateIn(fleet, name, old), templateIn(fleet, name, given));
    const { templateId: _, ...inputs } = recorded(endpoint.inputs);
    return {
      inputs: {
        ...inputs,
        ...container(made.inputs),
        __templateName: made.inputs.name,
        // That of a state which was lost.
        ...(made.inputs.adoptId !== undefined && { __templateAdopted: made.inputs.adoptId }),
      },
      failures: [...endpoint.failures, ...made.failures],
    };
  }

  /**
   * Decides what happens to a member, without a call to the service.
   *
   * @param option the paths of Pulumi's `replaceOnChanges` for this member
   */
  async compare(
    fleet: Properties,
    name: string,
    old: Member,
    next: Properties | undefined,
    option: readonly string[],
  ): Promise<MemberChange> {
    const { endpoint, template: kept } = old;
    if (next === undefined) return { fate: "delete", differences: [whole({ old: {} })], what: deletedInWords(old) };
    if (endpoint === undefined) return { fate: "create", differences: [whole({ next: {} })], what: "is new" };
    const own = hasOwnTemplate(next);
    const ofTemplate = own && kept ? await this.#compareTemplate(fleet, name, kept, next) : undefined;
    const isStale = ofTemplate?.changes === true;
    const wanted = this.#endpointInputs(fleet, name, next, endpoint, isStale ? undefined : kept, [
      ...option,
      ...(ofTemplate ? ofTemplateChange(ofTemplate, option) : []),
    ]);
    const ofEndpoint = await this.#endpoints.diff(endpoint.id, seeded(endpoint.state, fleet, name), wanted);
    const differences = [...(ofTemplate?.differences ?? []), ...ofEndpoint.differences];
    const changes = ofEndpoint.changes || isStale || own !== (kept !== undefined);
    // A value that is no longer a secret may have been one.
    const secrets = [next, endpoint.state, kept?.state ?? {}].flatMap(markedSecrets);
    const described = differenceText(differences, { ...next, __secrets: secrets });
    const what = changes && differences.length === 0 ? "was not finished" : described;
    if (ofEndpoint.replaces.length === 0) return { fate: changes ? "update" : undefined, differences, what };
    const another = `endpoint ${endpoint.id} is deleted, and another is created with a new id`;
    return { fate: "replace", differences, what: `${what}: ${another}` };
  }

  #compareTemplate(fleet: Properties, name: string, { id, state }: Made, next: Properties): Promise<Planned> {
    return this.#templates.diff(id, state, completeTemplate(fleet, name, next, state));
  }

  /**
   * Creates or updates the template that the fleet keeps for a member.
   *
   * @returns the template, and the paths of `replaceOnChanges` for the endpoint: a change of the template may add some
   */
  async applyTemplate(
    fleet: Properties,
    name: string,
    { endpoint, template: kept }: Member,
    next: Properties,
    option: readonly string[],
  ): Promise<{ made: Made; option: readonly string[] }> {
    const wanted = completeTemplate(fleet, name, next, kept?.state);
    if (kept === undefined) return { made: await this.#templates.create(wanted), option };
    // Without an endpoint, an earlier run failed while it replaced that. Which interface it used is not known.
    const old = endpoint === undefined ? await this.#keptOrMadeAnew(fleet, name, kept, next) : kept;
    const planned = await this.#compareTemplate(fleet, name, old, next);
    if (!planned.changes) return { made: old, option };
    const made = { id: old.id, state: await this.#templates.update(old.id, old.state, wanted) };
    return { made, option: [...option, ...ofTemplateChange(planned, option)] };
  }

  /**
   * Creates, updates or replaces a member's endpoint. A replacement deletes the old endpoint first. If the create then
   * fails, the member has no endpoint until the next run.
   *
   * @param option the paths of Pulumi's `replaceOnChanges` for this member
   * @param removed called when the old endpoint was deleted, with the template that the fleet keeps for the new one
   */
  async applyEndpoint(
    fleet: Properties,
    name: string,
    { endpoint: old, template: kept }: Member,
    next: Properties,
    option: readonly string[],
    removed: (template: Made | undefined) => void,
  ): Promise<Made> {
    const wanted = this.#endpointInputs(fleet, name, next, old, kept, option);
    if (old === undefined) return this.#endpoints.create(wanted);
    const state = seeded(old.state, fleet, name);
    const { changes, replaces } = await this.#endpoints.diff(old.id, state, wanted);
    if (!changes) return old;
    if (replaces.length === 0) return { id: old.id, state: await this.#endpoints.update(old.id, state, wanted) };
    const { client, ledger } = await this.#connect();
    // A template that is created again below is another at the same place.
    ledger.replaces(seedOf(fleet, name, TEMPLATE));
    await this.deleteEndpoint(fleet, name, old);
    removed(kept);
    const isThere = client.endpoints.through() === "graphql";
    const template = kept && (isThere ? kept : await this.#keptOrMadeAnew(fleet, name, kept, next));
    removed(template);
    return this.#endpoints.create(this.#endpointInputs(fleet, name, next, old, template, option));
  }

  /** The template that is kept, unless REST deleted it along with the endpoint. */
  async #keptOrMadeAnew(fleet: Properties, name: string, kept: Made, next: Properties): Promise<Made> {
    const context = await this.#connect();
    if (!hasOwnTemplate(next) || (await context.client.templates.read(kept.id)) !== undefined) return kept;
    // A new one may only not be shown yet.
    if (!wasTakenAlong(kept.id) && unseenForMs(context, kept.id, kept.state) > 0) return kept;
    return this.#templates.create(completeTemplate(fleet, name, next, kept.state));
  }

  deleteEndpoint(fleet: Properties, name: string, { id, state }: Made): Promise<void> {
    return this.#endpoints.delete(id, seeded(state, fleet, name));
  }

  deleteTemplate(fleet: Properties, name: string, { id, state }: Made): Promise<void> {
    return this.#templates.delete(id, seeded(state, fleet, name, TEMPLATE));
  }

  /**
   * The member as it is now, and the arguments that would declare it that way.
   *
   * @param isDamaged whether its recorded arguments can't be used
   */
  async read(
    { endpoint, template: kept }: Member,
    isDamaged: boolean,
  ): Promise<{ member: Member; inputs: Properties | undefined }> {
    const read = (lifecycle: Lifecycle, made: Made | undefined) =>
      made && (isDamaged ? lifecycle.readById(made.id) : lifecycle.read(made.id, made.state));
    const [found, ofTemplate] = await Promise.all([read(this.#endpoints, endpoint), read(this.#templates, kept)]);
    const member = {
      endpoint: endpoint && found && { id: endpoint.id, state: found.state },
      template: kept && ofTemplate && { id: kept.id, state: ofTemplate.state },
    };
    if (found === undefined) return { member, inputs: undefined };
    if (ofTemplate === undefined) return { member, inputs: recorded(found.inputs) };
    const { templateId: _, templateRevision: __, ...inputs } = recorded(found.inputs);
    return {
      member,
      inputs: { ...inputs, ...container(ofTemplate.inputs), __templateName: ofTemplate.inputs.name },
    };
  }

  /** The engine's state holds this member. */
  markRecorded({ ledger }: Context, fleet: Properties, name: string, { endpoint, template: kept }: Member): void {
    if (endpoint !== undefined) ledger.createRecorded(seedOf(fleet, name), String(endpoint.state.name));
    if (kept !== undefined) ledger.createRecorded(seedOf(fleet, name, TEMPLATE), String(kept.state.name));
  }

  /** Called when the engine gets what exists of the member. */
  answered({ ledger }: Context, fleet: Properties, name: string, { endpoint, template: kept }: Member): void {
    if (endpoint !== undefined) ledger.answered(seedOf(fleet, name));
    if (kept !== undefined) ledger.answered(seedOf(fleet, name, TEMPLATE));
  }

  #endpointInputs(
    fleet: Properties,
    name: string,
    next: Properties,
    old: Made | undefined,
    kept: Made | undefined,
    option: readonly string[],
  ): Properties {
    const inputs = {
      ...endpointOf(next),
      ...(next.__logicalName !== undefined && madeUpNameIn(old?.state)),
      __seed: seedOf(fleet, name),
      __replaceOnChanges: option,
      __ignoreChanges: ignoredChangesOf(name, fleet),
    };
    if (!hasOwnTemplate(next)) return inputs;
    return { ...inputs, templateId: kept?.id ?? UNKNOWN, templateRevision: kept?.state.revision ?? UNKNOWN };
  }
}

/** A difference for a member that is added or removed. It shows no values. */
export function whole({ old, next }: { old?: object; next?: object }): Difference {
  return { path: "", field: "", old, next, replaces: false, facts: {} };
}

const TEMPLATE = "template";

function deletedInWords({ endpoint, template }: Member): string {
  const things = [endpoint && `endpoint ${endpoint.id}`, template && `template ${template.id}`].filter(Boolean);
  return `is no longer a member: ${things.join(" and ")} ${things.length > 1 ? "are" : "is"} deleted`;
}

/**
 * The paths of `replaceOnChanges` that the endpoint gets if the option names something that changed in the member's
 * template.
 */
function ofTemplateChange({ differences }: Planned, option: readonly string[]): string[] {
  const asked = differences.some((each) => replacedOnChange(each, { __replaceOnChanges: option }));
  return asked ? ["templateId", "templateRevision"] : [];
}

function mistakesIn(given: Properties, own: boolean): CheckFailure[] {
  const [setting] = Object.keys(container(given));
  if (given.templateId !== undefined && setting !== undefined)
    return [
      {
        property: setting,
        reason: "is not taken together with a template: remove one of them, or change the template",
      },
    ];
  if (own || given.templateId !== undefined) return [];
  const reason = "is required: give an image, or a serverless Template as template, or its id as templateId";
  return [{ property: "image", reason }];
}

/** The member's arguments for its endpoint. */
function endpointOf(properties: Properties): Properties {
  const { __templateName: _, __templateAdopted: __, ...rest } = withoutContainer(properties);
  return rest;
}

/** The member's arguments for its template, with the recorded name if there is one. */
function templateIn(fleet: Properties, name: string, properties: Properties): Properties {
  const given = container(properties);
  if (given.image === undefined) return {};
  const { __templateName: known, __templateAdopted: adoptId, __secrets } = properties;
  return {
    ...given,
    serverless: true,
    __seed: seedOf(fleet, name, TEMPLATE),
    __logicalName: logicalNameOf(fleet, name),
    ...(known !== undefined && { name: known }),
    ...(adoptId !== undefined && { adoptId }),
    ...(__secrets !== undefined && { __secrets }),
  };
}

function completeTemplate(fleet: Properties, name: string, next: Properties, old?: Properties): Properties {
  return checkInputs(template, { ...templateIn(fleet, name, next), ...madeUpNameIn(old) }).inputs;
}

/**
 * The generated name that a state holds, which is kept. The check may have generated another: for a member that was
 * renamed, or one whose arguments the engine doesn't hold because an update failed in part.
 */
function madeUpNameIn(state: Properties = {}): Properties {
  const name = generatedNameIn(state);
  return name === undefined ? {} : { name };
}

/** Drops a member's seed, which follows from the fleet's and is not recorded. */
function recorded({ __seed, ...inputs }: Properties): Properties {
  return inputs;
}

function seeded(state: Properties, fleet: Properties, name: string, part = ""): Properties {
  return { ...state, __seed: seedOf(fleet, name, part) };
}

/** What exists of a resource after its operation failed; undefined if nothing was recorded. */
export function partlyMade(error: unknown): Made | undefined {
  return error instanceof PartlyMadeError ? { id: error.id, state: error.properties } : undefined;
}
