import { isDeepStrictEqual } from "node:util";
import { withoutFlashBoot } from "../../client";
import { seedOf } from "../../common/seed";
import { type Properties, pick } from "../../provider/lifecycle/fields/values";
import { hasGeneratedForm, lastGeneratedName } from "../../provider/lifecycle/make/names";
import { CONTAINER, seedOf as seedInFleet, without } from "../../provider/resources/fleet";
import { type Adoptable, JobInput } from "./found";

/** What Pulumi calls the organization of a backend that has none. */
export const NO_ORGANIZATION = "organization";

/** A stack whose state and program were lost. */
export interface LostStack {
  readonly organization: string;
  readonly project: string;
  readonly stack: string;
}

/** @param text `project/stack` or `organization/project/stack` */
export function lostStack(text: string): LostStack {
  const [stack = "", project = "", organization = NO_ORGANIZATION, ...rest] = text.split("/").toReversed();
  if (stack !== "" && project !== "" && organization !== "" && rest.length === 0)
    return { organization, project, stack };
  throw new Error(`--lost takes project/stack, or organization/project/stack, not "${text}"`);
}

/** Where in the lost program a resource was. */
type Place =
  | { readonly in: "stack" }
  | { readonly in: "fleet"; readonly fleet: string; readonly member: string }
  | { readonly in: "gate"; readonly gate: string; readonly part: "live" | "candidate"; readonly parents: Parents };
type Parents = readonly string[];

/** A single resource is rarely replaced. The templates of gates are, and they are looked for where a gate was found. */
const REPLACEMENTS = 50;
const LIVE = "ServerlessContainer";
const ENDPOINTS = ["ServerlessEndpoint", LIVE];
const GATED = "computecloud:index:GatedEndpoint";
const IN_WAVES: Parents = ["computecloud:index:Waves", "computecloud:index:Wave", GATED];
const CANDIDATE = "-candidate";

function seedAt(
  { organization, project, stack }: LostStack,
  kind: string,
  name: string,
  parents: Parents = [],
): string {
  const type = [...parents, `pulumi-nodejs:dynamic/computecloud:${kind}`].join("$");
  return seedOf(organization, `urn:pulumi:${stack}::${project}::${type}::${name}`);
}

/** The place that a generated name proves: its hash is that of the place. Undefined for any other name. */
function placeOf(stack: LostStack, { kind, name }: Adoptable): Place | undefined {
  if (!hasGeneratedForm(name)) return undefined;
  const bare = withoutFlashBoot(name);
  const logicalName = bare.slice(0, bare.lastIndexOf("-"));
  const isFrom = (seed: string) => lastGeneratedName([bare], logicalName, seed, REPLACEMENTS) !== undefined;
  const kinds = ENDPOINTS.includes(kind) ? ENDPOINTS : [kind];
  if (kinds.some((each) => isFrom(seedAt(stack, each, logicalName)))) return { in: "stack" };
  const parents = [[GATED], IN_WAVES].find((each) => isFrom(seedAt(stack, LIVE, logicalName, each)));
  if (parents !== undefined) {
    if (!logicalName.endsWith(CANDIDATE)) return { in: "gate", gate: logicalName, part: "live", parents };
    return { in: "gate", gate: logicalName.slice(0, -CANDIDATE.length), part: "candidate", parents };
  }
  for (const { index } of logicalName.matchAll(/-/g)) {
    const [fleet, member] = [logicalName.slice(0, index), logicalName.slice(index + 1)];
    const __seed = seedAt(stack, "ServerlessFleet", fleet);
    if (["", "template"].some((part) => isFrom(seedInFleet({ __seed }, member, part))))
      return { in: "fleet", fleet, member };
  }
  return undefined;
}

/**
 * The resources of an account, in which those of a lost stack are what they were: members of fleets, and parts of gated
 * endpoints. Their names prove it.
 *
 * @param adoptables all resources of the account
 */
export function asTheyWere(adoptables: readonly Adoptable[], stack: LostStack): readonly Adoptable[] {
  const places = new Map(
    adoptables.flatMap((each) => {
      const place = placeOf(stack, each);
      return place === undefined ? [] : [[each, place] as const];
    }),
  );
  const endpoints = adoptables.filter(({ kind }) => ENDPOINTS.includes(kind));
  const templates = adoptables.filter(({ kind }) => kind === "Template");
  const composites: Adoptable[] = [];
  const parts = new Set<Adoptable | undefined>();

  const members = endpoints.flatMap((endpoint) => {
    const template = templates.find(({ id }) => id === endpoint.args.templateId);
    const ofTemplate = template && places.get(template);
    // A member with a name of its own is known by its template.
    const place = places.get(endpoint) ?? ofTemplate;
    return place?.in === "fleet"
      ? [{ ...place, endpoint, template: ofTemplate?.in === "fleet" ? template : undefined }]
      : [];
  });
  for (const [fleet, those] of Map.groupBy(members, (each) => each.fleet)) {
    const declared = those.map(({ member, endpoint, template }) => {
      for (const part of [endpoint, template]) parts.add(part);
      const { templateId, ...args } = argumentsOf(endpoint);
      return [member, { ...args, ...(template === undefined ? { templateId } : containerOf(template)) }];
    });
    composites.push(composite("ServerlessFleet", fleet, { endpoints: Object.fromEntries(declared) }));
  }

  const waves: [string, Properties][] = [];
  const gated = [...places].flatMap(([endpoint, place]) => (place.in === "gate" ? [{ ...place, endpoint }] : []));
  for (const [gate, those] of Map.groupBy(gated, (each) => each.gate)) {
    const { parents } = those[0] ?? { parents: [] };
    const templateOf = (name: string) => {
      const seed = seedAt(stack, "Template", name, parents);
      const last = lastGeneratedName(
        templates.map((each) => each.name),
        name,
        seed,
      );
      return templates.find((each) => each.name === last);
    };
    const [template, ofCandidate] = [templateOf(gate), templateOf(gate + CANDIDATE)];
    const candidate = those.find(({ part }) => part === "candidate")?.endpoint;
    const live =
      those.find(({ part }) => part === "live")?.endpoint ??
      only(endpoints.filter((each) => isTwin(each, template, candidate)));
    if (live === undefined) continue;
    for (const part of [live, candidate, template, ofCandidate]) parts.add(part);
    const { type: _, ...args } = argumentsOf(live);
    const gateArgs = { ...without(args, TEMPLATED), ...containerOf(template ?? live), gate: { input: new JobInput() } };
    if (parents === IN_WAVES) waves.push([gate, gateArgs]);
    else composites.push(composite("GatedEndpoint", gate, gateArgs));
  }
  if (waves.length > 0) composites.push(composite("Waves", "waves", Object.fromEntries(waves)));

  const rest = adoptables.filter((each) => !parts.has(each));
  return [...rest.map((each) => (places.get(each)?.in === "stack" ? { ...each, own: true } : each)), ...composites];
}

function composite(kind: string, name: string, args: Properties): Adoptable {
  return { kind, id: "", name, logicalName: name, args, protect: true, differences: [], own: true };
}

/** Arguments of a part. Where the name doesn't say that it is one, the id does. */
function argumentsOf({ id, name, args: { name: declaredName, ...args } }: Adoptable): Properties {
  return hasGeneratedForm(name) ? args : { adoptId: id, name: declaredName, ...args };
}

const TEMPLATED: ReadonlySet<string> = new Set([...CONTAINER, "entrypoint", "cmd"]);

const containerOf = ({ args }: Adoptable): Properties => pick(args, TEMPLATED);

/** Whether an endpoint with a name of its own runs what the gate's candidate has tried. */
function isTwin(
  { name, kind, args }: Adoptable,
  template: Adoptable | undefined,
  candidate: Adoptable | undefined,
): boolean {
  if (kind !== LIVE || hasGeneratedForm(name) || template === undefined || candidate === undefined) return false;
  return (
    args.image === template.args.image &&
    ["gpu", "cpu"].every((key) => isDeepStrictEqual(args[key], candidate.args[key]))
  );
}

const only = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined);
