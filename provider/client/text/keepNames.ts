/** Gives classes the names that they have here, which minifiers of bundles would shorten: errors are logged by name. */
export function keepNames(classes: Readonly<Record<string, abstract new (...args: never[]) => Error>>): void {
  for (const [name, type] of Object.entries(classes)) Object.defineProperty(type, "name", { value: name });
}
