import type { AdoptingProgram } from "./program";

export interface NamedProvider {
  readonly name: string;
  readonly urn: string;
}

/** The document for `pulumi import --file`, for programs that use the native plugin. */
export function importFile({ resources }: AdoptingProgram, provider?: NamedProvider): object {
  return {
    ...(provider !== undefined && { nameTable: { [provider.name]: provider.urn } }),
    resources: resources.map(({ kind, id, logicalName }) => ({
      type: `computecloud:index:${kind}`,
      name: logicalName,
      id,
      ...(provider !== undefined && { provider: provider.name }),
    })),
  };
}
