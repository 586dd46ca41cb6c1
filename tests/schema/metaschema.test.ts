import { readFileSync } from "node:fs";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020";
import { factsOf } from "../../provider/lifecycle/fields/fields";
import { definitions } from "../../provider/resources";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import type { PackageSchema } from "../../tools/schema/packageSchema";
import { folderForAll } from "../harness/folder";

const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const schema = read(join(checkout, "schema.json")) as PackageSchema;
const resource = (kind: string) => schema.resources[`computecloud:index:${kind}`];

test("schema.json is what Pulumi calls a package's schema", () => {
  const metaschema = read(join(__dirname, "metaschema.recorded.json")) as object;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(metaschema);
  expect(validate(schema)).toBe(true);
  expect(validate({ ...schema, resources: { "computecloud:index:Pod": { inputProperties: 1 } } })).toBe(false);
});

test("schema.json has every kind, with its arguments, its outputs and the dynamic type that it goes on from", () => {
  for (const { kind, inputs, outputs, ...definition } of Object.values(definitions)) {
    const spec = resource(kind);
    expect(Object.keys(spec?.inputProperties ?? {})).toEqual([
      ...Object.keys(inputs.shape),
      // A fleet's members are adopted, each by itself.
      ...("keeps" in definition ? [] : ["adoptId"]),
    ]);
    const names = Object.entries(outputs.shape).flatMap(([name, field]) => (factsOf(field).internal ? [] : [name]));
    expect(Object.keys(spec?.properties ?? {})).toEqual(expect.arrayContaining(names));
    expect(spec).toMatchObject({ aliases: [{ type: `pulumi-nodejs:dynamic/computecloud:${kind}` }] });
    expect(spec?.description).toContain(`new ${kind}(`);
  }
});

test("schema.json tells secrets, what replaces, and what is required", () => {
  const pod = resource("Pod");
  expect(pod?.inputProperties.cloud).toMatchObject({ replaceOnChanges: true });
  expect(pod?.inputProperties.env).toMatchObject({ secret: true });
  expect(pod?.properties).not.toHaveProperty("createTimeout");
  expect(pod?.requiredInputs).toEqual([]);
  expect(pod?.required).toEqual(expect.arrayContaining(["name", "cloud", "createdAt"]));
  expect(pod?.required).not.toContain("memory");
  expect(resource("NetworkVolume")?.requiredInputs).toEqual(["size", "dataCenter"]);
  expect(resource("SmokeJob")?.inputProperties.input).toMatchObject({ type: "string" });
  expect(schema.types["computecloud:index:Cloud"]?.enum).toMatchObject([{ value: "SECURE" }, { value: "COMMUNITY" }]);
});

const outputFolder = folderForAll();

test("npm run generate changes nothing", async () => {
  const folder = outputFolder.path;
  for (const rules of [".biome.json", ".biome"])
    await cp(join(checkout, rules), join(folder, rules), { recursive: true });
  const { exitCode, stderr } = await run("npm", ["run", "--silent", "generate", folder], { cwd: checkout });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && !entry.parentPath.includes(".biome") && entry.name !== ".biome.json",
  );
  expect(files.length).toBeGreaterThan(0);
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    const committed = await readFile(path.replace(folder, checkout), "utf8");
    expect(await readFile(path, "utf8")).toBe(committed);
  }
});
