/*
 * A service that does next to nothing, in a process of its own: its answers stand ready, so that what is measured is who
 * asks. Prints its port.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const POD = {
  id: "xedezhzb9la3ye",
  name: "worker",
  image: "registry.example.com/team/worker:1.4.2",
  args: "",
  disk: 50,
  ports: ["8888/http", "22/tcp"],
  env: { MODE: "production", MODEL: "llama", TOKEN: "{{ SECRET_token }}" },
  registry: null,
  gpu: { id: "NVIDIA GeForce RTX 4090", count: 1 },
  cloud: "SECURE",
  dataCenterId: "EU-RO-1",
  mounts: { persistent: { size: 100, path: "/workspace" } },
  globalNetworking: { enabled: false },
  locked: false,
  status: "RUNNING",
  actions: ["stop", "restart", "terminate"],
  cudaVersion: "12.8",
  template: null,
  runtime: null,
  ssh: { proxy: null, direct: null },
  cost: 0.69,
  createdAt: "2026-08-20T12:00:00Z",
  startedAt: "2026-08-20T12:01:00Z",
};
export const CHUNKS_AN_ANSWER = 20;
export const STREAM_ANSWERS = 250;
export const LOG_LINES = 50_000;
export const LISTED = 1_000;
/** How long the jobs of the endpoint `slow` take; all others are finished at the first look. */
const SLOW_JOB_MS = 800;

const quotas = {
  ratelimit: '"minute";r=90000;t=41, "hour";r=900000;t=1812, "day";r=9000000;t=40211',
  "ratelimit-policy": '"minute";q=100000;w=60, "hour";q=1000000;w=3600, "day";q=10000000;w=86400',
};
const pod = Buffer.from(JSON.stringify(POD));
const pods = Buffer.from(
  JSON.stringify({ pods: Array.from({ length: LISTED }, (_, index) => ({ ...POD, id: `pod${index}` })) }),
);
const chunk = { output: { token: "words of a model", index: 1 } };
const chunks = Buffer.from(
  JSON.stringify({ status: "IN_PROGRESS", stream: Array.from({ length: CHUNKS_AN_ANSWER }, () => chunk) }),
);
const streamEnd = Buffer.from(JSON.stringify({ status: "COMPLETED", stream: [] }));
const lines = Array.from({ length: LOG_LINES }, (_, index) => {
  const ts = new Date(Date.UTC(2026, 7, 20) + index).toISOString();
  return `id: ${ts}\ndata: ${JSON.stringify({ source: "container", line: `step ${index} of the training`, ts })}\n\n`;
});

function main(): void {
  let jobs = 0;
  /** When each job of `slow` is finished. */
  const slow = new Map<string, number>();
  const streamed = new Map<string, number>();
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { url = "" } = request;
    request.resume();
    if (url.startsWith("/limited/")) return answer(response, pod, quotas);
    if (url.endsWith("/v2/pods")) return answer(response, pods);
    if (url.endsWith("/logs"))
      return void response.writeHead(200, { "content-type": "text/event-stream" }).end(lines.join(""));
    if (url.endsWith("/run")) {
      jobs += 1;
      if (url.includes("/slow/")) slow.set(`job-${jobs}`, performance.now() + SLOW_JOB_MS);
      const job = Buffer.from(`{"id":"job-${jobs}","status":"IN_QUEUE"}`);
      return void request.on("end", () => answer(response, job));
    }
    if (url.includes("/status/")) {
      const id = url.slice(url.lastIndexOf("/") + 1);
      if ((slow.get(id) ?? 0) > performance.now()) {
        return answer(response, Buffer.from(`{"id":"${id}","status":"IN_PROGRESS","delayTime":12}`));
      }
      return answer(
        response,
        Buffer.from(`{"id":"${id}","status":"COMPLETED","delayTime":12,"executionTime":80,"output":{"text":"done"}}`),
      );
    }
    if (url.includes("/stream/")) {
      const answers = (streamed.get(url) ?? 0) + 1;
      streamed.set(url, answers);
      return answer(response, answers > STREAM_ANSWERS ? streamEnd : chunks);
    }
    return answer(response, pod);
  });
  server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
  process.on("disconnect", () => process.exit());
}

function answer(response: ServerResponse, body: Buffer, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length, ...headers });
  response.end(body);
}

if (require.main === module) main();
