// @long: public programs, installed from npm and PyPI.
/* Public programs run unchanged: the emulator answers under the service's own host names. */
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
import { installed } from "./installed";
import { startServiceNames } from "./serviceNames";
import { PROGRAMS, type Program } from "./table";

const MODEL = "org/small";
const page = readFileSync(join(checkout, "docs/emulator.md"), "utf8");
const folder = folderForEach();

/** What the scripts find in the account: workers that behave as images of the emulator, a volume and a template. */
async function arrange(cloud: Account): Promise<NodeJS.ProcessEnv> {
  const balancer = { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 4 } };
  const vllm = { image: "repo/vllm:1", env: { MODEL_NAME: MODEL } };
  const endpoint = async (overrides: object = {}): Promise<string> => (await openEndpoint(cloud, { ...overrides })).id;
  const CHAT = await endpoint(vllm);
  await using client = createClient(cloud);
  const volume = await cloud.create("/v2/network-volumes", { name: "data", size: 10, dataCenter: "EU-RO-1" });
  const template = await cloud.create("/v2/templates", { name: "bound", image: "repo/worker:1", serverless: true });
  return {
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
async function commandOf({ registry, script }: Program, home: string): Promise<[string, string]> {
  const scripts = (await readdir(__dirname)).filter((name) => /\.(mjs|py|txt)$/.test(name));
  for (const name of scripts) await copyFile(join(__dirname, name), folder.at(name));
  if (registry === "PyPI") return [join(home, "bin/python"), script];
  await symlink(join(home, "node_modules"), folder.at("node_modules"));
  return [process.execPath, script];
}

/** How a program went, as the page says it. */
function rowOf({ packages, registry, does, absent = {} }: Program, passed: number, count: number): string {
  const [main, ...others] = packages.map((each) => each.replace(/(?<=.)@|==/, " ").replace("[runpod]", ""));
  const lacks = Object.keys(absent).length > 0 ? `; absent: ${Object.values(absent).join(", ")}` : "";
  return `| ${[main, ...others].join(", ")} (${registry}) | ${does} | ${passed} of ${count}${lacks} |`;
}

it.each(PROGRAMS.map((program) => [`${program.name} from ${program.registry}`, program] as const))(
  "%s does what its documents show",
  async (_, program) => {
    const home = await installed(program);
    if (home === undefined) return;
    await using cloud = await openAccount({ settings: { graphqlDeletesWithWorkers: true } }, "running");
    await using names = await startServiceNames(cloud, folder.path);
    const [command, script] = await commandOf(program, home);
    const { exitCode, stdout, stderr } = await run(command, [script], {
      cwd: folder.path,
      env: {
        PATH: process.env.PATH,
        HOME: folder.path,
        NODE_NO_WARNINGS: "1",
        RUNPOD_API_KEY: cloud.apiKey,
        ...names.env,
        ...(await arrange(cloud)),
        ...program.env?.(cloud),
      },
      timeoutMs: 120_000,
    });
    expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
    const results: { case: string; error: string | null }[] = stdout
      .split("\n")
      .filter((line) => line.startsWith('{"case"'))
      .map((line) => JSON.parse(line));
    const failed = Object.fromEntries(
      results.flatMap((each) => (each.error === null ? [] : [[each.case, each.error]])),
    );
    const { absent = {} } = program;
    expect(failed).toEqual(Object.fromEntries(Object.keys(absent).map((name) => [name, expect.any(String)])));
    const passed = results.length - Object.keys(failed).length;
    expect(page.split("\n")).toContain(rowOf(program, passed, results.length));
  },
);

it("the page shows these programs and no other", () => {
  expect(page.match(/\((npm|PyPI)\) \| /g)).toHaveLength(PROGRAMS.length);
});
