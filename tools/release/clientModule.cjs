// Writes the client as one ES module for bundlers: what CommonJS requires, undici included, ends a bundle of ES modules at start.
// Packages that are ES modules themselves stay outside.
const { isBuiltin } = require("node:module");
const { join } = require("node:path");
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

const packages = {
  name: "packages",
  setup(building) {
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

build({
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
}).catch(() => process.exit(1));
