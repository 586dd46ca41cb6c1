/*
 * Preloaded into what the engine starts for a test. Of the time that Pulumi's SDK takes to load, two thirds are npm's
 * dependency resolver and the TypeScript compiler, both for serialised closures, of which there are none here: they wait
 * until somebody asks. A suite that starts the engine a thousand times ends a third sooner.
 */
"use strict";
const { existsSync, readFileSync } = require("node:fs");
const Module = require("node:module");

const DEFERRED = ["@npmcli/arborist", "typescript"];
const load = Module._load;

Module._load = function (request, ...more) {
  if (!DEFERRED.includes(request)) return load.call(this, request, ...more);
  const loaded = () => load.call(this, request, ...more);
  return new Proxy(class {}, {
    // The SDK copies, and so loads, what doesn't look like an ES module.
    get: (_, key) => (key === "__esModule" ? true : loaded()[key]),
    has: (_, key) => key in loaded(),
  });
};

// The language host that is built from the module proxy is older than the engine, and knows nothing of this option.
const project = "Pulumi.yaml";
if (existsSync(project) && readFileSync(project, "utf8").includes('"typescript":false'))
  delete process.env.PULUMI_NODEJS_TYPESCRIPT;
