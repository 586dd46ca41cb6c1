import { expect, test } from "@jest/globals";
import { z } from "zod";
import { catalogued } from "../../provider/catalog/catalogued";
import { control, growsOnly, initially, named, replaces, timeout } from "../../provider/lifecycle/fields/fields";
import { definitions } from "../../provider/resources";
import { exampleCode } from "../../tools/schema/examples";
import { fieldsOf } from "../../tools/schema/model";
import { argumentText } from "../../tools/schema/texts";
import { comment, Declarations } from "../../tools/schema/typescript";

const inputs = z.strictObject({
  size: growsOnly("GB", z.int()).describe("GB."),
  cloud: replaces(named("Sky", z.enum(["A", "B"])).default("A")).describe("Whose."),
  most: initially(3, z.int()).describe("Most."),
  patient: control(z.boolean().default(true)).describe("Waits."),
  wait: timeout("15m").describe("How long."),
  gpu: named("Card", z.strictObject({ id: catalogued("pool", z.string()).describe("Pool.") }).describe("A card.")),
});
const fields = fieldsOf(inputs, "input");

test.each([
  ["size", "GB. Grows in place; shrinking is refused, because it would lose the data."],
  ["cloud", "Whose. Default `A`. Changing it replaces."],
  ["most", "Most. Default 3. Updates in place."],
  ["patient", "Waits. Default true. Changing it alone updates nothing."],
  ["wait", "How long. Default `15m`. Changing it alone updates nothing."],
])("what users read of an argument tells of %s its default and what a change does", (name, text) =>
  expect(fields.filter((field) => field.name === name).map((field) => argumentText(field, { nested: false }))).toEqual([
    text,
  ]),
);

test("a class's arguments in TypeScript are inputs at any depth, with named types and names of the catalog that stay open", () => {
  const declarations = new Declarations("argument");
  const members = declarations.members(fields, "Thing", false);
  expect(members).toContain("  cloud?: Input<Sky>;\n");
  expect(members).toContain("  size: Input<number>;\n");
  expect(members).toContain("  gpu: Input<CardArgs>;\n");
  const texts = declarations.all().map(({ text }) => text);
  expect(texts).toContain('export type Sky = "A" | "B";\nexport const Sky = { A: "A", B: "B" } as const;\n');
  expect(texts).toContainEqual(
    expect.stringContaining("/** A card. */\nexport interface CardArgs {\n  /** Pool. */\n"),
  );
  expect(texts).toContainEqual(
    expect.stringMatching(/^export type GpuPoolId = .*"AMPERE_16".* \| \(string & \{\}\);\n$/),
  );
});

test("a class's arguments in TypeScript are folded into comments that fit, code aside", () => {
  expect(comment("Short.")).toBe("/** Short. */\n");
  const lines = comment(`${"word ".repeat(40).trim()}\n\`\`\`ts\n${"x".repeat(130)}\n\`\`\``).split("\n");
  expect(lines.filter((line) => line.length > 120)).toEqual([` * ${"x".repeat(130)}`]);
});

test("an example is a program with all that it refers to", () => {
  const code = exampleCode(definitions.registry, { title: "t", name: "ci", args: { username: "ci" } });
  expect(code).toBe(
    'import { Registry } from "pulumi-computecloud";\n\nconst ci = new Registry("ci", { username: "ci" });\n',
  );
});
