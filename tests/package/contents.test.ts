/* What is published, as far as it can be told without installing it; `npm run test:package` installs it. */
import { readFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import manifest from "../../package.json";
import { checkout } from "../../tools/run/checkout";
import { run } from "../../tools/run/process";

let packed: ReadonlySet<string>;
beforeAll(async () => {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: checkout });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  packed = new Set(files.map(({ path }) => path));
});

/** What the types of an entry import, by whom; their own modules are followed. */
async function typesOf(entry: string): Promise<{ files: string[]; packages: ReadonlySet<string> }> {
  const files = [entry];
  const packages = new Set<string>();
  for (const file of files) {
    const text = await readFile(join(checkout, file), "utf8");
    for (const [, name = ""] of text.matchAll(/(?:from|import|import\()\s*"([^"]+)"/g)) {
      if (!name.startsWith(".")) packages.add(name.startsWith("@") ? name.split("/").slice(0, 2).join("/") : name);
      else {
        const path = posix.join(dirname(file), name);
        const typesFile = [`${path}.d.ts`, `${path}/index.d.ts`].find((each) => packed.has(each));
        if (typesFile === undefined) throw new Error(`${file} imports ${name}, which is not published`);
        if (!files.includes(typesFile)) files.push(typesFile);
      }
    }
  }
  return { files, packages };
}

const entries = Object.entries(manifest.exports).flatMap(([name, target]) =>
  typeof target === "object" ? [[name, target.types.slice(2)] as const] : [],
);

test.each(entries)(
  "the types of %s are all there, and found by compilers that know no exports",
  async (name, types) => {
    await typesOf(types);
    const subpaths: Readonly<Record<string, readonly string[]>> = manifest.typesVersions["*"];
    expect(name === "." ? [manifest.types] : subpaths[name.slice(2)]).toEqual([types]);
  },
);

test("no types are packed that no entry reaches", async () => {
  const reached = await Promise.all(entries.map(([, types]) => typesOf(types)));
  const types = [...packed].filter((file) => file.endsWith(".d.ts"));
  expect(types.sort()).toEqual([...new Set(reached.flatMap(({ files }) => files))].sort());
});

test("a program's compiler reads no types of zod, which fail without esModuleInterop", async () => {
  const { packages } = await typesOf(manifest.types);
  const allowed = ["@pulumi/pulumi", "undici", manifest.name];
  expect([...packages].filter((name) => !allowed.includes(name) && !name.startsWith("node:"))).toEqual([]);
});

test.each(["README.md", "CHANGELOG.md"])("what %s links to is in the package, or has a whole address", async (page) => {
  const text = await readFile(join(checkout, page), "utf8");
  const targets = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target);
  expect(targets.length).toBeGreaterThan(5);
  const lost = targets.filter((target) => {
    const [path = ""] = target.split("#");
    return !URL.canParse(target) && path !== "" && !packed.has(posix.normalize(path));
  });
  expect(lost).toEqual([]);
});

test("an emulator without the packages that only it needs says how to get them", async () => {
  const hide = `require("node:module")._resolveFilename = ((find) => function (name, ...rest) {
    if (name === "fastify") throw Object.assign(new Error("Cannot find module"), { code: "MODULE_NOT_FOUND" });
    return find.call(this, name, ...rest);
  })(require("node:module")._resolveFilename);`;
  const main = join(checkout, manifest.bin["pulumi-computecloud"]);
  const script = `${hide} process.argv.push("${main}", "emulator"); require("${main}")`;
  const { stderr, exitCode } = await run(process.execPath, ["--eval", script]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining("npm install --save-dev fastify"),
  });
});
