import { ComputeCloudError, NotFoundError } from "../errors";
import type { CallOptions } from "../options";
import { Registry, type RegistryCalls, type UpdateRegistryRequest } from "../rest/registries";
import { readTolerantly } from "../values/tolerant";
import { updateRegistry } from "./documents";
import type { Graphql } from "./graphql";

const KIND = "Registry";

/** Registries. REST can change credentials only since late 2026; before that, only GraphQL can. */
export function registriesOfBoth(graphql: Graphql, rest: RegistryCalls): RegistryCalls {
  /** Whether a 404 or 405 means that REST lacks the call, rather than the registry. */
  const lacksTheChange = async (error: unknown, id: string, options: CallOptions) => {
    if (error instanceof NotFoundError) return (await rest.read(id, options)) !== undefined;
    return error instanceof ComputeCloudError && (error.status === 404 || error.status === 405);
  };

  const overGraphql = (id: string, credentials: UpdateRegistryRequest, options: CallOptions) =>
    graphql.windows.during(KIND, id, () => {
      const call = {
        operation: "updateRegistryAuth",
        class: "repeatable",
        kind: KIND,
        id,
        document: updateRegistry,
        variables: { input: { id, ...credentials } },
        ...options,
      } as const;
      return graphql.call(call, (data) => readTolerantly(Registry, data.updateRegistryAuth, { kind: KIND, id }));
    });

  return {
    ...rest,
    update: async (id: string, credentials: UpdateRegistryRequest, options: CallOptions = {}) => {
      try {
        return await rest.update(id, credentials, options);
      } catch (error) {
        if (!(await lacksTheChange(error, id, options))) throw error;
        return overGraphql(id, credentials, options);
      }
    },
  };
}
