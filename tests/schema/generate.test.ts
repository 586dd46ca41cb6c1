import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/checkout";
import { run } from "../../tools/run/process";

test("npm run generate changes nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "generate-"));
  try {
    for (const rules of [".biome.json", ".biome"])
      await cp(join(checkout, rules), join(folder, rules), { recursive: true });
    const { exitCode, stderr } = await run("npm", ["run", "--silent", "generate", folder], { cwd: checkout });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const made = entries.filter(
      (entry) => entry.isFile() && !entry.parentPath.includes(".biome") && entry.name !== ".biome.json",
    );
    expect(made.length).toBeGreaterThan(0);
    for (const { parentPath, name } of made) {
      const path = join(parentPath, name);
      const committed = await readFile(path.replace(folder, checkout), "utf8");
      expect(await readFile(path, "utf8")).toBe(committed);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
