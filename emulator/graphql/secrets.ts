import { find } from "../model/lookup";
import { createSecret } from "../model/secrets";
import type { Service } from "../service";

interface SecretInput {
  readonly name: string;
  readonly value: string;
  readonly description?: string | null;
}

/** Creating and deleting secrets. References to them in environments are not resolved. */
export const secretMutations = (service: Service) => ({
  secretCreate: ({ input }: { input: SecretInput }) => createSecret(service, input),
  secretDelete: ({ id }: { id: string }) => {
    service.store.secrets.delete(find(service, service.store.secrets, id, "secret").id);
    return null;
  },
});
