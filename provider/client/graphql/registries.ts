import type { CallOptions } from "../options";
import { Registry } from "../schemas/registries";
import { readTolerantly } from "../tolerant";
import { updateRegistry } from "./documents";
import type { Graphql } from "./graphql";

const KIND = "Registry";

/** What REST lacks of registries: a change of the credentials. */
export function registryCredentials(graphql: Graphql) {
  return {
    /** Puts other credentials under the same id; the name stays. */
    update: (id: string, credentials: { username: string; password: string }, options: CallOptions = {}) =>
      graphql.windows.during(KIND, async () => {
        const { updateRegistryAuth } = await graphql.call({
          operation: "updateRegistryAuth",
          class: "repeatable",
          kind: KIND,
          id,
          document: updateRegistry,
          variables: { input: { id, ...credentials } },
          ...options,
        });
        return readTolerantly(Registry, updateRegistryAuth, { kind: KIND, id });
      }),
  };
}
