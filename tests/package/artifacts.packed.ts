/*
 * What a release publishes for other languages, as strangers get it: the wheel in a fresh environment and under pyright's strict
 * eyes, Go's module compiled with the guide's program, the list of what is in the package. `npm run test:package`.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import manifest from "../../package.json";
import { examplesIn } from "../../tools/languages/sdks";
import { makeArtifacts, SDKS } from "../../tools/release/artifacts";
import { checksums } from "../../tools/release/plugin";
import { checkout, neededEnv } from "../../tools/run/environment";
import { runOrThrow } from "../../tools/run/process";
import { blocksOf } from "../docs/pages";
import { folderForAll } from "../harness/folder";

const folder = folderForAll();
let files: readonly string[];
beforeAll(async () => {
  await makeArtifacts(folder.at("release"));
  files = await readdir(folder.at("release"));
});

/** The blocks of a language in a page. */
function blocks(page: string, language: string): string[] {
  const codes = blocksOf(page, language).map(({ code }) => code);
  if (codes.length === 0) throw new Error(`${page} has no ${language}`);
  return codes;
}

/** The code of every kind's examples in a language. */
async function examples(language: string): Promise<string[]> {
  const schema: { resources: Readonly<Record<string, { description: string }>> } = JSON.parse(
    await readFile(join(checkout, "schema.json"), "utf8"),
  );
  return Object.values(schema.resources).flatMap(({ description }) => examplesIn(description, language));
}

test("a wheel, the package's parts and their checksums", async () => {
  expect(files.toSorted()).toEqual([`pulumi_computecloud-${manifest.version}-py3-none-any.whl`, "sbom.cdx.json"]);
  const release = folder.at("release");
  await writeFile(join(release, "checksums.txt"), await checksums(release));
  expect(await runOrThrow("sha256sum", ["--check", "checksums.txt"], { cwd: release })).toMatch(/: OK\n[\s\S]*: OK\n$/);
  const bill = JSON.parse(await readFile(join(release, "sbom.cdx.json"), "utf8"));
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: manifest.name } } });
  const parts: readonly { name: string }[] = bill.components;
  expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(["undici", "zod", "@grpc/grpc-js"]));
});

test("the wheel has a licence, types and texts, installs in a fresh environment, and its programs are strictly typed", async () => {
  const [wheel = ""] = files.filter((name) => name.endsWith(".whl"));
  await runOrThrow("python3", ["-m", "venv", "venv"], { cwd: folder.path });
  const python = folder.at("venv/bin/python");
  await runOrThrow(python, ["-m", "pip", "install", "--quiet", folder.at("release", wheel)], { cwd: folder.path });
  const facts = `
import importlib.metadata as metadata, pathlib, pulumi_computecloud as cloud
files = [str(file) for file in metadata.files("pulumi_computecloud")]
texts = pathlib.Path(cloud.__file__).with_name("gated_endpoint.py").read_text()
print(metadata.version("pulumi_computecloud"), any(name.endswith("py.typed") for name in files),
    any(name.endswith("LICENSE") for name in files), "takes a change only after" in texts)
`;
  expect(await runOrThrow(python, ["-c", facts], { cwd: folder.path })).toBe(`${manifest.version} True True True\n`);

  await writeFile(folder.at("fleet.py"), await readFile(join(checkout, "examples/python/__main__.py"), "utf8"));
  const guides = ["languages", "rollouts", "waves"].flatMap((page) => blocks(`docs/${page}.md`, "python"));
  const programs = [...guides, ...(await examples("python"))];
  expect(programs.length).toBeGreaterThan(guides.length);
  for (const [index, code] of programs.entries()) await writeFile(folder.at(`program${index}.py`), code);
  const settings = { typeCheckingMode: "strict", venvPath: folder.path, venv: "venv", include: ["*.py"] };
  await writeFile(folder.at("pyrightconfig.json"), JSON.stringify(settings));
  await runOrThrow("npx", ["--yes", "pyright@1.1.414", "--project", folder.path], { cwd: folder.path });
});

test("the guide's program and all examples compile with Go's module, and are written as gofmt does", async () => {
  const program = folder.at("go");
  const programs = [blocks("docs/languages.md", "go").join(""), ...(await examples("go"))];
  expect(programs.length).toBeGreaterThan(1);
  for (const [index, code] of programs.entries()) {
    await mkdir(join(program, `program${index}`), { recursive: true });
    await writeFile(join(program, `program${index}/main.go`), code);
  }
  const modulePath = "github.com/pulumi-computecloud/pulumi-computecloud/sdk/go";
  await writeFile(
    join(program, "go.mod"),
    `module fleet\n\ngo 1.25\n\nrequire ${modulePath} v${manifest.version}\n\nreplace ${modulePath} => ${join(SDKS, "go")}\n`,
  );
  const env = { ...neededEnv(process.env), CGO_ENABLED: "0", GOFLAGS: "-mod=mod" };
  await runOrThrow("go", ["vet", "./..."], { cwd: program, env });
  expect(await runOrThrow("gofmt", ["-l", "."], { cwd: program })).toBe("");
});
