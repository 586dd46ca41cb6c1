// Writes zod and what the client uses of graphql-request as one file each, because Node takes 0.3 ms to find and load a file. And the
// client and its errors as ES modules for bundlers: what CommonJS requires, undici included, ends a bundle of ES modules at start.
// Packages that are ES modules themselves stay outside. And the engine's messages, which must not be of the program's SDK.
const { readFileSync } = require("node:fs");
const { isBuiltin } = require("node:module");
const { dirname, join } = require("node:path");
const { build } = require("esbuild");
const { engines, name, version } = require("../../package.json");

const root = join(__dirname, "../..");

/** What of undici the client uses: a third of it. */
const UNDICI = `
Object.assign(require("undici/lib/dispatcher/dispatcher.js").prototype, require("undici/lib/api/index.js"));
exports.Agent = require("undici/lib/dispatcher/agent.js");
exports.Pool = require("undici/lib/dispatcher/pool.js");
exports.EnvHttpProxyAgent = require("undici/lib/dispatcher/env-http-proxy-agent.js");
exports.errors = require("undici/lib/core/errors.js");
`;

const oneFile = {
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node22",
  conditions: ["import"],
  mainFields: ["module", "main"],
  minify: true,
  legalComments: "none",
  logLevel: "error",
};

/**
 * graphql-request without what it doesn't use of graphql, the language's reference implementation: 2 ms to load in place of 50.
 * It looks into headers, and the client gives it none, so a map will do: Node's own class takes 35 ms.
 */
const library = {
  ...oneFile,
  entryPoints: [join(root, "client/graphql/library.ts")],
  outfile: join(root, "dist/client/graphql/library.js"),
  keepNames: true,
  banner: {
    js:
      "/* graphql-request (MIT), copyright (c) Jason Kuhrt, and parts of graphql (MIT), copyright (c) GraphQL Contributors. */\n" +
      "class Headers extends Map { constructor() { super(); } }",
  },
};

/** zod with the one language of our messages. */
const zod = {
  ...oneFile,
  entryPoints: [join(root, "common/zod.ts")],
  outfile: join(root, "dist/common/zod.js"),
  banner: { js: "/* zod (MIT). Copyright (c) Colin McDonnell. */" },
  plugins: [
    {
      name: "English only",
      setup(building) {
        building.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, ({ path }) => ({
          contents: 'export { default as en } from "./en.js";',
          resolveDir: dirname(path),
        }));
      },
    },
  ],
};

/** What Pulumi's SDK generates of its protocol, without conversions that nobody calls: 2 of 5 bytes. */
const messages = {
  ...oneFile,
  entryPoints: ["engineService", "plugin/messages"].map((file) => join(root, "provider/engine", `${file}.ts`)),
  outdir: join(root, "dist/provider/engine"),
  external: ["@grpc/grpc-js", "google-protobuf"],
  define: { COMPILED: "true" },
  banner: { js: "/* Messages of Pulumi (Apache-2.0). Copyright (c) Pulumi Corporation. */" },
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
    building.onResolve({ filter: /^\.\/library$/ }, () => ({ path: library.outfile }));
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
  outfile: join(root, "dist/client/index.mjs"),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node22",
  minify: true,
  keepNames: true,
  legalComments: "none",
  // By this undici knows a bundle, and leaves out its second, experimental parser.
  define: { esbuildDetection: "true" },
  banner: { js: "/* With undici (MIT). Copyright (c) Matteo Collina and Undici contributors. */" },
  logLevel: "error",
  plugins: [packages],
};

/** A file of its own: who tells errors apart, and sends nothing, bundles no more than them. */
const errors = {
  ...client,
  entryPoints: undefined,
  stdin: { contents: 'export * from "./errors"; export * from "./queue/errors";', resolveDir: join(root, "client") },
  outfile: join(root, "dist/client/errors.mjs"),
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

Promise.all([build(library), build(zod), build(messages)])
  .then(() => build(errors))
  .then(() => build({ ...client, plugins: [errorsApart, packages] }))
  .catch(() => process.exit(1));
