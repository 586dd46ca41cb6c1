import { MOST_WORKERS } from "../common/defaults";
import { isObject, type Properties } from "../lifecycle/values";

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
  return Object.entries(endpoints).flatMap(([member, own]) => {
    const memberId = isObject(ids) && typeof ids[member] === "string" ? ids[member] : undefined;
    return isObject(own)
      ? [{ name: `${name}.${member}`, id: memberId, props: { ...(isObject(defaults) && defaults), ...own } }]
      : [];
  });
}

/**
 * The maximum of an endpoint; undefined if it is not known before the update. A maximum that is left out stays as it is.
 */
export function mostOf({ workers, workersMax }: Properties, before = 0): number | undefined {
  const most = (isObject(workers) ? workers.max : workersMax) ?? (before > 0 ? before : MOST_WORKERS);
  return typeof most === "number" ? most : undefined;
}
