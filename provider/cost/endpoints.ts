import { MOST_WORKERS } from "../../common/defaults";
import { isRecord } from "../../common/json";
import type { Properties } from "../lifecycle/fields/values";
import { Timetable } from "./schedule";

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
  if (kind !== "ServerlessFleet" || !isRecord(endpoints)) return [];
  return Object.entries(endpoints).flatMap(([member, memberProps]) => {
    const memberId = isRecord(ids) && typeof ids[member] === "string" ? ids[member] : undefined;
    return isRecord(memberProps)
      ? [{ name: `${name}.${member}`, id: memberId, props: { ...(isRecord(defaults) && defaults), ...memberProps } }]
      : [];
  });
}

/** The declared maximum of an endpoint; undefined if it is not known before the update. One that is left out stays as it is. */
export function mostOf({ workers, workersMax }: Properties, before = 0): number | undefined {
  const most = (isRecord(workers) ? workers.max : workersMax) ?? (before > 0 ? before : MOST_WORKERS);
  return typeof most === "number" ? most : undefined;
}

/** The maximum of an endpoint through the week. */
export interface Maximum {
  readonly timetable?: Timetable | undefined;
  /** By the schedule, where there is one; undefined if it is not known before the update. */
  most(at: number): number | undefined;
}

export function maximumOf(props: Properties, before = 0): Maximum {
  const timetable = Timetable.of(props);
  const declared = mostOf(props, before);
  return { timetable, most: (at) => timetable?.workersAt(at)?.workersMax ?? declared };
}

/** The time of a week at which endpoints may have the most workers together. `from` is undefined if that is now. */
export function busiestTime(all: readonly Maximum[], now: number): { readonly at: number; readonly from?: string } {
  const windows = all.flatMap(({ timetable }) => timetable?.windows(now) ?? []);
  const total = (at: number) => all.reduce((sum, { most }) => sum + (most(at) ?? 0), 0);
  const [busiest = { at: now }] = [{ at: now }, ...windows]
    .map((time) => ({ time, workers: total(time.at) }))
    .toSorted((a, b) => b.workers - a.workers)
    .map(({ time }) => time);
  return busiest;
}
