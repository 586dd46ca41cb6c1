import type { Context } from "../../lifecycle/definition";

export interface User {
  readonly id: string;
  /** Such as `endpoint "chat" (4kqwe7f0)`. */
  readonly label: string;
}

/* Finds the users of a resource whose delete was refused. REST doesn't show the template that a pod was made from. */

export async function usersOfTemplate({ client }: Context, id: string): Promise<User[]> {
  const endpoints = await client.endpoints.list();
  return endpoints.filter(({ templateId }) => templateId === id).map(named("endpoint"));
}

export async function usersOfVolume({ client }: Context, id: string): Promise<User[]> {
  const [pods, endpoints] = await Promise.all([client.pods.list(), client.serverless.list()]);
  return [
    ...pods.filter(({ mounts }) => mounts?.network?.some(({ volumeId }) => volumeId === id)).map(named("pod")),
    ...endpoints.filter(({ networkVolumes }) => networkVolumes?.includes(id)).map(named("endpoint")),
  ];
}

/** As far as the service shows them: GraphQL's pods and endpoints may be among the others. */
export async function usersOfGlobalVolume({ client }: Context, id: string): Promise<User[]> {
  const [pods, endpoints] = await Promise.all([client.pods.list(), client.serverless.list()]);
  return [
    ...pods.filter(({ mounts }) => mounts?.global?.some(({ volumeId }) => volumeId === id)).map(named("pod")),
    ...endpoints.filter(({ globalVolumes }) => globalVolumes?.includes(id)).map(named("endpoint")),
  ];
}

export async function usersOfRegistry({ client }: Context, id: string): Promise<User[]> {
  const pods = await client.pods.list();
  return pods.filter(({ registry }) => registry === id).map(named("pod"));
}

function named(what: string) {
  return ({ id, name = "" }: { id: string; name?: string | undefined }) => ({ id, label: `${what} "${name}" (${id})` });
}
