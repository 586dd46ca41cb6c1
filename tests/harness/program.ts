// Without jest: chaos runs it, too.

/**
 * A program as a table: logical name -> class of the sdk, its arguments, and Pulumi's options. In arguments the text
 * `$name.output` stands for an output of an earlier resource, `$name` for the resource itself, and `$secret:text` for a
 * secret. It exports every id, as people's programs do.
 */
export type Resources = Readonly<
  Record<string, { readonly kind: string; readonly args: object; readonly options?: object }>
>;

export function programOf(resources: Resources): string {
  return `
    const pulumi = require("@pulumi/pulumi");
    const computecloud = require("pulumi-computecloud");
    const created = {};
    const resolved = (value) => {
      if (Array.isArray(value)) return value.map(resolved);
      if (value !== null && typeof value === "object")
        return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member)]));
      if (typeof value !== "string" || !value.startsWith("$")) return value;
      if (value.startsWith("$secret:")) return pulumi.secret(value.slice("$secret:".length));
      const [name, output] = value.slice(1).split(".");
      return output === undefined ? created[name] : created[name][output];
    };
    for (const [name, { kind, args, options }] of Object.entries(${JSON.stringify(resources)})) {
      created[name] = new computecloud[kind](name, resolved(args), resolved(options));
      if (kind !== "Provider" && created[name].id !== undefined) exports[name + "Id"] = created[name].id;
    }
  `;
}
