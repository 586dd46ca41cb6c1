// Completes a build, in `dist` or the folder that is named, by what the compiler does not write.
//
// Writes zod and what the client uses of graphql-request as one file each, because Node takes 0.3 ms to find and load a file. And the
// client and its errors as ES modules for bundlers: what CommonJS requires, undici included, ends a bundle of ES modules at start.
// Packages that are ES modules themselves stay outside. The engine's messages must not be of the program's SDK. The console's page is
// one script. The licences of what is in a bundle are beside it.
const { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { isBuiltin } = require("node:module");
const { dirname, join, resolve } = require("node:path");
const { build } = require("esbuild");
const { bin, engines, name, version } = require("../../package.json");

const root = join(__dirname, "../..");
const output = resolve(process.argv[2] ?? join(root, "dist"));
const LICENCES = ".LICENSE.txt";

async function bundle(options) {
  const { metafile } = await build({
    bundle: true,
    minify: true,
    legalComments: "none",
    logLevel: "silent",
    metafile: true,
    absWorkingDir: root,
    ...options,
  });
  for (const [file, { inputs }] of Object.entries(metafile.outputs)) {
    const licences = new Set(Object.keys(inputs).flatMap(licenceOf));
    if (licences.size > 0) writeFileSync(join(root, file + LICENCES), [...licences].join(`\n${"-".repeat(80)}\n`));
  }
}

/** Of what a file belongs to: a package, or a bundle with its own licences. */
function licenceOf(file) {
  if (existsSync(join(root, file + LICENCES))) return [readFileSync(join(root, file + LICENCES), "utf8")];
  const [folder] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
  if (folder === undefined) return [];
  const { name, version, license } = require(join(root, folder, "package.json"));
  const text = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
  return [`${name} ${version}, ${license}\n\n${readFileSync(join(root, folder, text), "utf8")}`];
}

/** What of undici the client uses: a third of it. */
const UNDICI = `
Object.assign(require("undici/lib/dispatcher/dispatcher.js").prototype, require("undici/lib/api/index.js"));
exports.Agent = require("undici/lib/dispatcher/agent.js");
exports.Pool = require("undici/lib/dispatcher/pool.js");
exports.EnvHttpProxyAgent = require("undici/lib/dispatcher/env-http-proxy-agent.js");
exports.errors = require("undici/lib/core/errors.js");
`;

const oneFile = {
  format: "cjs",
  platform: "node",
  target: "node22",
  conditions: ["import"],
  mainFields: ["module", "main"],
};

/**
 * graphql-request without what it doesn't use of graphql, the language's reference implementation: 2 ms to load in place of 50.
 * It looks into headers, and the client gives it none, so a map will do: Node's own class takes 35 ms.
 */
const library = {
  ...oneFile,
  entryPoints: [join(root, "client/graphql/library.ts")],
  outfile: join(output, "client/graphql/library.js"),
  keepNames: true,
  banner: { js: "class Headers extends Map { constructor() { super(); } }" },
};

/** Of zod what the build names, as the compiler writes it: a third of it. */
function zodOf(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".js"));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
  const text = texts.filter((each) => /require\("(\.\/|(\.\.\/)+common\/)zod"\)/.test(each)).join("\n");
  const uses = text.matchAll(/\bzod_1\.z\b(?:\s*\.\s*((?:(?:iso|coerce)\s*\.\s*)?\w+))?/g);
  const names = new Set(Array.from(uses, ([, name]) => name?.replaceAll(/\s/g, "")));
  if (names.has(undefined) || names.has("core"))
    throw new Error("the build keeps what is named of zod, as z.string: not z or z.core");
  const assignments = [...names].map((name) => {
    const [space] = name.split(".");
    return `${space === name ? "" : `z.${space} ??= {}; `}z.${name} = zod.${name};`;
  });
  return `
import * as zod from "zod";
export const z = {};
${assignments.join("\n")}
`;
}

/** What Pulumi's SDK generates of its protocol, without conversions that nobody calls: 2 of 5 bytes. */
const messages = {
  ...oneFile,
  entryPoints: ["engineService", "plugin/messages"].map((file) => join(root, "provider/engine", `${file}.ts`)),
  outdir: join(output, "provider/engine"),
  external: ["@grpc/grpc-js", "google-protobuf"],
  define: { COMPILED: "true" },
  plugins: [
    {
      name: "no conversions",
      setup(building) {
        building.onLoad({ filter: /_pb\.js$/ }, ({ path }) => ({
          contents: readFileSync(path, "utf8").replaceAll("jspb.Message.GENERATE_TO_OBJECT", "false"),
        }));
      },
    },
  ],
};

const packages = {
  name: "packages",
  setup(building) {
    // One parser, which runs on every processor, and no HTTP/2, which the client never allows.
    building.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, "../llhttp/llhttp-wasm.js"),
    }));
    building.onLoad({ filter: /\/client-h2\.js$/ }, () => ({ contents: "" }));
    building.onResolve({ filter: /^\.\/library$/ }, () => ({ path: "./graphql/library.js", namespace: "required" }));
    building.onResolve({ filter: /^\.\/graphql\/library\.js$/ }, ({ path }) => ({ path, external: true }));
    building.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === "entry-point" || path.startsWith("undici/")) return undefined;
      return kind === "require-call" ? { path, namespace: "required" } : { path, external: true };
    });
    building.onLoad({ filter: /^/, namespace: "required" }, ({ path }) => {
      if (path === `${name}/package.json`)
        return { contents: JSON.stringify({ engines, name, version }), loader: "json" };
      if (path === "undici") return { contents: UNDICI, resolveDir: root };
      // For a cache that the client has none of.
      if (path === "node:sqlite") return { contents: 'throw new Error("there is no SQLite");' };
      const imported = isBuiltin(path) ? "whole" : "* as whole";
      return { contents: `import ${imported} from ${JSON.stringify(path)};\nmodule.exports = whole;` };
    });
  },
};

const client = {
  entryPoints: [join(root, "client/index.ts")],
  outfile: join(output, "client/index.mjs"),
  format: "esm",
  platform: "node",
  target: "node22",
  // By this undici knows a bundle, and leaves out its second, experimental parser.
  define: { esbuildDetection: "true" },
  plugins: [packages],
};

/** A file of its own, whose classes keep their names: who tells errors apart, and sends nothing, bundles no more than them. */
const errors = {
  ...client,
  entryPoints: undefined,
  keepNames: true,
  stdin: { contents: 'export * from "./errors"; export * from "./queue/errors";', resolveDir: join(root, "client") },
  outfile: join(output, "client/errors.mjs"),
};
const errorsApart = {
  name: "errors",
  setup(building) {
    building.onResolve({ filter: /\/errors$/ }, ({ path, resolveDir }) =>
      ["errors", "queue/errors"].some((file) => join(resolveDir, path) === join(root, "client", file))
        ? { path: "./errors.mjs", external: true, sideEffects: false }
        : undefined,
    );
  },
};

const page = join(root, "emulator/console/page");
const script = {
  entryPoints: [join(page, "main.tsx")],
  outfile: join(output, "emulator/console/page/main.js"),
  format: "esm",
  target: "es2023",
};
const copies = ["console/page/index.html", "console/page/style.css", "console/page/icon.svg", "graphql/schema.graphql"];

async function main() {
  mkdirSync(dirname(script.outfile), { recursive: true });
  for (const file of copies) copyFileSync(join(root, "emulator", file), join(output, "emulator", file));
  for (const file of Object.values(bin)) chmodSync(join(output, "..", file), 0o755);
  const zod = {
    ...oneFile,
    stdin: { contents: zodOf(join(root, "dist")), resolveDir: root },
    outfile: join(output, "common/zod.js"),
  };
  const module = { ...client, plugins: [errorsApart, packages] };
  await Promise.all([library, zod, messages, errors, module, script].map(bundle));
}

main().catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
