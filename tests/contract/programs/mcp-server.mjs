// The vendor's MCP server: everything that its tools make, read, change and delete.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { runCases } from "./cases.mjs";

const IMAGE = "repo/image:1";
const GPU = { id: "NVIDIA GeForce RTX 4090", count: 1 };
const ENDPOINT = {
  name: "mcp",
  type: "QUEUE",
  image: "emulator/echo:1",
  gpu: { pools: ["ADA_24"] },
  workers: { min: 0, max: 1 },
  scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
};
const ids = {};
const createdBy =
  (tool, more = {}) =>
  () => ({ id: ids[tool], ...more });
const ofEndpoint =
  (more = {}) =>
  () => ({ endpointId: ids["create-endpoint"], ...more });

/** In order: what a tool makes has its name, and the tools after it refer to that. Then what the answer must hold. */
const CALLS = [
  ["list-gpu-types", {}, /NVIDIA GeForce RTX 4090/],
  ["get-gpu-type", { id: GPU.id }, /RTX 4090/],
  ["list-cpu-types", {}, /cpu3c/],
  ["list-data-centers", {}, /EU-RO-1/],
  ["get-data-center", { id: "EU-RO-1" }, /EU-RO-1/],
  ["list-public-templates", {}, /PyTorch/],
  ["create-network-volume", { body: { name: "mcp", size: 10, dataCenter: "EU-RO-1" } }, /"mcp"/],
  ["get-network-volume", createdBy("create-network-volume"), /EU-RO-1/],
  ["update-network-volume", createdBy("create-network-volume", { body: { size: 20 } }), /20/],
  ["list-network-volumes", {}, /"mcp"/],
  ["create-registry", { body: { name: "mcp", username: "u", password: "p" } }, /"mcp"/],
  ["list-registries", {}, /"mcp"/],
  ["create-template", { body: { name: "mcp", image: IMAGE } }, /"mcp"/],
  ["get-template", createdBy("create-template"), /repo/],
  ["update-template", createdBy("create-template", { body: { image: "repo/image:2" } }), /image:2/],
  ["list-templates", {}, /"mcp"/],
  ["create-pod", { body: { name: "mcp", image: IMAGE, gpu: GPU } }, /"mcp"/],
  ["get-pod", createdBy("create-pod"), /"mcp"/],
  ["list-pods", {}, /"mcp"/],
  ["update-pod", createdBy("create-pod", { body: { name: "mcp2" } }), /"mcp2"/],
  ["pod-action", createdBy("create-pod", { body: { action: "stop" } }), /EXITED/],
  ["delete-pod", createdBy("create-pod"), /./],
  ["create-endpoint", { body: ENDPOINT }, /"mcp"/],
  ["get-endpoint", createdBy("create-endpoint"), /"mcp"/],
  ["list-endpoints", {}, /"mcp"/],
  ["runsync-endpoint", ofEndpoint({ input: { n: 1 } }), /COMPLETED/],
  ["run-endpoint", ofEndpoint({ input: { n: 2 } }), /IN_QUEUE/],
  ["endpoint-health", ofEndpoint(), /completed/],
  ["set-endpoint-gpus", ofEndpoint({ pools: ["AMPERE_24"] }), /AMPERE_24/],
  ["list-endpoint-workers", createdBy("create-endpoint"), /summary/],
  ["list-endpoint-releases", createdBy("create-endpoint"), /rollout/],
  ["purge-endpoint-queue", ofEndpoint(), /completed/],
  ["delete-endpoint", createdBy("create-endpoint"), /./],
  ["update-ssh-keys", { body: { keys: ["ssh-ed25519 AAAA me"] } }, /ssh-ed25519/],
  ["get-ssh-keys", {}, /ssh-ed25519/],
  ["list-clusters", {}, /clusters|\[\]/],
  ["list-billing", {}, /./],
  ["delete-template", createdBy("create-template"), /./],
  ["delete-registry", createdBy("create-registry"), /./],
  ["delete-network-volume", createdBy("create-network-volume"), /./],
];

const program = "node_modules/@runpod/mcp-server/dist/stdio.mjs";
const server = spawn(process.execPath, ["--no-warnings", program], { stdio: ["pipe", "pipe", "ignore"] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
let lastId = 0;
async function ask(method, params) {
  lastId += 1;
  send({ id: lastId, method, params });
  for (;;) {
    const { value } = await lines.next();
    const message = JSON.parse(value ?? "null");
    if (message?.id === lastId) return message.result ?? message.error;
  }
}

const client = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "tests", version: "1" } };
await ask("initialize", client);
send({ method: "notifications/initialized" });
const call = async (name, args, wanted) => {
  const result = await ask("tools/call", { name, arguments: typeof args === "function" ? args() : args });
  const text = result.content?.[0]?.text ?? JSON.stringify(result);
  if (result.isError === true || !wanted.test(text)) throw new Error(text.slice(0, 300));
  if (name.startsWith("create-")) ids[name] = /"id":\s*"([^"]+)"/.exec(text)?.[1];
};
await runCases(Object.fromEntries(CALLS.map(([name, ...rest]) => [name, () => call(name, ...rest)])));
server.kill();
