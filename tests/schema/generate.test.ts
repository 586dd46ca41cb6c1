import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { folderForAll } from "../harness/folder";

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
