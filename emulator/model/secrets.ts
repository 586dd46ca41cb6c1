import { newId } from "../ids";
import { badRequest, conflict } from "../problem";
import type { Service } from "../service";
import { recordsOf } from "../store";
import type { SecretRecord } from "../store/records";

export const secrets = recordsOf<SecretRecord>("secrets");

export const MOST_VALUE_BYTES = 16_777_215;
export const MOST_DESCRIPTION_BYTES = 65_535;

export interface SecretDraft {
  readonly name: string;
  readonly value: string;
  readonly description?: string | null | undefined;
}

/** Stores a secret. Names are unique in the account, ignoring case. */
export function createSecret(service: Service, { name, value, description = null }: SecretDraft): SecretRecord {
  if (/^runpod/i.test(name)) throw badRequest("secret names that begin with RUNPOD are reserved");
  const taken = Array.from(secrets(service).values()).some((other) => other.name.toLowerCase() === name.toLowerCase());
  if (taken) throw conflict(`a secret named '${name}' already exists`);
  const now = service.clock.now();
  return secrets(service).put({
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
  service: Service,
  before: SecretRecord,
  { value, description }: { value?: string | undefined; description?: string | undefined },
): SecretRecord {
  const valueLastUpdatedAt = service.clock.now();
  const valued = value === undefined ? before : secrets(service).put({ ...before, value, valueLastUpdatedAt });
  if (description === undefined) return valued;
  return secrets(service).put({ ...valued, description: description || null });
}
