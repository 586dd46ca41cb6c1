import { type Checked, checkInputs } from "../../lifecycle/check/check";
import { type CheckFailure, type Context, markedSecrets } from "../../lifecycle/definition";
import type { Difference } from "../../lifecycle/fields/difference";
import { isUnknown, UNKNOWN } from "../../lifecycle/fields/unknown";
import type { Properties } from "../../lifecycle/fields/values";
import { Lifecycle } from "../../lifecycle/lifecycle";
import { generatedNameIn } from "../../lifecycle/make/names";
import { differenceText } from "../../lifecycle/plan/adoption";
import { replacedOnChange } from "../../lifecycle/plan/changeOptions";
import type { Planned } from "../../lifecycle/plan/plan";
import { unseenForMs } from "../../lifecycle/state/age";
import { PartlyMadeError } from "../../lifecycle/state/partlyMade";
import { serverlessEndpoint } from "../serverless/serverlessEndpoint";
import { template } from "../serverless/template";
import {
  container,
  containerKeys,
  hasOwnTemplate,
  ignoredChangesOf,
  logicalNameOf,
  type Member,
  type MemberResource,
  seedOf,
  without,
} from "./members";
import type { Fate } from "./plan";

export interface MemberChange {
  /** Undefined if nothing happens to the member. */
  readonly fate: Fate | undefined;
  readonly differences: readonly Difference[];
  /** The change as text. */
  readonly what: string;
}

/** The kinds that members consist of. What holds for these holds for a member. */
export class MemberKinds {
  readonly endpoints: Lifecycle;
  readonly templates: Lifecycle;

  constructor(readonly connect: () => Promise<Context>) {
    this.endpoints = new Lifecycle(serverlessEndpoint, connect, "a group");
    this.templates = new Lifecycle(template, connect, "a group");
  }
}

/** One member in an operation of its fleet: what exists of it, and the operations of its endpoint and its own template. */
export class FleetMember implements Member {
  endpoint: MemberResource | undefined;
  template: MemberResource | undefined;
  readonly #before: Member;

  /**
   * @param next the declared arguments, if it is a member still
   * @param replaceOnChanges the paths of this option of Pulumi's for the member. A change of its template may add some
   */
  constructor(
    private readonly kinds: MemberKinds,
    private readonly fleet: Properties,
    readonly name: string,
    before: Member = {},
    private readonly next?: Properties,
    private replaceOnChanges: readonly string[] = [],
  ) {
    this.#before = before;
    this.endpoint = before.endpoint;
    this.template = before.template;
  }

  get exists(): boolean {
    return this.endpoint !== undefined || this.template !== undefined;
  }

  /** Whether the fleet keeps a template for it from now on. */
  get hasOwnTemplate(): boolean {
    return this.next !== undefined && hasOwnTemplate(this.next);
  }

  /**
   * The arguments as they are recorded: the endpoint's and its own template's.
   *
   * @param old the arguments that were recorded last; empty for a new member
   */
  async check(old: Properties, declared: Properties): Promise<Checked> {
    const { endpoints, templates } = this.kinds;
    const needsTemplate = hasOwnTemplate(declared);
    const failures = mistakesIn(declared, needsTemplate);
    if (failures.length > 0) return { inputs: declared, failures };
    const endpoint = await endpoints.check(endpointOf(old), {
      ...endpointOf(declared),
      __seed: this.#seed(),
      ...(declared.name === undefined && { __logicalName: logicalNameOf(this.fleet, this.name) }),
      ...(needsTemplate && { templateId: UNKNOWN }),
    });
    if (!needsTemplate) return { inputs: recorded(endpoint.inputs), failures: endpoint.failures };
    const checkedTemplate = await templates.check(this.#templateIn(old), this.#templateIn(declared));
    const { templateId: _, ...inputs } = recorded(endpoint.inputs);
    return {
      inputs: {
        ...inputs,
        ...container(checkedTemplate.inputs),
        __templateName: checkedTemplate.inputs.name,
        // That of a state which was lost.
        ...(checkedTemplate.inputs.adoptId !== undefined && { __templateAdopted: checkedTemplate.inputs.adoptId }),
      },
      failures: [...endpoint.failures, ...checkedTemplate.failures],
    };
  }

  /** Decides what happens to it, without a call to the service. */
  async compare(): Promise<MemberChange> {
    const { endpoint, next, template: ownTemplate } = this;
    if (next === undefined) return { fate: "delete", differences: [whole({ old: {} })], what: describeDelete(this) };
    if (endpoint === undefined) return { fate: "create", differences: [whole({ next: {} })], what: "is new" };
    const ofTemplate = this.hasOwnTemplate && ownTemplate ? await this.#compareTemplate(ownTemplate, next) : undefined;
    const isStale = ofTemplate?.changes === true;
    const wanted = this.#endpointInputs(
      next,
      endpoint,
      isStale ? undefined : ownTemplate,
      this.#replacingBy(ofTemplate),
    );
    const ofEndpoint = await this.kinds.endpoints.diff(endpoint.id, this.#withSeed(endpoint.state), wanted);
    const differences = [...(ofTemplate?.differences ?? []), ...ofEndpoint.differences];
    const changes = ofEndpoint.changes || isStale || this.hasOwnTemplate !== (ownTemplate !== undefined);
    // A value that is no longer a secret may have been one.
    const secrets = [next, endpoint.state, ownTemplate?.state ?? {}].flatMap(markedSecrets);
    const described = differenceText(differences, { ...next, __secrets: secrets });
    const what = changes && differences.length === 0 ? "was not finished" : described;
    if (ofEndpoint.replaces.length === 0) return { fate: changes ? "update" : undefined, differences, what };
    const another = `endpoint ${endpoint.id} is deleted, and another is created with a new id`;
    return { fate: "replace", differences, what: `${what}: ${another}` };
  }

  /** Creates or updates the template that the fleet keeps for it. */
  async applyTemplate(): Promise<void> {
    const { next = {}, template: ownTemplate } = this;
    const { templates } = this.kinds;
    const wanted = this.#completeTemplate(next, ownTemplate?.state);
    if (ownTemplate === undefined) return this.#record("template", templates.create(wanted));
    // Without an endpoint, an earlier run failed while it replaced that. Which interface it used is not known.
    if (this.endpoint === undefined) await this.#keepTemplate(ownTemplate, next);
    const { id, state } = this.template ?? ownTemplate;
    const planned = await this.#compareTemplate({ id, state }, next);
    if (!planned.changes) return;
    await this.#record("template", updated(id, templates.update(id, state, wanted)));
    this.replaceOnChanges = this.#replacingBy(planned);
  }

  /**
   * Creates, updates, replaces or deletes its endpoint. A replacement deletes the old endpoint first. If the create then fails,
   * the member has no endpoint until the next run.
   */
  async applyEndpoint(): Promise<void> {
    const { endpoint: old, next, template: ownTemplate } = this;
    const { endpoints, connect } = this.kinds;
    if (next === undefined) return old && this.#deleteEndpoint(old);
    const wanted = this.#endpointInputs(next, old, ownTemplate, this.replaceOnChanges);
    if (old === undefined) return this.#record("endpoint", endpoints.create(wanted));
    const state = this.#withSeed(old.state);
    const { changes, replaces } = await endpoints.diff(old.id, state, wanted);
    if (!changes) return;
    if (replaces.length === 0)
      return this.#record("endpoint", updated(old.id, endpoints.update(old.id, state, wanted)));
    const { client, ledger } = await connect();
    // A template that is created again below is another at the same place.
    ledger.ids.replaces(this.#seed(TEMPLATE));
    await this.#deleteEndpoint(old);
    if (ownTemplate !== undefined && client.endpoints.through() !== "graphql")
      await this.#keepTemplate(ownTemplate, next);
    const inputs = this.#endpointInputs(next, old, this.template, this.replaceOnChanges);
    await this.#record("endpoint", endpoints.create(inputs));
  }

  async deleteTemplate(): Promise<void> {
    const { template: ownTemplate } = this;
    if (ownTemplate !== undefined)
      await this.kinds.templates.delete(ownTemplate.id, this.#withSeed(ownTemplate.state, TEMPLATE));
    this.template = undefined;
  }

  /**
   * Reads what exists of it.
   *
   * @param isDamaged whether its recorded arguments can't be used
   * @returns the arguments that would declare it that way; undefined without an endpoint
   */
  async read(isDamaged: boolean): Promise<Properties | undefined> {
    const { endpoint, template: ownTemplate } = this;
    const read = (kind: Lifecycle, resource: MemberResource | undefined) =>
      resource && (isDamaged ? kind.readById(resource.id) : kind.read(resource.id, resource.state));
    const [live, liveTemplate] = await Promise.all([
      read(this.kinds.endpoints, endpoint),
      read(this.kinds.templates, ownTemplate),
    ]);
    this.endpoint = endpoint && live && { id: endpoint.id, state: live.state };
    this.template = ownTemplate && liveTemplate && { id: ownTemplate.id, state: liveTemplate.state };
    if (live === undefined) return undefined;
    if (liveTemplate === undefined) return recorded(live.inputs);
    const { templateId: _, templateRevision: __, ...inputs } = recorded(live.inputs);
    return { ...inputs, ...container(liveTemplate.inputs), __templateName: liveTemplate.inputs.name };
  }

  /** The engine's state holds what exists of it. */
  markRecorded({ ledger }: Context): void {
    const { endpoint, template: ownTemplate } = this;
    if (endpoint !== undefined) ledger.creates.recorded(this.#seed(), String(endpoint.state.name));
    if (ownTemplate !== undefined) ledger.creates.recorded(this.#seed(TEMPLATE), String(ownTemplate.state.name));
    for (const resource of [endpoint, ownTemplate]) if (resource !== undefined) ledger.ids.records(resource.id);
  }

  /** The engine gets what was created of it. */
  answered({ ledger }: Context): void {
    const { endpoint, template: ownTemplate } = this;
    if (endpoint !== undefined && endpoint.id !== this.#before.endpoint?.id)
      ledger.creates.answered(this.#seed(), endpoint.id);
    if (ownTemplate !== undefined && ownTemplate.id !== this.#before.template?.id)
      ledger.creates.answered(this.#seed(TEMPLATE), ownTemplate.id);
  }

  /** Notes what an operation has made, also of one that has failed in part. */
  async #record(part: keyof Member, result: Promise<MemberResource>): Promise<void> {
    try {
      this[part] = await result;
    } catch (error) {
      if (error instanceof PartlyMadeError) this[part] = { id: error.id, state: error.properties };
      throw error;
    }
  }

  async #deleteEndpoint({ id, state }: MemberResource): Promise<void> {
    await this.kinds.endpoints.delete(id, this.#withSeed(state));
    this.endpoint = undefined;
  }

  /** Creates the template again if REST deleted it along with the endpoint. */
  async #keepTemplate(ownTemplate: MemberResource, next: Properties): Promise<void> {
    const context = await this.kinds.connect();
    if (!hasOwnTemplate(next) || (await context.client.templates.read(ownTemplate.id)) !== undefined) return;
    // A new one may only not be shown yet.
    const { id, state } = ownTemplate;
    if (!context.ledger.changes.wasDeleted(id) && unseenForMs(context, id, state) > 0) return;
    await this.#record("template", this.kinds.templates.create(this.#completeTemplate(next, ownTemplate.state)));
  }

  #compareTemplate({ id, state }: MemberResource, next: Properties): Promise<Planned> {
    return this.kinds.templates.diff(id, state, this.#completeTemplate(next, state));
  }

  /** `replaceOnChanges` of the endpoint: what the option names may have changed in its template. */
  #replacingBy(ofTemplate: Planned | undefined): readonly string[] {
    const option = this.replaceOnChanges;
    const isNamed = ofTemplate?.differences.some((each) => replacedOnChange(each, { __replaceOnChanges: option }));
    return isNamed ? [...option, "templateId", "templateRevision"] : option;
  }

  #endpointInputs(
    next: Properties,
    old: MemberResource | undefined,
    ownTemplate: MemberResource | undefined,
    option: readonly string[],
  ): Properties {
    const inputs = {
      ...endpointOf(next),
      ...(next.__logicalName !== undefined && recordedName(old?.state)),
      __seed: this.#seed(),
      __replaceOnChanges: option,
      __ignoreChanges: ignoredChangesOf(this.name, this.fleet),
    };
    if (!hasOwnTemplate(next)) return inputs;
    return {
      ...inputs,
      templateId: ownTemplate?.id ?? UNKNOWN,
      templateRevision: ownTemplate?.state.revision ?? UNKNOWN,
    };
  }

  #completeTemplate(next: Properties, old?: Properties): Properties {
    return checkInputs(template, { ...this.#templateIn(next), ...recordedName(old) }).inputs;
  }

  /** The member's arguments for its template, with the recorded name if there is one. */
  #templateIn(properties: Properties): Properties {
    const containerArguments = container(properties);
    if (containerArguments.image === undefined) return {};
    const { __templateName: name, __templateAdopted: adoptId, __secrets } = properties;
    return {
      ...containerArguments,
      serverless: true,
      __seed: this.#seed(TEMPLATE),
      __logicalName: logicalNameOf(this.fleet, this.name),
      ...(name !== undefined && { name }),
      ...(adoptId !== undefined && { adoptId }),
      ...(__secrets !== undefined && { __secrets }),
    };
  }

  #seed(part = ""): string {
    return seedOf(this.fleet, this.name, part);
  }

  #withSeed(state: Properties, part = ""): Properties {
    return { ...state, __seed: this.#seed(part) };
  }
}

/** A difference for a member that is added or removed. It shows no values. */
export function whole({ old, next }: { old?: object; next?: object }): Difference {
  return { path: "", field: "", old, next, replaces: false, facts: {} };
}

const TEMPLATE = "template";

async function updated(id: string, update: Promise<Properties>): Promise<MemberResource> {
  return { id, state: await update };
}

function describeDelete({ endpoint, template }: Member): string {
  const things = [endpoint && `endpoint ${endpoint.id}`, template && `template ${template.id}`].filter(Boolean);
  return `is no longer a member: ${things.join(" and ")} ${things.length > 1 ? "are" : "is"} deleted`;
}

function mistakesIn(declared: Properties, needsTemplate: boolean): CheckFailure[] {
  const containerArguments = container(declared);
  const property = Object.keys(containerArguments).find((key) => !isUnknown(containerArguments[key]));
  if (declared.templateId !== undefined && !isUnknown(declared.templateId) && property !== undefined) {
    const reason = "is not taken together with a template: remove one of them, or change the template";
    return [{ property, reason }];
  }
  if (needsTemplate || declared.templateId !== undefined) return [];
  const reason = "is required: give an image, or a serverless Template as template, or its id as templateId";
  return [{ property: "image", reason }];
}

/** The member's arguments for its endpoint. */
function endpointOf(properties: Properties): Properties {
  const { __templateName: _, __templateAdopted: __, ...rest } = without(properties, containerKeys);
  return rest;
}

/**
 * The generated name that a state holds, which is kept. The check may have generated another: for a member that was
 * renamed, or one whose arguments the engine doesn't hold because an update failed in part.
 */
function recordedName(state: Properties = {}): Properties {
  const name = generatedNameIn(state);
  return name === undefined ? {} : { name };
}

/** Drops a member's seed, which follows from the fleet's and is not recorded. */
const recorded = ({ __seed, ...inputs }: Properties): Properties => inputs;
