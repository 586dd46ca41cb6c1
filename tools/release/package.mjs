// Writes what npm publishes into .computecloud/package, and packs it into build: the compiled code without comments and indentation, the types
// of each entry in one file, a manifest without what is the checkout's alone, and what the package's own commands write and start.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { rollup } from "rollup";
import dts from "rollup-plugin-dts";
import ts from "typescript";

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist");
const target = join(root, ".computecloud/package");
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
const json = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

/** Copied as they are: for the engine, for `init`, and to read. */
const COPIES = [
  ...["provider/bin", "sdk/quick-start", "templates", "docs/pipelines"],
  ...["PulumiPolicy.yaml", "index.ts", "package.json"].map((file) => `examples/policy/${file}`),
  ...["README.md", "CHANGELOG.md", "LICENSE"],
];

const { private: _, workspaces, scripts, devDependencies, allowScripts, jest, ...manifest } = json("package.json");
const types = Object.entries(manifest.exports).flatMap(([name, { types }]) => (types ? [[name.slice(2), types]] : []));
/** For compilers that know no `exports`. */
const typesVersions = { "*": Object.fromEntries(types.flatMap(([name, file]) => (name ? [[name, [file]]] : []))) };

rmSync(target, { recursive: true, force: true });
const isPublished = (file) =>
  file.endsWith(".js") && !file.startsWith("tools") && existsSync(join(root, file.replace(/js$/, "ts")));
await build({
  entryPoints: readdirSync(dist, { recursive: true }).filter(isPublished),
  absWorkingDir: dist,
  outdir: join(target, "dist"),
  platform: "node",
  minifyWhitespace: true,
  // Node shows the line of an error that nobody catches.
  lineLimit: 1000,
  logLevel: "error",
});
run(process.execPath, "tools/release/bundles.cjs", join(target, "dist"));

/**
 * The compiler's declarations with each `z.infer<typeof schema>` written out, and the schemas unknown: a program's compiler reads none
 * of zod's types, which fail without `esModuleInterop`.
 */
const program = ts.createProgram(
  types.map(([, file]) => join(root, file)),
  { module: ts.ModuleKind.Node20, target: ts.ScriptTarget.ES2023, skipLibCheck: true },
);
const checker = program.getTypeChecker();
const PRINTED = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseFullyQualifiedType;
function writtenOut(file) {
  const source = program.getSourceFile(file);
  let text = source.text;
  const visit = (node) => {
    const name = ts.isTypeReferenceNode(node) ? node.typeName.getText(source) : "";
    if (!name.startsWith("z.")) return Array.from(node.getChildren(source)).reverse().forEach(visit);
    const isSchema = name.startsWith("z.Zod");
    const type = isSchema ? "unknown" : checker.typeToString(checker.getTypeFromTypeNode(node), node, PRINTED);
    text = text.slice(0, node.getStart(source)) + type + text.slice(node.end);
  };
  visit(source);
  return text;
}

const entries = await rollup({
  input: Object.fromEntries(types.map(([, file]) => [file.slice("./dist/".length, -".d.ts".length), join(root, file)])),
  external: /^[^./]/,
  plugins: [{ name: "written out", load: (file) => writtenOut(file) }, dts()],
  onwarn: ({ code, message }) => {
    if (code === "MISSING_EXPORT" || code === "UNRESOLVED_IMPORT") throw new Error(message);
  },
});
await entries.write({
  dir: join(target, "dist"),
  entryFileNames: "[name].d.ts",
  chunkFileNames: ({ name }) => `types/${name.replace(/\.d$/, "")}.d.ts`,
  minifyInternalExports: false,
});

/** What an entry has as a type only, such as a class that programs don't construct, is told from values by what it exports when it runs. */
for (const [name, file] of types) {
  const values = require(join(root, manifest.exports[name ? `./${name}` : "."].default));
  const marked = readFileSync(join(target, file), "utf8").replaceAll(/^export \{([^}]*)\}/gm, (_, names) => {
    const marks = names
      .split(",")
      .map((each) => (each.trim().split(" ").at(-1) in values ? each : each.replace(/\w/, "type $&")));
    return `export {${marks.join(",")}}`;
  });
  writeFileSync(join(target, file), marked);
}

for (const file of COPIES) cpSync(join(root, file), join(target, file), { recursive: true });
writeFileSync(join(target, "schema.json"), JSON.stringify(json("schema.json")));
writeFileSync(join(target, "package.json"), `${JSON.stringify({ ...manifest, typesVersions }, undefined, 2)}\n`);
mkdirSync(join(root, "build"), { recursive: true });
run("npm", "pack", target, "--pack-destination", join(root, "build"));
