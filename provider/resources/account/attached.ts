import { NotFoundError } from "../../../client";
import { z } from "../../../common/zod";
import type { CheckFailure } from "../../lifecycle/definition";
import { named, unordered } from "../../lifecycle/fields/fields";

const resourceType = named("ResourceType", z.enum(["POD", "CLUSTER", "SERVERLESS_ENDPOINT", "NETWORK_VOLUME"]));

const attachedResource = named(
  "AttachedResource",
  z.strictObject({
    type: resourceType.describe("What it is: a ServerlessContainer and a member of a fleet are endpoints, too."),
    id: z.string().min(1).describe("Its id."),
  }),
);
type AttachedResource = z.output<typeof attachedResource>;

/** The argument `resources` of kinds that are attached to other resources. */
export const attachedResources = (text: string) => unordered(z.array(attachedResource).default([])).describe(text);

/** Mistakes for resources that are listed twice: the service attaches each of them once. */
export function repeated(resources: readonly AttachedResource[] = []): CheckFailure[] {
  const keys = resources.map(({ type, id }) => `${type} ${id}`);
  return keys.flatMap((key, index) =>
    keys.indexOf(key) < index ? [{ property: `resources[${index}]`, reason: `names ${key} a second time` }] : [],
  );
}

/** The attached resources, as the service shows them. Undefined if it shows none of them. */
export type LiveResources = readonly { readonly id: string; readonly type?: string | undefined }[] | undefined;

/** The shown resources as the argument. The argument is left out if the service does not show each type. */
export function observed(live: LiveResources): { resources?: { type: string; id: string }[] } {
  const resources = live?.flatMap(({ id, type }) => (type === undefined ? [] : [{ type, id }]));
  return resources === undefined || resources.length < (live?.length ?? 0) ? {} : { resources };
}

interface Attachments {
  attach(id: string, resource: AttachedResource): Promise<void>;
  detach(id: string, resource: AttachedResource): Promise<void>;
}

/**
 * Attaches resources that are not known to be attached. If the service shows none, this attaches all of them, which
 * changes nothing for those that are.
 */
export async function attachMissing<Live extends { readonly id: string; readonly resources?: LiveResources }>(
  calls: Attachments,
  live: Live,
  wanted: readonly AttachedResource[],
): Promise<Live> {
  const present = observed(live.resources).resources ?? [];
  const missing = wanted.filter((one) => !present.some((other) => isSame(one, other)));
  await Promise.all(missing.map((resource) => calls.attach(live.id, resource).catch(nameMissing(resource))));
  return live;
}

/** The service's 404 doesn't say what is missing. A read tells whether it is the tag or the cost center. */
function nameMissing({ type, id }: AttachedResource): (error: unknown) => never {
  const reason = `resources: there is no ${type} "${id}". Correct the id or take it out.`;
  return (error) => {
    if (!(error instanceof NotFoundError)) throw error;
    throw new NotFoundError(reason, { kind: type, id, status: 404 });
  };
}

/**
 * Detaches resources that are no longer declared. Only resources in the state are detached: what others attached stays. A
 * resource that was deleted meanwhile is skipped.
 */
export async function detachOthers(
  calls: Attachments,
  id: string,
  recorded: unknown,
  wanted: readonly AttachedResource[],
): Promise<void> {
  const before = z.array(attachedResource).safeParse(recorded).data ?? [];
  const others = before.filter((one) => !wanted.some((other) => isSame(one, other)));
  await Promise.all(
    others.map(async (resource) => {
      try {
        await calls.detach(id, resource);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    }),
  );
}

function isSame(one: { type: string; id: string }, other: { type: string; id: string }): boolean {
  return one.type === other.type && one.id === other.id;
}
