import { type ConnectOptions, withoutFlashBoot } from "../../client";
import { connected } from "./connected";
import { busiestTime, endpointsOf, maximumOf } from "./endpoints";
import { kindOf, readable } from "./monthlyCost";
import { type Share, shares, sumOf, workerQuota } from "./quota";
import type { Resource } from "./types";

/** The workers that a stack's endpoints may have together, and the account's quota. */
export interface WorkerDemand {
  /** The sum of the stack's maxima, with schedules at the busiest time of a week. An endpoint whose maximum is not known before the update is not in it. */
  readonly stack: number;
  /** The sum of the account's other endpoints. It includes those that this run deletes, because the engine deletes last. */
  readonly others: number;
  /** Undefined where the key may read neither the account's limits nor its balance. */
  readonly quota: number | undefined;
  /** The stack's endpoints, the largest maximum first. */
  readonly endpoints: readonly { readonly name: string; readonly workersMax: number }[];
}

/**
 * Sums up the workers that a stack asks for, for a rule in a policy pack. Costs three calls, and none for a stack without
 * endpoints.
 *
 * @param resources as policies show them; those of other packages are passed over
 * @param connection the environment's unless given
 * @returns undefined for a stack without endpoints
 * @throws ComputeCloudError if the account's endpoints can't be listed
 */
export async function workerDemand(
  resources: readonly Resource[],
  connection?: ConnectOptions,
): Promise<WorkerDemand | undefined> {
  const ourResources = resources.flatMap(({ type, name = "", props }) => {
    const kind = kindOf(type);
    return kind === undefined ? [] : [{ kind, name, props: readable(props) }];
  });
  const stackEndpoints = ourResources.flatMap(({ kind, name, props }) => endpointsOf(kind, name, props, undefined));
  if (stackEndpoints.length === 0) return undefined;
  await using client = connected(connection);
  const [{ limit: quota }, all] = await Promise.all([workerQuota(client, {}), shares(client, {})]);
  // Policies don't show a resource's id. The addresses of its queue contain it, but are unknown in the preview of a dynamic
  // resource's update, where only the name is left. Another stack's endpoint with the same name is then not counted.
  const ids = new Set([
    ...ourResources.flatMap(({ props }) => JSON.stringify(props.requestUrls ?? "").split(/[^\w-]+/)),
    ...stackEndpoints.map(({ props }) => props.adoptId),
  ]);
  const names = new Set(stackEndpoints.map(({ props }) => props.name));
  const isOwn = ({ id, name }: Share) => ids.has(id) || names.has(withoutFlashBoot(name));
  const maxima = stackEndpoints.map(({ name, props }) => ({ name, ...maximumOf(props) }));
  const { at } = busiestTime(maxima, Date.now());
  const endpoints = maxima
    .map(({ name, most }) => ({ name, workersMax: most(at) ?? 0 }))
    .toSorted((a, b) => b.workersMax - a.workersMax);
  return { stack: sumOf(endpoints), others: sumOf(all.filter((each) => !isOwn(each))), quota, endpoints };
}
