/*
 * How fast the emulator lists and saves with 1,000 endpoints and 10,000 jobs, beside an empty one in the same run.
 * Both run in processes of their own and keep a data file, as `computecloud-emulator --data` does.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const MAIN = join(__dirname, "../../dist/emulator/main.js");
const ENDPOINTS = 1000;
const JOBS_PER_ENDPOINT = 10;
const ROUNDS = 200;
const FILL_CONCURRENCY = 16;
const TARGET_MS = 20;

interface Addresses {
  readonly baseUrl: string;
  readonly serverlessUrl: string;
  readonly graphqlUrl: string;
  readonly controlUrl: string;
  readonly apiKey: string;
}

/** An emulator with one endpoint that is measured, and maybe many others. */
interface Subject {
  readonly process: ChildProcess;
  readonly addresses: Addresses;
  readonly templateId: string;
  readonly endpointId: string;
  readonly jobId: string;
}

type Measured = (subject: Subject) => Promise<unknown>;

const OPERATIONS: Readonly<Record<string, Measured>> = {
  "list, REST": ({ addresses }) => rest(addresses, "GET", "/v2/serverless"),
  "list, GraphQL": ({ addresses }) => graphql(addresses, "{ myself { endpoints { id name workersMax } } }"),
  "read, REST": ({ addresses, endpointId }) => rest(addresses, "GET", `/v2/serverless/${endpointId}`),
  "save, REST": ({ addresses, endpointId }) =>
    rest(addresses, "PATCH", `/v2/serverless/${endpointId}`, { env: { ROUND: String(Math.random()) } }),
  "save, GraphQL": ({ addresses, templateId, endpointId }) => save(addresses, templateId, "measured", endpointId),
  "run a job": ({ addresses, endpointId }) => queue(addresses, "POST", `${endpointId}/run`, { input: 1 }),
  "job status": ({ addresses, endpointId, jobId }) => queue(addresses, "GET", `${endpointId}/status/${jobId}`),
  health: ({ addresses, endpointId }) => queue(addresses, "GET", `${endpointId}/health`),
};

export async function emulator(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "computecloud-bench-"));
  const subjects: Subject[] = [];
  try {
    const empty = await start(join(folder, "empty.jsonl"));
    subjects.push(empty);
    const full = await start(join(folder, "full.jsonl"));
    subjects.push(full);
    const fillMs = await fill(full);
    console.log(
      `${ENDPOINTS} endpoints and ${ENDPOINTS * JOBS_PER_ENDPOINT} jobs made in ${(fillMs / 1000).toFixed(1)} s`,
    );
    console.log("                      empty, ms     full, ms");
    console.log("operation           median   p95   median   p95   ratio");
    for (const [name, operation] of Object.entries(OPERATIONS)) report(name, await measure(operation, empty, full));
  } finally {
    for (const subject of subjects) await stop(subject);
    rmSync(folder, { recursive: true });
  }
}

async function start(dataFile: string): Promise<Subject> {
  const child = spawn(process.execPath, [MAIN, "--data", dataFile], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line");
  const addresses: Addresses = JSON.parse(String(line));
  const template = await rest(addresses, "POST", "/v2/templates", {
    name: "worker",
    image: "repo/worker:1",
    serverless: true,
  });
  const { data } = await save(addresses, template.id, "measured");
  const endpointId = data.saveEndpoint.id;
  const job = await queue(addresses, "POST", `${endpointId}/run`, { input: 1 });
  return { process: child, addresses, templateId: template.id, endpointId, jobId: job.id };
}

async function stop({ process: child }: Subject): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function fill({ addresses, templateId }: Subject): Promise<number> {
  const startedAt = performance.now();
  const names = Array.from({ length: ENDPOINTS - 1 }, (_, index) => `endpoint-${index}`).values();
  const fillSome = async () => {
    for (const name of names) {
      const { data } = await save(addresses, templateId, name);
      for (let job = 0; job < JOBS_PER_ENDPOINT; job += 1)
        await queue(addresses, "POST", `${data.saveEndpoint.id}/run`, { input: { prompt: name, job } });
    }
  };
  await Promise.all(Array.from({ length: FILL_CONCURRENCY }, fillSome));
  return performance.now() - startedAt;
}

interface Times {
  readonly empty: readonly number[];
  readonly full: readonly number[];
}

/** Takes turns, so that what else the machine does hits both alike. */
async function measure(operation: Measured, empty: Subject, full: Subject): Promise<Times> {
  const times = { empty: [] as number[], full: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.empty.push(await timed(() => operation(empty)));
    times.full.push(await timed(() => operation(full)));
  }
  return times;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function report(name: string, { empty, full }: Times): void {
  const columns = [quantile(empty, 0.5), quantile(empty, 0.95), quantile(full, 0.5), quantile(full, 0.95)];
  const ratio = quantile(full, 0.5) / quantile(empty, 0.5);
  const verdict = quantile(full, 0.5) < TARGET_MS ? "" : `   above ${TARGET_MS} ms`;
  const cells = columns.map((ms, index) => ms.toFixed(1).padStart(index % 2 === 0 ? 9 : 6)).join("");
  console.log(`${name.padEnd(17)}${cells}${ratio.toFixed(1).padStart(8)}${verdict}`);
}

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, each looked into once
type Answer = any;

const rest = ({ baseUrl, apiKey }: Addresses, method: string, path: string, body?: unknown): Promise<Answer> =>
  call(method, baseUrl + path, `Bearer ${apiKey}`, body);

const queue = ({ serverlessUrl, apiKey }: Addresses, method: string, path: string, body?: unknown): Promise<Answer> =>
  call(method, `${serverlessUrl}/v2/${path}`, apiKey, body);

const graphql = ({ graphqlUrl, apiKey }: Addresses, query: string, variables?: unknown): Promise<Answer> =>
  call("POST", graphqlUrl, `Bearer ${apiKey}`, { query, variables });

const save = (addresses: Addresses, templateId: string, name: string, id?: string): Promise<Answer> =>
  graphql(addresses, "mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { id } }", {
    input: { id, name, templateId, gpuIds: "AMPERE_16", workersMax: 1, type: "QB" },
  });

async function call(method: string, url: string, authorization: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}
