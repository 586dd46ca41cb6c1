/* What is asked for is loaded, and nothing else: a start is time that every run pays. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { folderForAll } from "../harness/folder";

const home = folderForAll();

/** The modules that a piece of code loads from a folder; the package's own ones, unless told. */
async function loadedBy(code: string, from = "dist"): Promise<string[]> {
  const folder = join(checkout, from, "/");
  const script = `(async () => { ${code} })().then(() => console.log(JSON.stringify(Object.keys(require.cache))))`;
  const env = { PATH: process.env.PATH, COMPUTECLOUD_API_KEY: "k", COMPUTECLOUD_CLOUD: "runpod" };
  const { stdout } = await run(process.execPath, ["-e", script], { cwd: checkout, env });
  return (JSON.parse(stdout) as string[]).flatMap((file) => file.split(folder).slice(1));
}

test("a function loads neither what compares resources nor what makes them", async () => {
  const modules = await loadedBy(`
    const { Invocations } = require("./dist/provider/engine/plugin/invocations");
    const client = { catalog: { gpus: async () => [] } };
    await new Invocations().answer(client, "computecloud:index:getGpuTypes", {}, new AbortController().signal);
  `);
  expect(modules).toContain("provider/lifecycle/check/failures.js");
  expect(
    modules.filter((name) => /resources\/|lifecycle\/(\w+\/)?(diff|check|lifecycle|unknown|definition)\./.test(name)),
  ).toEqual([]);
});

test("the provider of endpoints and templates loads nothing of jobs, and zod as one file", async () => {
  const code = `
    require("./dist/provider");
    const { kinds } = require("./dist/provider/engine/kinds");
    for (const kind of [kinds.serverlessEndpoint, kinds.template]) kind(async () => {});
  `;
  expect(await loadedBy(code, "node_modules/zod")).toEqual([]);
  const modules = await loadedBy(code);
  expect(modules).toContain("provider/resources/serverless/serverlessEndpoint.js");
  // The door's classes of errors and its helpers for webhooks, which load the rest on first use.
  expect(modules.filter((name) => name.startsWith("client/queue/")).toSorted()).toEqual(
    ["errors", "status", "webhook"].map((name) => `client/queue/${name}.js`),
  );
});

test("a queue loads neither REST nor GraphQL", async () => {
  const modules = await loadedBy(`require("./dist/sdk/queue").createQueue({ endpointId: "e" });`);
  expect(modules).toContain("client/queue/createQueue.js");
  expect(modules.filter((name) => /client\/(rest|graphql|client)\b/.test(name))).toEqual([]);
});

const listing = (noun: string) => `
  const addresses = { baseUrl: "http://127.0.0.1:1", serverlessUrl: "http://127.0.0.1:1", graphqlUrl: "http://127.0.0.1:1/graphql" };
  const client = require("./dist/client").createClient({ apiKey: "k", ...addresses });
  await client.${noun}.list({ attempts: 1 }).catch(() => {});
`;

test("a call loads undici's pools, and nothing else of undici", async () => {
  const modules = await loadedBy(listing("pods"), "node_modules/undici");
  expect(modules).toContain("lib/dispatcher/agent.js");
  expect(modules.filter((name) => /^index|mock|fetch|websocket|cache|cookies/.test(name))).toEqual([]);
});

test("only a call over GraphQL loads what is used of graphql-request, as one file", async () => {
  expect(await loadedBy(listing("pods"))).not.toContain("client/graphql/library.js");
  expect(await loadedBy(listing("endpoints"))).toContain("client/graphql/library.js");
  expect(await loadedBy(listing("endpoints"), "node_modules/graphql")).toEqual([]);
});

test("what a provider's process compiled is kept for the next one, unless the user forbids it", async () => {
  const load = (env: NodeJS.ProcessEnv) =>
    run(process.execPath, ["-e", 'require("./dist/provider/index")'], {
      cwd: checkout,
      env: { PATH: process.env.PATH, PULUMI_HOME: home.path, ...env },
    });
  await load({ NODE_DISABLE_COMPILE_CACHE: "1" });
  expect(await readdir(home.path)).toEqual([]);
  await load({});
  expect((await readdir(home.at("computecloud", "compiled"), { recursive: true })).length).toBeGreaterThan(1);
});
