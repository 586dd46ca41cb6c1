import { find } from "../model/lookup";
import { createSecret } from "../model/secrets";
import type { Service } from "../service";

interface SecretInput {
  readonly name: string;
  readonly value: string;
  readonly description?: string | null;
}

/** Secrets can be made and deleted; what refers to them in an environment stays literal. */
export const secretMutations = (service: Service) => ({
  secretCreate: ({ input }: { input: SecretInput }) => createSecret(service, input),
  secretDelete: ({ id }: { id: string }) => {
    service.store.secrets.delete(find(service, service.store.secrets, id, "secret").id);
    return null;
  },
});
