import * as pulumi from "@pulumi/pulumi";
import { refuseDeletedWith } from "./internal/resource";

/** How many members have the change after a wave: a number, or a share, which is rounded up. */
export type WaveSize = number | `${number}%`;

export interface WavesArgs<Name extends string, Member extends pulumi.Resource> {
  /** Names of the members, in the order in which a change reaches them. The first is the canary. */
  members: readonly Name[];
  /** Creates a member. It has to pass on the options, which put the member into its wave. */
  make: (member: Name, options: pulumi.ComponentResourceOptions) => Member;
  /** How many members have the change after each wave; the last is `100%`. Default `[1, "10%", "50%", "100%"]`. */
  waves?: readonly WaveSize[];
  /** The wave after which a change pauses, 1 for the first: later members keep what they have. Default: no pause. */
  pauseAfter?: number | undefined;
}

/**
 * Resources that a change reaches in waves: the first member, the canary, and then more and more of them. A wave begins
 * when all members of the wave before it have taken the change. If a member fails, the run fails and no later wave begins.
 * Members of later waves stay as they are, and earlier ones keep the change. The next `pulumi up` continues from there.
 *
 * @example A new image for one model first, then for a half, then for all
 * ```ts
 * import { GatedEndpoint, Waves } from "pulumi-computecloud";
 *
 * const models = new Waves("models", {
 *   members: ["chat", "embed", "rank"],
 *   waves: [1, "50%", "100%"],
 *   make: (model, options) =>
 *     new GatedEndpoint(
 *       model,
 *       {
 *         image: "registry.example.com/worker:1.5.0",
 *         env: { MODEL: model },
 *         gpu: { pools: ["AMPERE_24", "ADA_24"] },
 *         scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
 *         gate: { input: { text: "ping" } },
 *       },
 *       options,
 *     ),
 * });
 * export const url = models.members.chat.requestUrls.run;
 * ```
 */
export class Waves<Name extends string, Member extends pulumi.Resource> extends pulumi.ComponentResource {
  /** The members by name. */
  readonly members: Readonly<Record<Name, Member>>;

  /*
   * Waves are only an order. Pulumi registers a component and its resources after everything that the component depends
   * on is done. A member keeps its URN in any wave, because a URN holds the types of its parents and not their names.
   */
  constructor(name: string, args: WavesArgs<Name, Member>, options: pulumi.ComponentResourceOptions = {}) {
    super("computecloud:index:Waves", name, {}, options);
    refuseDeletedWith(`Waves "${name}"`, options);
    const { members, make, waves = [1, "10%", "50%", "100%"], pauseAfter = waves.length } = args;
    const created: [Name, Member][] = [];
    const plan: string[] = [];
    let before: Wave[] = [];
    for (const [index, end] of endsOf(name, waves, members.length).entries()) {
      const names = members.slice(created.length, end);
      if (names.length === 0) continue;
      const paused = index >= pauseAfter;
      const wave = new Wave(`${name}-wave-${index + 1}`, {
        parent: this,
        dependsOn: before,
        transformations: paused ? [keepRecorded] : [],
      });
      // A resource of the same name becomes a member without a replacement.
      const aliases = [{ parent: options.parent ?? pulumi.rootStackResource }];
      for (const member of names) created.push([member, make(member, { parent: wave, aliases })]);
      before = [wave];
      plan.push(`wave ${index + 1}${paused ? ", paused" : ""}: ${shortened(names)}`);
    }
    this.members = Object.fromEntries(created) as Record<Name, Member>;
    // A terminal's tree shows waves as parents. Other previews leave out unchanged parents.
    if (pulumi.runtime.isDryRun()) void pulumi.log.info(plan.join("; "), this);
    this.registerOutputs({});
  }
}

class Wave extends pulumi.ComponentResource {
  constructor(name: string, options: pulumi.ComponentResourceOptions) {
    super("computecloud:index:Wave", name, {}, options);
    this.registerOutputs({});
  }
}

/** Keeps recorded arguments. Members that the state doesn't have yet are created in spite of it. */
const keepRecorded: pulumi.ResourceTransformation = ({ props, opts }) => ({
  props,
  opts: pulumi.mergeOptions(opts, { ignoreChanges: ["*"] }),
});

function shortened(names: readonly string[]): string {
  const others = names.length - 3;
  return others > 1 ? `${names.slice(0, 3).join(", ")} and ${others} others` : names.join(", ");
}

/**
 * How many members have the change after each wave. A share of few members may add none.
 *
 * @throws pulumi.RunError if a size is not valid or smaller than one before it, or the last is not `100%`
 */
function endsOf(name: string, waves: readonly WaveSize[], members: number): number[] {
  const sizes = waves.map((size) => {
    const share = /^(\d+(?:\.\d+)?)%$/.exec(String(size))?.[1];
    return { isShare: share !== undefined, value: Number(share ?? size) };
  });
  if (
    waves.at(-1) !== "100%" ||
    !sizes.every(({ isShare, value }) => isShare || (Number.isInteger(value) && value >= 0))
  )
    throw new pulumi.RunError(
      `Waves "${name}": waves are whole numbers of members, or shares such as "10%", and the last is "100%".`,
    );
  for (const [index, { isShare, value }] of sizes.entries()) {
    const before = sizes.slice(0, index).findLast((each) => each.isShare === isShare);
    if (before !== undefined && before.value > value)
      throw new pulumi.RunError(
        `Waves "${name}": waves must not fall, as from ${before.value} to ${value}: each size counts the members that have ` +
          "the change after its wave.",
      );
  }
  return sizes.map(({ isShare, value }) => (isShare ? Math.ceil((value * members) / 100) : value));
}
