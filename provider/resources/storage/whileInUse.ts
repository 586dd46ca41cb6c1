import { BadRequestError, type Client, ConflictError, type Pod } from "../../../client";
import type { Context, Judged } from "../../lifecycle/definition";
import { pauseFor } from "../../lifecycle/make/wait";
import { readable } from "../serverless/templateCopy";

/** The service counts a use for up to two minutes after its end, as observed. */
const PATIENCE_MS = 180_000;
const LONGEST_PAUSE_MS = 10_000;
/** Users are looked for after this time. Until then lists may still show what was deleted a moment ago. */
const USERS_AFTER_MS = 3_000;

/**
 * Retries a delete that is refused because something still uses the resource. The same run may have deleted its users a
 * moment ago. A user that the run does not delete ends the wait: nothing in the run will free the resource.
 *
 * The service has no code for this refusal, so each 400 and 409 counts as one. A refusal for another reason is therefore
 * retried too, until the time is over. A retry of a delete does no harm; don't use this for other calls.
 *
 * @param usersOf finds the users. Called once after some seconds, and once when the time is over
 * @param patienceMs milliseconds
 * @throws Error that names the users if they are found, otherwise the refusal
 * @throws InterruptedError
 */
export async function whileInUse(
  context: Context,
  kind: string,
  id: string,
  calls: { delete(id: string): Promise<boolean> },
  usersOf: (context: Context, id: string) => Promise<readonly User[]>,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  const what = `${kind} ${id}`;
  const { clock } = context.client;
  const began = clock.now();
  let hasLooked = false;
  for (let pause = 500; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    try {
      return await calls.delete(id);
    } catch (error) {
      if (!(error instanceof BadRequestError || error instanceof ConflictError)) throw error;
      const spent = clock.now() - began;
      const left = patienceMs - spent;
      if (left <= 0 || (spent >= USERS_AFTER_MS && !hasLooked)) {
        hasLooked = true;
        const users = await usersOf(context, id).catch(() => []);
        const staysInUse = users.some(({ id }) => !context.ledger.ids.isBeingDeleted(id));
        if (left <= 0 || staysInUse) throw usedBy(what, users, error) ?? error;
      }
      context.log.status(what, `still in use; trying again for ${Math.ceil(left / 1000)} s`);
      await pauseFor(Math.min(pause, left), context);
    }
  }
}

/** Undefined if no user is found. Then the refusal is all that is known. */
function usedBy(what: string, users: readonly User[], cause: Error): Error | undefined {
  if (users.length === 0) return undefined;
  const labels = users.map(({ label }) => label);
  const names =
    labels.length > MOST_NAMED ? [...labels.slice(0, MOST_NAMED), `${labels.length - MOST_NAMED} more`] : labels;
  return new Error(
    `${what} is used by ${names.join(", ")}. Delete what uses it, or keep it: set retainOnDelete and run \`pulumi up\` before ` +
      `it leaves the program, or after a destroy run \`pulumi state delete\` with its URN. (${cause.message})`,
    { cause },
  );
}

const MOST_NAMED = 5;

/** Warns that what uses a resource is changed in place to use its replacement: until then the service refuses to delete it. */
export const deletedFirstWarning = ({ next, replaces }: Judged) =>
  replaces.length > 0 &&
  next.__deleteBeforeReplace === true && {
    warning:
      "the option deleteBeforeReplace deletes it first, and the service refuses that while an endpoint uses it. Remove the " +
      "option: then the endpoints move to the new one before this one is deleted.",
  };

export interface User {
  readonly id: string;
  /** Such as `endpoint "chat" (4kqwe7f0)`. */
  readonly label: string;
}

/* Finds the users of a resource whose delete was refused. REST rarely shows the template that a pod was made from. */

export async function usersOfTemplate({ client }: Context, id: string): Promise<User[]> {
  const [endpoints, pods, clusters = []] = await Promise.all([
    client.endpoints.list(),
    podsWith(client, ({ template }) => template === id),
    readable(client.clusters.list()),
  ]);
  const users = clusters.filter(({ template }) => template === id).map(named("cluster"));
  return [...users, ...endpoints.filter(({ templateId }) => templateId === id).map(named("endpoint")), ...pods];
}

/** As far as the service shows them: of a global volume, GraphQL's pods and endpoints may be among the others. */
async function usersOfMount(mount: "network" | "global", client: Client, id: string): Promise<User[]> {
  const [pods, endpoints] = await Promise.all([
    podsWith(client, ({ mounts }) => mounts?.[mount]?.some(({ volumeId }) => volumeId === id)),
    client.serverless.list(),
  ]);
  return [...pods, ...endpoints.filter((each) => each[`${mount}Volumes`]?.includes(id)).map(named("endpoint"))];
}

export const usersOfVolume = ({ client }: Context, id: string) => usersOfMount("network", client, id);
export const usersOfGlobalVolume = ({ client }: Context, id: string) => usersOfMount("global", client, id);

export const usersOfRegistry = ({ client }: Context, id: string): Promise<User[]> =>
  podsWith(client, ({ registry }) => registry === id);

/** For members of a cluster, which alone deletes them, the cluster. */
async function podsWith(client: Client, uses: (pod: Pod) => boolean | undefined): Promise<User[]> {
  const pods = (await client.pods.list({ includeClusterPods: true })).filter(uses);
  const users = pods.map(({ cluster, ...pod }) => (cluster ? named("cluster")(cluster) : named("pod")(pod)));
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

function named(what: string) {
  return ({ id, name }: { id: string; name?: string | undefined }) => ({
    id,
    label: name === undefined ? `${what} ${id}` : `${what} "${name}" (${id})`,
  });
}
