import { badRequest, notFound } from "../problem";
import type { Service } from "../service";
import type { Collection, Identified } from "../store/collection";

/** The record with this id, or the service's 404. A new record may be hidden for a while. */
export function find<R extends Identified>(
  { veil }: Service,
  records: Pick<Collection<R>, "get">,
  id: string,
  kind: string,
): R {
  const record = veil.hides(id) ? undefined : records.get(id);
  if (record === undefined) throw notFound(kind);
  return record;
}

/** All records that are not hidden. */
export function list<R extends Identified>({ veil }: Service, records: Pick<Collection<R>, "values">): R[] {
  return Array.from(records.values()).filter(({ id }) => !veil.hides(id));
}

/** Refuses a credential id that the account does not have. */
export function checkRegistry({ store }: Service, registry: string | null | undefined): void {
  if (registry != null && store.registries.get(registry) === undefined)
    throw badRequest(`registry credential '${registry}' not found`);
}
