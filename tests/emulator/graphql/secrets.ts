import { newId } from "../ids";
import { find } from "../model/lookup";
import { badRequest } from "../problem";
import type { Service } from "../service";

interface SecretInput {
  readonly name: string;
  readonly value: string;
  readonly description?: string | null;
}

/** Secrets can be made and deleted; what refers to them in an environment stays literal. */
export const secretMutations = (service: Service) => ({
  secretCreate: ({ input: { name, value, description = null } }: { input: SecretInput }) => {
    if (service.store.secrets.by("name", name).length > 0) throw badRequest(`a secret named '${name}' already exists`);
    return service.store.secrets.put({ id: newId.secret(), name, value, description });
  },
  secretDelete: ({ id }: { id: string }) => {
    service.store.secrets.delete(find(service, service.store.secrets, id, "secret").id);
    return null;
  },
});
