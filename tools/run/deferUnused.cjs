/* Preloaded into what the engine starts for a test. */
"use strict";
const { existsSync, readFileSync } = require("node:fs");
require("../../dist/sdk/quickStart");

// The language host that is built from the module proxy is older than the engine, and knows nothing of this option.
const project = "Pulumi.yaml";
if (existsSync(project) && readFileSync(project, "utf8").includes('"typescript":false'))
  delete process.env.PULUMI_NODEJS_TYPESCRIPT;
