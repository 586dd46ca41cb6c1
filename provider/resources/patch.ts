/**
 * The arguments that a PATCH sends: those that changed, and no others.
 *
 * @param cleared what to send for an argument that was removed. The service can't clear a removed one that is not listed,
 * so it stays as it is
 */
export function patchOf<Inputs extends object>(
  inputs: Inputs,
  changed: ReadonlySet<keyof Inputs>,
  cleared: { readonly [Key in keyof Inputs]?: unknown } = {},
): Partial<Inputs> {
  const patch: Partial<Inputs> = {};
  for (const key of changed) {
    const value = inputs[key] ?? cleared[key];
    if (value !== undefined || key in cleared) Object.assign(patch, { [key]: value });
  }
  return patch;
}
