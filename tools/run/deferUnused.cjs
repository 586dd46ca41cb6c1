/*
 * Preloaded into what the engine starts for a test. Most of the time that Pulumi's SDK takes to load goes to what no
 * program here uses: serialised closures with npm's dependency resolver and the TypeScript compiler, the Automation API,
 * and exporters of traces. They wait until somebody asks. So do the source maps of packages: the SDK asks for many stack
 * traces, and shows the lines of the program alone. A command of the engine takes half the CPU.
 */
"use strict";
const { existsSync, readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");

const manifest = require.resolve("@pulumi/pulumi/package.json");
const sdk = join(manifest, "..");
const requireAsSdk = createRequire(manifest);

/** Loaded when anything of them is read. */
const MODULES = ["@npmcli/arborist", "typescript", join(sdk, "automation", "index.js")];

/** They export functions and classes only, which are read at once: loaded when one of them is called. */
const MODULES_OF_FUNCTIONS = [
  join(sdk, "runtime", "closure", "codePaths.js"),
  join(sdk, "runtime", "closure", "serializeClosure.js"),
  "@opentelemetry/exporter-zipkin",
  "@opentelemetry/instrumentation",
  "@opentelemetry/instrumentation-grpc",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-base",
  "@opentelemetry/sdk-trace-node",
];

/**
 * Connects V8's debugger to each program, for messages of closures that can't be serialised: 7 % of an up's CPU. And its flag
 * of V8 makes the program refuse what the host of dynamic resources compiled, and the other way round.
 */
const DEBUGGER = join(sdk, "runtime", "closure", "v8Hooks.js");
defer(DEBUGGER, (loaded, key) => (key === "isInitializedAsync" ? async () => {} : laterFunction(loaded, key)));

for (const name of MODULES) defer(name, (loaded, key) => loaded()[key]);
for (const name of MODULES_OF_FUNCTIONS) defer(name, laterFunction);

/** @param member reads an export, by a function that loads the module and by the export's name */
function defer(name, member) {
  const file = requireAsSdk.resolve(name);
  let real;
  const loaded = () => {
    if (real === undefined) {
      delete require.cache[file];
      real = require(file);
    }
    return real;
  };
  // The SDK copies, and so loads, what doesn't look like an ES module.
  const get = (_, key) => (key === "__esModule" ? true : member(loaded, key));
  const exports = new Proxy({}, { get, has: (_, key) => key in loaded() });
  require.cache[file] = { id: file, filename: file, loaded: true, children: [], paths: [], exports };
}

function laterFunction(loaded, key) {
  return new Proxy(class {}, {
    apply: (_, self, args) => Reflect.apply(loaded()[key], self, args),
    construct: (_, args) => Reflect.construct(loaded()[key], args),
    get: (_, property) => loaded()[key][property],
  });
}

// Of the processes that the engine starts, those of Pulumi's SDK.
if (process.argv[1]?.startsWith(join(sdk, "cmd"))) {
  const unmapped = { url: null, map: { version: 3, sources: [], names: [], mappings: "" } };
  requireAsSdk("source-map-support").install({
    retrieveSourceMap: (file) => (file.includes("node_modules") ? unmapped : null),
  });
}

// The language host that is built from the module proxy is older than the engine, and knows nothing of this option.
const project = "Pulumi.yaml";
if (existsSync(project) && readFileSync(project, "utf8").includes('"typescript":false'))
  delete process.env.PULUMI_NODEJS_TYPESCRIPT;
