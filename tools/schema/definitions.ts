import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { z } from "zod";
import type { KindDescription } from "../../provider/lifecycle/definition";
import type { Example } from "../../provider/lifecycle/fields/example";

/** The part of a kind's definition that the generator reads, whatever its schemas. */
export interface AnyDefinition
  extends Pick<
    KindDescription<z.ZodObject>,
    "kind" | "source" | "description" | "inputs" | "outputs" | "shows" | "takes" | "deletesFirst"
  > {
  /** `"none"` where nothing remains in the account that could be adopted. */
  readonly adoption?: unknown;
  /** Of a kind that consists of other resources. */
  readonly keeps?: string;
  readonly examples: readonly AnyExample[];
  readonly list?: unknown;
  /** A component: a class of the sdk makes it from other resources. */
  readonly isComponent?: true;
}

export type AnyExample = Pick<Example<z.ZodObject>, "title" | "name"> & { readonly args: object };

/** A kind: a definition that a module of a subject in `resources/` exports. */
export type Kind = AnyDefinition & Pick<KindDescription<z.ZodObject>, "noun" | "rights" | "priced">;

const RESOURCES = join(__dirname, "../../provider/resources");

const exportedKinds = readdirSync(RESOURCES, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /\/.*\.ts$/.test(file) && !file.endsWith("/index.ts"))
  .flatMap((file) => {
    const exported: object = require(join(RESOURCES, file));
    return Object.entries(exported).flatMap(([name, value]) =>
      isKind(value) ? [{ name, definition: value, module: doorOf(file) }] : [],
    );
  })
  .sort((one, other) => (one.name < other.name ? -1 : 1));

/** A folder that has an index is entered by it. */
function doorOf(file: string): string {
  return existsSync(join(RESOURCES, dirname(file), "index.ts")) ? dirname(file) : file.replace(/\.ts$/, "");
}

function isKind(value: unknown): value is Kind {
  return typeof value === "object" && value !== null && "kind" in value && "noun" in value;
}

/** All kinds, by the name of their export. */
export const definitions: Readonly<Record<string, Kind>> = Object.fromEntries(
  exportedKinds.map(({ name, definition }) => [name, definition]),
);

/** The module of each kind, below `resources/`. */
export const modules: ReadonlyMap<string, string> = new Map(exportedKinds.map(({ name, module }) => [name, module]));
