import { z } from "zod";
import { NotFoundError } from "../client/errors";
import type { CheckFailure } from "../lifecycle/definition";
import { named, unordered } from "../lifecycle/fields";

const resourceType = named("ResourceType", z.enum(["POD", "CLUSTER", "SERVERLESS_ENDPOINT", "NETWORK_VOLUME"]));

const attachedResource = named(
  "AttachedResource",
  z.strictObject({
    type: resourceType.describe("What it is: a ServerlessContainer and a member of a fleet are endpoints, too."),
    id: z.string().min(1).describe("Its id."),
  }),
);
type AttachedResource = z.output<typeof attachedResource>;

/** The argument `resources` of kinds that are put on other resources. */
export const attachedResources = (text: string) => unordered(z.array(attachedResource).default([])).describe(text);

/** The service keeps each of them once. */
export function repeated(resources: readonly AttachedResource[] = []): CheckFailure[] {
  const keys = resources.map(({ type, id }) => `${type} ${id}`);
  return keys.flatMap((key, index) =>
    keys.indexOf(key) < index ? [{ property: `resources[${index}]`, reason: `names ${key} a second time` }] : [],
  );
}

/** What the service shows of them; undefined where it shows none, or not all that is needed. */
export type Shown = readonly { readonly id: string; readonly type?: string | undefined }[] | undefined;

/** The same in the words of the arguments. */
export function observed(shown: Shown): { resources?: { type: string; id: string }[] } {
  const resources = shown?.flatMap(({ id, type }) => (type === undefined ? [] : [{ type, id }]));
  return resources === undefined || resources.length < (shown?.length ?? 0) ? {} : { resources };
}

interface Attachments {
  attach(id: string, resource: AttachedResource): Promise<void>;
  detach(id: string, resource: AttachedResource): Promise<void>;
}

/** Attaches what is not known to be attached: where the service shows nothing, all of it, which changes nothing twice. */
export async function attachMissing(
  calls: Attachments,
  { id, resources: shown }: { id: string; resources?: Shown },
  wanted: readonly AttachedResource[],
): Promise<void> {
  const present = observed(shown).resources ?? [];
  const missing = wanted.filter((one) => !present.some((other) => isSame(one, other)));
  await Promise.all(missing.map((resource) => calls.attach(id, resource)));
}

/** Detaches what is no longer wanted. What was deleted meanwhile is detached by that. */
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
