import { field, listIn, needStatus, Untried } from "./verdict";
import type { Wire } from "./wire";

/**
 * The resources that trials and the acceptance test make, in the order of their deletion: endpoints and pods use templates.
 * `named` is the field with the name, by which leftovers are found.
 */
export const kinds = {
  tag: { path: "/v2/tags", list: "tags", named: "key" },
  costCenter: { path: "/v2/cost-centers", list: "costCenters", named: "value" },
  endpoint: { path: "/v2/serverless", list: "endpoints", named: "name" },
  pod: { path: "/v2/pods", list: "pods", named: "name" },
  template: { path: "/v2/templates", list: "templates", named: "name" },
  registry: { path: "/v2/registries", list: "registries", named: "name" },
  secret: { path: "/v2/account/secrets", list: "secrets", named: "name" },
  globalVolume: { path: "/v2/global-volumes", list: "globalVolumes", named: "name" },
  volume: { path: "/v2/network-volumes", list: "networkVolumes", named: "name" },
} as const;

export type TrialKind = keyof typeof kinds;
export const trialKinds = Object.keys(kinds) as TrialKind[];

export interface Made {
  readonly kind: TrialKind;
  readonly id: string;
  readonly name: string;
}

/** The service counts a template as in use for up to two minutes after its last endpoint or pod is deleted. */
const RELEASE_MS = 150_000;
const PAUSE_MS = 5_000;
const MOST_PAGES = 1_000;

/**
 * Deletes a resource that a trial has made, over the interface that knows it. An already deleted one is fine.
 *
 * @param waitsMs how long to wait while something still uses it
 */
export async function remove(wire: Wire, { kind, id }: Pick<Made, "kind" | "id">, waitsMs = RELEASE_MS): Promise<void> {
  const { path } = kinds[kind];
  const until = wire.clock.now() + waitsMs;
  for (;;) {
    const answer = await wire.ask({ method: "DELETE", path: `${path}/{id}`, params: { id } });
    if (answer.status === 404 && kind === "endpoint") {
      // REST doesn't know it. GraphQL does not refuse the delete, because trials make no workers.
      const body = { query: "mutation ($id: String!) { deleteEndpoint(id: $id) }", variables: { id } };
      return void (await wire.ask({ to: "graphql", method: "POST", path: "", body }));
    }
    if (answer.status < 300 || answer.status === 404) return;
    if (answer.status < 500 && answer.status !== 400 && answer.status !== 409) return void needStatus(answer, 204);
    if (wire.clock.now() >= until) return void needStatus(answer, 204);
    await wire.clock.sleep(PAUSE_MS);
  }
}

/**
 * The resources of a kind whose names begin with the prefix, in any case: trials change the case of names.
 *
 * @throws Untried when they can't be listed
 */
export async function named(wire: Wire, kind: TrialKind, prefix: string): Promise<Made[]> {
  const lists = kind === "endpoint" ? [listed(wire, kind), savedEndpoints(wire)] : [listed(wire, kind)];
  const settled = await Promise.allSettled(lists);
  const good = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const failed = settled.find((each) => each.status === "rejected");
  if (good.length === 0 && failed !== undefined) throw failed.reason;
  const matches = good.flat().flatMap((item) => {
    const name = nameOf(kind, item);
    const id = field(item, "id");
    const isOurs = typeof id === "string" && typeof name === "string" && name.toLowerCase().startsWith(prefix);
    return isOurs ? [[id, { kind, id, name }] as const] : [];
  });
  // Both interfaces may show one endpoint.
  return [...new Map(matches).values()];
}

export const nameOf = (kind: TrialKind, item: unknown): unknown => field(item, kinds[kind].named);

/** All items of a list, from all pages. */
export async function listed(wire: Wire, kind: TrialKind): Promise<unknown[]> {
  const { path, list } = kinds[kind];
  const items: unknown[] = [];
  let query = "";
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = needStatus(await wire.ask({ method: "GET", path: `${path}${query}` }), 200);
    items.push(...listIn(answer.body, list));
    const cursor = field(answer.body, "pagination", "nextCursor");
    if (typeof cursor !== "string" || cursor === "") return items;
    query = `?cursor=${encodeURIComponent(cursor)}`;
  }
  throw new Untried(`GET ${path} has no end`);
}

async function savedEndpoints(wire: Wire): Promise<readonly unknown[]> {
  const body = { query: "{ myself { endpoints { id name } } }" };
  const answer = needStatus(await wire.ask({ to: "graphql", method: "POST", path: "", body }), 200);
  return listIn(answer.body, "data", "myself", "endpoints");
}
