// @long: public programs, installed from npm and PyPI.
/* Public programs run unchanged: the emulator answers under the service's own host names. The table is docs/emulator.md's. */
import { readFileSync } from "node:fs";
import { copyFile, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { createClient } from "../../../client";
import { checkout } from "../../../tools/run/environment";
import { run } from "../../../tools/run/process";
import { type Account, openAccount } from "../../harness/account";
import { folderForEach } from "../../harness/folder";
import { openEndpoint } from "../emulator/jobPlane";
import { contractFile } from "../openapi/document";
import { installed, type Packages } from "./installed";
import { startServiceNames } from "./serviceNames";

const MODEL = "org/small";
const folder = folderForEach();

/** `| ai 7.0.173, @runpod/ai-sdk-provider 1.4.0 (npm) | text, streams | 7 of 8; absent: public endpoints |` */
const ROW = /^\| (.+) \((npm|PyPI)\) \| .* \| (\d+ of \d+.*) \|$/gm;

/** The table's rows: what is installed, and how it went. */
const programs = Array.from(
  readFileSync(join(checkout, "docs/emulator.md"), "utf8").matchAll(ROW),
  ([, listed = "", registry = "", outcome = ""]): [string, Packages, string] => {
    const packages = listed.split(", ").map((each) => each.replace(" ", registry === "npm" ? "@" : "=="));
    const name = listed.replace(/[ [].*/, "");
    return [`${name} from ${registry}`, { name, registry, packages }, outcome];
  },
);

/** What the scripts find in the account: workers that behave as images of the emulator, a volume and a template. */
async function arrange(cloud: Account): Promise<NodeJS.ProcessEnv> {
  const balancer = { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 4 } };
  const vllm = { image: "repo/vllm:1", env: { MODEL_NAME: MODEL } };
  const endpoint = async (overrides = {}): Promise<string> => (await openEndpoint(cloud, overrides)).id;
  const CHAT = await endpoint(vllm);
  await using client = createClient(cloud);
  const volume = await cloud.create("/v2/network-volumes", { name: "data", size: 10, dataCenter: "EU-RO-1" });
  const template = await cloud.create("/v2/templates", { name: "bound", image: "repo/worker:1", serverless: true });
  return {
    RUNPOD_API_KEY: cloud.apiKey,
    BASE_URL: cloud.baseUrl,
    QUEUE_URL: `${cloud.serverlessUrl}/v2`,
    MODEL,
    CHAT,
    ECHO: await endpoint(),
    STREAM: await endpoint({ image: "emulator/stream" }),
    SLOW: await endpoint({ image: "emulator/delay", env: { EMULATOR_DELAY_MS: "600000" } }),
    FAIL: await endpoint({ image: "emulator/fail" }),
    BALANCER: await endpoint({ ...balancer, image: "repo/api:1" }),
    CHAT_URL: (await client.openAiOptions(CHAT)).baseURL,
    BALANCED_CHAT_URL: (await client.openAiOptions(await endpoint({ ...balancer, ...vllm }))).baseURL,
    VOLUME: volume.id,
    TEMPLATE: template.id,
    SCHEMA: contractFile,
    COMPILER: join(checkout, "node_modules/typescript/bin/tsc"),
    TYPES: join(checkout, "node_modules/@types"),
  };
}

/** The command that runs a program's script in the test's folder. Node finds packages beside the script, Python anywhere. */
async function commandOf({ name, registry }: Packages, home: string): Promise<[string, string]> {
  const scripts = (await readdir(__dirname)).filter((each) => /\.(mjs|py|txt)$/.test(each));
  for (const each of scripts) await copyFile(join(__dirname, each), folder.at(each));
  // A script that is called like a package of Python's would be taken for it.
  if (registry === "PyPI") return [join(home, "bin/python"), `${name}_calls.py`];
  await symlink(join(home, "node_modules"), folder.at("node_modules"));
  return [process.execPath, `${name.replace(/.*\//, "")}.mjs`];
}

it.each(programs)("%s does what its documents show", async (_, program, documented) => {
  const home = await installed(program);
  if (home === undefined) return;
  await using cloud = await openAccount({ settings: { graphqlDeletesWithWorkers: true } }, "running");
  await using names = await startServiceNames(cloud, folder.path);
  const [command, script] = await commandOf(program, home);
  const place = { PATH: process.env.PATH, HOME: folder.path, NODE_NO_WARNINGS: "1" };
  const env = { ...place, ...names.env, ...(await arrange(cloud)) };
  const { exitCode, stdout, stderr } = await run(command, [script], { cwd: folder.path, env, timeoutMs: 120_000 });
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  const cases: { name: string; error: string | null; absent: string | null }[] = stdout
    .split("\n")
    .filter((line) => line.startsWith('{"name"'))
    .map((line) => JSON.parse(line));
  expect(cases.filter(({ error, absent }) => (error === null) !== (absent === null))).toEqual([]);
  const absent = cases.flatMap((each) => each.absent ?? []);
  const lacks = absent.length > 0 ? `; absent: ${absent.join(", ")}` : "";
  expect(`${cases.length - absent.length} of ${cases.length}${lacks}`).toBe(documented);
});

it("every script is a program's", async () => {
  const scripts = (await readdir(__dirname)).filter((name) => /\.mjs$|_calls\.py$/.test(name));
  expect(programs).toHaveLength(scripts.length - 1);
});
