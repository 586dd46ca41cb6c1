import { newId } from "../ids";
import { badRequest, conflict } from "../problem";
import type { Service } from "../service";
import type { SecretRecord } from "../store/records";

export const MOST_VALUE_BYTES = 16_777_215;
export const MOST_DESCRIPTION_BYTES = 65_535;

export interface SecretDraft {
  readonly name: string;
  readonly value: string;
  readonly description?: string | null | undefined;
}

/** Stores a secret. Names are unique in the account, ignoring case. */
export function createSecret(
  { store, clock }: Service,
  { name, value, description = null }: SecretDraft,
): SecretRecord {
  if (/^runpod/i.test(name)) throw badRequest("secret names that begin with RUNPOD are reserved");
  const taken = Array.from(store.secrets.values()).some((other) => other.name.toLowerCase() === name.toLowerCase());
  if (taken) throw conflict(`a secret named '${name}' already exists`);
  const now = clock.now();
  return store.secrets.put({
    id: newId.secret(),
    name,
    value,
    description: description || null,
    createdAt: now,
    valueLastUpdatedAt: now,
  });
}

/** Sets the value first. If the description is refused afterwards, the new value stays. */
export function updateSecret(
  { store, clock }: Service,
  before: SecretRecord,
  { value, description }: { value?: string | undefined; description?: string | undefined },
): SecretRecord {
  const valueLastUpdatedAt = clock.now();
  const valued = value === undefined ? before : store.secrets.put({ ...before, value, valueLastUpdatedAt });
  if (description === undefined) return valued;
  return store.secrets.put({ ...valued, description: description || null });
}
