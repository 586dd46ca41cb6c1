/* The client in bundles that others make of it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { build } from "esbuild";
import { checkout, linkPackage, pathWith, scratch } from "../../tools/run/checkout";
import { addressVariables } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { openAccount } from "../harness/account";

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

test("it runs as a minified ES module where there are no packages, and its errors keep their names", async () => {
  await linkPackage(checkout);
  const folder = await mkdtemp(join(tmpdir(), "bundled-"));
  await using emulator = await openAccount();
  try {
    const outfile = join(folder, "program.mjs");
    const stdin = { contents: PROGRAM, resolveDir: scratch };
    await build({ stdin, outfile, bundle: true, minify: true, format: "esm", platform: "node", logLevel: "error" });
    const env = { PATH: pathWith(""), ...addressVariables(emulator) };
    const { stdout, stderr } = await run("node", [outfile], { cwd: folder, env });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      gpus: true,
      endpoints: 0,
      missing: ["NotFoundError", true],
      errors: true,
      renamed: [],
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a bundle of the queue alone keeps the errors' names, too", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bundled-"));
  try {
    const outfile = join(folder, "queue.cjs");
    const contents = `
      const { createQueue } = require("./dist/sdk/queue");
      const queue = createQueue({ endpointId: "e", apiKey: "k", serverlessUrl: "http://127.0.0.1:1" });
      queue.run({ input: 1n }).catch((error) => console.log(error.name, error.constructor.name));`;
    const stdin = { contents, resolveDir: checkout };
    await build({ stdin, outfile, bundle: true, minify: true, format: "cjs", platform: "node", logLevel: "error" });
    expect((await run("node", [outfile], { cwd: folder, env: { PATH: pathWith("") } })).stdout).toBe(
      "UsageError UsageError\n",
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("an error of one copy in a bundle is an instance of another copy's class", async () => {
  await linkPackage(checkout);
  const folder = await mkdtemp(join(tmpdir(), "bundled-"));
  try {
    const outfile = join(folder, "program.cjs");
    const contents = `
      import { createQueue } from "pulumi-computecloud";
      import { ComputeCloudError, NotFoundError, UsageError } from "pulumi-computecloud/client";
      const queue = createQueue({ endpointId: "e", apiKey: "k", serverlessUrl: "http://127.0.0.1:1" });
      queue.run({ input: 1n }).catch((error) => console.log(JSON.stringify(
        [UsageError, ComputeCloudError, NotFoundError].map((type) => error instanceof type))));`;
    const stdin = { contents, resolveDir: scratch };
    await build({ stdin, outfile, bundle: true, format: "cjs", platform: "node", logLevel: "error" });
    expect((await run("node", [outfile], { cwd: folder, env: { PATH: pathWith("") } })).stdout).toBe(
      "[true,true,false]\n",
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("in Node it is one and the same for import and require", async () => {
  await linkPackage(checkout);
  const file = join(await mkdtemp(join(scratch, "same-")), "same.mjs");
  await writeFile(
    file,
    `import { createRequire } from "node:module";
    import { NotFoundError } from "pulumi-computecloud/client";
    console.log(createRequire(import.meta.url)("pulumi-computecloud/client").NotFoundError === NotFoundError);`,
  );
  expect((await run("node", [file], { env: { PATH: pathWith("") } })).stdout).toBe("true\n");
});
