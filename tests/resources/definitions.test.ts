/* What every kind declares: a text for each argument and output, and examples that run as they stand. */
import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { RIGHTS } from "../../emulator/settings";
import { bare, descriptionOf } from "../../provider/lifecycle/fields/fields";
import { definitions } from "../../provider/resources";
import { textOf } from "../docs/pages";
import { emulatorForAll } from "../harness/account";
import { contextOf, previewAfterRefresh, refreshed } from "../harness/context";
import { examplesBy, operationsOf } from "../harness/examples";

const kinds = Object.entries(definitions);

/** Paths of the fields that nobody has described. */
function undescribed(schema: z.core.$ZodType, path: string): string[] {
  const field = bare(schema);
  if (field instanceof z.ZodRecord) return undescribed(field.valueType, `${path}.*`);
  if (field instanceof z.ZodArray) return undescribed(field.element, `${path}[]`);
  if (field instanceof z.ZodUnion) return field.options.flatMap((option) => undescribed(option, path));
  if (!(field instanceof z.ZodObject)) return [];
  return Object.entries(field.shape).flatMap(([key, member]) => {
    const text = descriptionOf(member);
    const ownPaths = text !== undefined && /^[A-Z`].*[.:]$/s.test(text) ? [] : [`${path}.${key}`];
    return [...ownPaths, ...undescribed(member, `${path}.${key}`)];
  });
}

test.each(kinds)("%s describes itself, and every argument and output at any depth", (_, definition) => {
  expect(definition.description).toMatch(/\.$/);
  expect(undescribed(definition.inputs, "inputs")).toEqual([]);
  expect(undescribed(definition.outputs, "outputs")).toEqual([]);
});

/** What the guide says of a key's rights, by kind: for a plan, and for an update. */
const rights = new Map(
  Array.from(
    textOf("docs/resources/README.md").matchAll(/^\| (\w+)(?: \(inferred\))? \| (.*) \| (.*) \|$/gm),
    ([, kind, plan = "", up = ""]) => [kind, { plan: areasOf(plan), up: { ...areasOf(plan), ...areasOf(up) } }],
  ),
);

/** `read: pods, templates; write: graphql`, as the emulator takes it; the catalog may always be read. */
function areasOf(text: string): Record<string, "read-only" | "read-write"> {
  const lists = Array.from(text.matchAll(/(read|write): ([\w, ]+)/g), ([, right, list = ""]) =>
    RIGHTS.filter((area) => list.split(", ").includes(area)).map(
      (area) => [area, right === "write" ? "read-write" : "read-only"] as const,
    ),
  );
  return { catalog: "read-only", ...Object.fromEntries(lists.flat()) };
}

describe("examples run as they stand, of", () => {
  const keys = Array.from(rights, ([kind, { plan, up }]) => [
    { key: `${kind}-plan`, kind: "restricted" as const, areas: plan },
    { key: `${kind}-up`, kind: "restricted" as const, areas: up },
  ]).flat();
  const { emulator } = emulatorForAll({ settings: { keys } });

  const cases = kinds.flatMap(([kind, { examples }]) =>
    examples.map((example, index) => ({ kind, index, ...example })),
  );
  test.each(cases)("$kind: $title, and neither a refresh nor a preview shows a change", async ({ kind, index }) => {
    const { lifecycle, ...resource } = await make(kind, index);
    expect(resource.id).toEqual(expect.any(String));
    expect((await refreshed(lifecycle, resource)).state).toEqual(resource.state);
    expect(await previewAfterRefresh(lifecycle, resource)).toMatchObject({ changes: false });
  });

  test.each(kinds)("%s, with no more rights than the guide says", async (kind, definition) => {
    const { id, state } = await make(kind, 0, `${definition.kind}-up`);
    expect(await operations(kind, `${definition.kind}-plan`).read(id, state)).toBeDefined();
    await operations(kind, `${definition.kind}-up`).delete(id, state);
  });

  const operations = (kind: string, apiKey = emulator.apiKey) =>
    operationsOf(kind, async () => contextOf({ ...emulator, apiKey }));
  const make = examplesBy(operations);
});
