/* The client in bundles that others make of it. */
import { stat, writeFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { type BuildOptions, build } from "esbuild";
import { addressVariables, checkout, linkPackage, pathWith, scratch } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { openAccount } from "../harness/account";
import { folderForEach } from "../harness/folder";

const PROGRAM = `
import * as all from "pulumi-computecloud/client";
const client = all.createClient();
const gpus = await client.catalog.gpus();
const missing = await client.pods.get("none1234").catch((error) => error);
const endpoints = await client.endpoints.list();
await client.close();
const errors = Object.keys(all).filter((name) => name.endsWith("Error"));
console.log(JSON.stringify({
  gpus: gpus.length > 0,
  endpoints: endpoints.length,
  missing: [missing.name, missing instanceof all.NotFoundError],
  errors: errors.length > 25,
  renamed: errors.filter((name) => all[name].name !== name),
}));
`;

const folder = folderForEach();
/** Where the package is linked. */
const linked = folderForEach(scratch);

/** Bundles a program, and runs it where there are no packages. */
async function bundled(contents: string, options: BuildOptions, env = {}, resolveDir = scratch) {
  await linkPackage(checkout);
  const outfile = folder.at(options.format === "esm" ? "program.mjs" : "program.cjs");
  const stdin = { contents, resolveDir };
  await build({ stdin, outfile, bundle: true, platform: "node", logLevel: "error", ...options });
  const { stdout, stderr } = await run("node", [outfile], { cwd: folder.path, env: { PATH: pathWith(""), ...env } });
  return { stdout, stderr, bytes: (await stat(outfile)).size };
}

test("it runs as a minified ES module where there are no packages, and its errors keep their names", async () => {
  await using emulator = await openAccount({}, "running");
  const { stdout, stderr } = await bundled(PROGRAM, { format: "esm", minify: true }, addressVariables(emulator));
  expect(stderr).toBe("");
  const missing = ["NotFoundError", true];
  expect(JSON.parse(stdout)).toEqual({ gpus: true, endpoints: 0, missing, errors: true, renamed: [] });
});

test("who only tells errors apart bundles no more than the errors", async () => {
  const contents = `
    import { JobFailedError, NotFoundError } from "pulumi-computecloud/client";
    console.log(new Error() instanceof JobFailedError, NotFoundError.name);`;
  const { stdout, bytes } = await bundled(contents, { format: "esm" });
  expect(stdout).toBe("false NotFoundError\n");
  // With what hides secrets in their messages.
  expect(bytes).toBeLessThan(19_000);
});

test("a bundle of the queue alone keeps the errors' names, too", async () => {
  const contents = `
    const { createQueue } = require("./dist/sdk/queue");
    const queue = createQueue({ endpointId: "e", apiKey: "k", serverlessUrl: "http://127.0.0.1:1" });
    queue.run({ input: 1n }).catch((error) => console.log(error.name, error.constructor.name));`;
  const { stdout } = await bundled(contents, { format: "cjs", minify: true }, {}, checkout);
  expect(stdout).toBe("UsageError UsageError\n");
});

test("an error of one copy in a bundle is an instance of another copy's class", async () => {
  const contents = `
    import { createQueue } from "pulumi-computecloud";
    import { ComputeCloudError, NotFoundError, UsageError } from "pulumi-computecloud/client";
    const queue = createQueue({ endpointId: "e", apiKey: "k", serverlessUrl: "http://127.0.0.1:1" });
    queue.run({ input: 1n }).catch((error) => console.log(JSON.stringify(
      [UsageError, ComputeCloudError, NotFoundError].map((type) => error instanceof type))));`;
  expect((await bundled(contents, { format: "cjs" })).stdout).toBe("[true,true,false]\n");
});

test("in Node it is one and the same for import and require", async () => {
  await linkPackage(checkout);
  const file = linked.at("same.mjs");
  await writeFile(
    file,
    `import { createRequire } from "node:module";
    import { NotFoundError } from "pulumi-computecloud/client";
    console.log(createRequire(import.meta.url)("pulumi-computecloud/client").NotFoundError === NotFoundError);`,
  );
  expect((await run("node", [file], { env: { PATH: pathWith("") } })).stdout).toBe("true\n");
});
