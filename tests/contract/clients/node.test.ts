// @long: other programs.
/* Programs of the service's own that run on Node: its JavaScript client, its MCP server, and what its schema generates. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, expect, it } from "@jest/globals";
import { checkout, scratch } from "../../../tools/run/environment";
import { run } from "../../../tools/run/process";
import { accountForAll } from "../../harness/account";
import { contractFile } from "../openapi/document";
import { casesOf, expectAllPassed, queueEndpoints } from "./cases";
import { nodeClients } from "./installed";

let folder: string | undefined;
const cloud = accountForAll({}, "running");
beforeAll(async () => {
  folder = await nodeClients();
});

it("the JavaScript client does everything that its examples do", async () => {
  if (folder === undefined) return;
  const cases = await casesOf(process.execPath, [join(__dirname, "examples.mjs")], {
    SDK: join(folder, "node_modules/runpod-sdk/dist/src/index.js"),
    KEY: cloud.apiKey,
    BASE_URL: `${cloud.serverlessUrl}/v2`,
    ...(await queueEndpoints(cloud)),
  });
  expectAllPassed(cases, 9);
});

/** A call of a tool and what its answer must hold. */
type ToolCall = readonly [tool: string, args: (ids: Readonly<Record<string, string>>) => unknown, answer: RegExp];

const IMAGE = "repo/image:1";
const GPU = { id: "NVIDIA GeForce RTX 4090", count: 1 };

/** In order: what one makes is named by its tool, and the ones after it refer to that. */
const TOOL_CALLS: readonly ToolCall[] = [
  ["list-gpu-types", () => ({}), /NVIDIA GeForce RTX 4090/],
  ["get-gpu-type", () => ({ id: GPU.id }), /RTX 4090/],
  ["list-cpu-types", () => ({}), /cpu3c/],
  ["list-data-centers", () => ({}), /EU-RO-1/],
  ["get-data-center", () => ({ id: "EU-RO-1" }), /EU-RO-1/],
  ["list-public-templates", () => ({}), /PyTorch/],
  ["create-network-volume", () => ({ body: { name: "mcp", size: 10, dataCenter: "EU-RO-1" } }), /"mcp"/],
  ["get-network-volume", (ids) => ({ id: ids["create-network-volume"] }), /EU-RO-1/],
  ["update-network-volume", (ids) => ({ id: ids["create-network-volume"], body: { size: 20 } }), /20/],
  ["list-network-volumes", () => ({}), /"mcp"/],
  ["create-registry", () => ({ body: { name: "mcp", username: "u", password: "p" } }), /"mcp"/],
  ["list-registries", () => ({}), /"mcp"/],
  ["create-template", () => ({ body: { name: "mcp", image: IMAGE } }), /"mcp"/],
  ["get-template", (ids) => ({ id: ids["create-template"] }), /repo/],
  ["update-template", (ids) => ({ id: ids["create-template"], body: { image: "repo/image:2" } }), /image:2/],
  ["list-templates", () => ({}), /"mcp"/],
  ["create-pod", () => ({ body: { name: "mcp", image: IMAGE, gpu: GPU } }), /"mcp"/],
  ["get-pod", (ids) => ({ id: ids["create-pod"] }), /"mcp"/],
  ["list-pods", () => ({}), /"mcp"/],
  ["update-pod", (ids) => ({ id: ids["create-pod"], body: { name: "mcp2" } }), /"mcp2"/],
  ["pod-action", (ids) => ({ id: ids["create-pod"], body: { action: "stop" } }), /EXITED/],
  ["delete-pod", (ids) => ({ id: ids["create-pod"] }), /./],
  [
    "create-endpoint",
    () => ({
      body: {
        name: "mcp",
        type: "QUEUE",
        image: "emulator/echo:1",
        gpu: { pools: ["ADA_24"] },
        workers: { min: 0, max: 1 },
        scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
      },
    }),
    /"mcp"/,
  ],
  ["get-endpoint", (ids) => ({ id: ids["create-endpoint"] }), /"mcp"/],
  ["list-endpoints", () => ({}), /"mcp"/],
  ["runsync-endpoint", (ids) => ({ endpointId: ids["create-endpoint"], input: { n: 1 } }), /COMPLETED/],
  ["run-endpoint", (ids) => ({ endpointId: ids["create-endpoint"], input: { n: 2 } }), /IN_QUEUE/],
  ["endpoint-health", (ids) => ({ endpointId: ids["create-endpoint"] }), /completed/],
  ["set-endpoint-gpus", (ids) => ({ endpointId: ids["create-endpoint"], pools: ["AMPERE_24"] }), /AMPERE_24/],
  ["list-endpoint-workers", (ids) => ({ id: ids["create-endpoint"] }), /summary/],
  ["list-endpoint-releases", (ids) => ({ id: ids["create-endpoint"] }), /rollout/],
  ["purge-endpoint-queue", (ids) => ({ endpointId: ids["create-endpoint"] }), /completed/],
  ["delete-endpoint", (ids) => ({ id: ids["create-endpoint"] }), /./],
  ["update-ssh-keys", () => ({ body: { keys: ["ssh-ed25519 AAAA me"] } }), /ssh-ed25519/],
  ["get-ssh-keys", () => ({}), /ssh-ed25519/],
  ["list-clusters", () => ({}), /clusters|\[\]/],
  ["list-billing", () => ({}), /./],
  ["delete-template", (ids) => ({ id: ids["create-template"] }), /./],
  ["delete-registry", (ids) => ({ id: ids["create-registry"] }), /./],
  ["delete-network-volume", (ids) => ({ id: ids["create-network-volume"] }), /./],
];

it("the MCP server makes, reads, changes and deletes everything through its tools", async () => {
  if (folder === undefined) return;
  const server = spawn(process.execPath, [join(folder, "node_modules/@runpod/mcp-server/dist/stdio.mjs")], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {
      HOME: folder,
      RUNPOD_API_KEY: cloud.apiKey,
      RUNPOD_API_BASE_URL: cloud.baseUrl,
      RUNPOD_SERVERLESS_API_URL: `${cloud.serverlessUrl}/v2`,
      RUNPOD_PUBLIC_GRAPHQL_URL: cloud.graphqlUrl,
      RUNPOD_AUTHED_GRAPHQL_URL: cloud.graphqlUrl,
    },
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  let lastId = 0;
  const ask = async (method: string, params: unknown) => {
    lastId += 1;
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params })}\n`);
    for (;;) {
      const { value } = await lines.next();
      const message = JSON.parse(value ?? "null");
      if (message?.id === lastId) return message.result ?? message.error;
    }
  };
  try {
    const clientInfo = { name: "tests", version: "1" };
    await ask("initialize", { protocolVersion: "2025-03-26", capabilities: {}, clientInfo });
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    const ids: Record<string, string> = {};
    const wrong: unknown[] = [];
    for (const [name, args, wanted] of TOOL_CALLS) {
      const result = await ask("tools/call", { name, arguments: args(ids) });
      const text: string = result.content?.[0]?.text ?? JSON.stringify(result);
      if (result.isError === true || !wanted.test(text)) wrong.push([name, text.slice(0, 300)]);
      const id = /"id":\s*"([^"]+)"/.exec(text)?.[1];
      if (name.startsWith("create-") && id !== undefined) ids[name] = id;
    }
    expect(wrong).toEqual([]);
  } finally {
    server.kill();
    await once(server, "exit");
  }
});

const COMPILER_OPTIONS = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  module: "nodenext",
  target: "es2022",
  lib: ["es2023", "dom"],
  types: ["node"],
  typeRoots: [join(checkout, "node_modules/@types")],
};

it("a client generated from the schema compiles with its examples, and they run", async () => {
  if (folder === undefined) return;
  await mkdir(scratch, { recursive: true });
  const place = await mkdtemp(join(scratch, "generated-"));
  try {
    const schema = join(place, "openapi.json");
    // Without the service's own description beside the checkout the emulator's has to do.
    if (contractFile !== undefined) await copyFile(contractFile, schema);
    else await writeFile(schema, await (await fetch(`${cloud.baseUrl}/v2/openapi.json`)).text());
    await symlink(join(folder, "node_modules"), join(place, "node_modules"));
    await copyFile(join(__dirname, "generated.txt"), join(place, "program.mts"));
    const generator = join(folder, "node_modules/openapi-typescript/bin/cli.js");
    const generated = await run(process.execPath, [generator, schema, "-o", join(place, "schema.d.ts")], {
      cwd: place,
    });
    expect({ ...generated, stdout: "", ms: 0 }).toMatchObject({ exitCode: 0 });
    await writeFile(
      join(place, "tsconfig.json"),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ["program.mts"] }),
    );
    const compiler = join(checkout, "node_modules/typescript/bin/tsc");
    const compiled = await run(process.execPath, [compiler, "-p", place], { cwd: place });
    expect(compiled).toMatchObject({ exitCode: 0, stdout: "" });
    const env = { BASE_URL: cloud.baseUrl, KEY: cloud.apiKey };
    expectAllPassed(await casesOf(process.execPath, ["--no-warnings", join(place, "program.mts")], env), 9);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
});
