import { notFound } from "../problem";
import type { Service } from "../service";
import type { Collection, Identified } from "../store/collection";

/** The record with this id, or the service's 404. A new record may be hidden for a while, and reads may lag. */
export function find<R extends Identified>(
  service: Service,
  records: Pick<Collection<R>, "get">,
  id: string,
  kind: string,
): R {
  const record = seen(service, records, id);
  if (record === undefined) throw notFound(kind);
  return record;
}

export function seen<R extends Identified>(
  { veil, isReading }: Service,
  records: Pick<Collection<R>, "get">,
  id: string,
): R | undefined {
  const record = veil.hides(id) ? undefined : records.get(id);
  return isReading ? veil.read(id, record) : record;
}

/** All records that lists show. */
export function list<R extends Identified>({ veil }: Service, records: Pick<Collection<R>, "name" | "values">): R[] {
  return veil.list(records).filter(({ id }) => !veil.hides(id));
}

/** The service for a handler that only reads: what it finds lags as the settings say. */
export const reading = (service: Service): Service => Object.create(service, { isReading: { value: true } });
