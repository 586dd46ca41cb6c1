import * as pulumi from "@pulumi/pulumi";

/** Arguments that every resource takes besides its own. */
export interface CommonArgs {
  /**
   * Takes over the existing resource with this id instead of creating one: what differs is updated in place, what would
   * need a replacement is an error. Removing it later changes nothing.
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
  /** Whether the service wants a name, which is made up where none is given. Default true. */
  readonly named?: boolean;
  /** Whether a Template may be given as `template`, in place of `templateId` and `templateRevision`. */
  readonly takesTemplate?: "follows" | "onRequest";
}

/** A Template, which brings its id and its revision: what uses it follows its changes. */
export interface RevisedTemplate {
  readonly id: pulumi.Output<string>;
  readonly revision: pulumi.Output<number>;
}

/** The revision that belongs to an id, for programs that name a template of theirs by `template.id`. */
const revisions = new WeakMap<object, pulumi.Output<number>>();

/** A dynamic resource whose provider is named by a short text instead of serialised code. */
export abstract class ComputeCloudResource extends pulumi.CustomResource {
  protected constructor(kind: Kind, name: string, args: object, options: pulumi.CustomResourceOptions = {}) {
    const given = new Map(Object.entries(args));
    for (const key of kind.secrets ?? []) {
      const value = given.get(key);
      if (value !== undefined) given.set(key, pulumi.secret(value));
    }
    if (kind.takesTemplate !== undefined) giveTemplate(kind.takesTemplate, given, `${kind.type} "${name}"`);
    // The provider isn't told the resource's name, and needs it to make up a name for the service.
    if (kind.named !== false && (given.get("name") ?? undefined) === undefined) given.set("logicalName", name);
    const properties = {
      ...Object.fromEntries(kind.outputs.map((key) => [key, undefined])),
      ...Object.fromEntries(given),
      __provider: `exports.handler=()=>require("pulumi-computecloud/provider").${kind.provider}`,
    };
    super(`pulumi-nodejs:dynamic/computecloud:${kind.type}`, name, properties, {
      ...options,
      additionalSecretOutputs: [...(options.additionalSecretOutputs ?? []), ...(kind.secrets ?? [])],
    });
    const revision: unknown = Reflect.get(this, "revision");
    if (pulumi.Output.isInstance<number>(revision)) revisions.set(this.id, revision);
  }
}

/**
 * Puts a template's id and revision in the place of `template`.
 *
 * @param how `follows`: `templateId: template.id` brings the revision as well; `onRequest`: only `template` does
 */
function giveTemplate(how: "follows" | "onRequest", given: Map<string, unknown>, who: string): void {
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
