import type { AdoptingProgram } from "./program";

/** What `pulumi import --file` takes, for programs that use the native plugin. */
export function importFile({ resources }: AdoptingProgram): object {
  return {
    resources: resources.map(({ kind, id, logicalName }) => ({
      type: `computecloud:index:${kind}`,
      name: logicalName,
      id,
    })),
  };
}
