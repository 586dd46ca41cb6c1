/*
 * Pulumi's process for dynamic resources with a quick start, for a project whose Pulumi.yaml has `sdk/quick-start` as the plugin
 * `pulumi-nodejs`. Like Pulumi's own script it takes the SDK of the project, in whose folder the engine starts it.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { startQuickly } from "./quickStart";

const requireAsProgram = createRequire(join(process.cwd(), "index.js"));
const host = requireAsProgram.resolve("@pulumi/pulumi/cmd/dynamic-provider");
startQuickly(host);
requireAsProgram(host);
