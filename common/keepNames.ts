/** Keeps the names of error classes, because errors are logged by name and minifiers shorten class names. */
export function keepNames(classes: Readonly<Record<string, abstract new (...args: never[]) => Error>>): void {
  for (const [name, type] of Object.entries(classes)) Object.defineProperty(type, "name", { value: name });
}
