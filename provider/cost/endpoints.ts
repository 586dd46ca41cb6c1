import { MOST_WORKERS } from "../../common/defaults";
import { isObject, type Properties } from "../lifecycle/fields/values";
import { schedule, windowsOf, workersAt } from "./schedule";

/** An endpoint, as a state or the arguments describe it. */
export interface Wanted {
  readonly name: string;
  readonly id: string | undefined;
  readonly props: Properties;
}

/** The endpoints that a resource of this kind declares: one, the members of a fleet, or none. */
export function endpointsOf(kind: string, name: string, props: Properties, id: string | undefined): Wanted[] {
  if (kind === "ServerlessEndpoint" || kind === "ServerlessContainer") return [{ name, id, props }];
  const { endpoints, defaults, ids } = props;
  if (kind !== "ServerlessFleet" || !isObject(endpoints)) return [];
  return Object.entries(endpoints).flatMap(([member, memberProps]) => {
    const memberId = isObject(ids) && typeof ids[member] === "string" ? ids[member] : undefined;
    return isObject(memberProps)
      ? [{ name: `${name}.${member}`, id: memberId, props: { ...(isObject(defaults) && defaults), ...memberProps } }]
      : [];
  });
}

/**
 * The maximum of an endpoint; undefined if it is not known before the update. A maximum that is left out stays as it is.
 *
 * @param at when, for an endpoint with a schedule. Default: as the arguments say
 */
export function mostOf(props: Properties, before = 0, at?: number): number | undefined {
  const { workers, workersMax } = props;
  const { data } = schedule.safeParse(at === undefined ? undefined : props.schedule);
  const ownMax = (isObject(workers) ? workers.max : workersMax) ?? (before > 0 ? before : MOST_WORKERS);
  const most = (data && workersAt(data, at ?? 0)?.workersMax) ?? ownMax;
  return typeof most === "number" ? most : undefined;
}

/** The time of a week at which endpoints may have the most workers together. `from` is undefined if that is now. */
export function busiestTime(
  all: readonly { readonly props: Properties; readonly most: (at: number) => number | undefined }[],
  now: number,
): { readonly at: number; readonly from?: string } {
  const windows = all.flatMap(({ props }) => {
    const { data } = schedule.safeParse(props.schedule);
    return data === undefined ? [] : windowsOf(data, now);
  });
  const total = (at: number) => all.reduce((sum, { most }) => sum + (most(at) ?? 0), 0);
  const [busiest = { at: now }] = [{ at: now }, ...windows]
    .map((time) => ({ time, workers: total(time.at) }))
    .toSorted((a, b) => b.workers - a.workers)
    .map(({ time }) => time);
  return busiest;
}
