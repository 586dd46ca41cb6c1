/*
 * The plugin as one executable, the way it reaches a machine without Node: the engine fetches it from a server by itself, with an
 * empty home. `npm run test:package`.
 */
import { createHash } from "node:crypto";
import { access, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { expect, test } from "@jest/globals";
import { getEngine } from "../../tools/engine/engine";
import { getPython, withPythonSdk } from "../../tools/languages/python";
import { bundle, checksums, makePlugin, ownPlatform } from "../../tools/release/plugin";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { newStack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { folderForAll } from "../harness/folder";
import { serve } from "../harness/serve";

const ARCHIVE_BYTES = 46_000_000;

const PROGRAM = `
import json
import pulumi
import pulumi_computecloud as cloud

models = cloud.NetworkVolume("models", size=10, data_center="EU-RO-1")
cloud.Registry("images", username="ci", password="hunter2")
embed = cloud.ServerlessContainer(
    "embed", type="QUEUE", image="emulator/echo:1", gpu={"pools": ["AMPERE_16"]}, network_volumes=[models.id],
    scaling={"type": "QUEUE_DELAY", "queue_delay": 2},
)
cloud.ServerlessFleet(
    "fleet",
    defaults=cloud.FleetDefaultsArgs(gpu_ids="AMPERE_16", workers_max=1),
    endpoints={"small": cloud.FleetEndpointArgs(image="example.com/small:1")},
)
cloud.SmokeJob("answers", endpoint_id=embed.id, endpoint_revision=embed.revision, input=json.dumps({"text": "ping"}))
gated = cloud.GatedEndpoint(
    "gated", image="emulator/echo:1", gpu={"pools": ["AMPERE_16"]}, scaling={"type": "QUEUE_DELAY", "queue_delay": 2},
    gate={"input": json.dumps({"text": "ping"})},
)
pulumi.export("memory", cloud.get_gpu_type_output(id="NVIDIA L4").memory)
pulumi.export("url", gated.request_urls.run)
`;

/** What an engine and a Python program need of a machine. */
const TOOLS = ["sh", "bash", "env", "uname", "dirname", "cat"];

const folder = folderForAll();
const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true } });

/** A server of releases, and the paths that it was asked for. */
async function serveReleases(releases: string) {
  const requested: string[] = [];
  const server = await serve((request, response) => {
    const name = basename(request.url ?? "");
    requested.push(name);
    readFile(join(releases, name)).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  return { ...server, requested };
}

/** A PATH on which there is no Node. */
async function pathWithoutNode(): Promise<string> {
  const tools = folder.at("tools");
  await mkdir(tools);
  for (const tool of TOOLS) {
    const { stdout } = await run("sh", ["-c", `command -v ${tool}`]);
    await symlink(stdout.trim(), join(tools, tool));
  }
  const { folder: engine } = await getEngine();
  await symlink(join(engine, "pulumi"), join(tools, "pulumi"));
  return tools;
}

test("is made of the same bytes again, lists its licences, and a Python program without Node lives by it", async () => {
  const releases = folder.at("releases");
  const code = await bundle();
  const archive = await makePlugin(ownPlatform(), code, releases);
  const again = await makePlugin(ownPlatform(), await bundle(), folder.at("again"));
  const sum = async (file: string) =>
    createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
  expect(await sum(again)).toBe(await sum(archive));
  expect(await checksums(releases)).toBe(`${await sum(archive)}  ${basename(archive)}\n`);
  expect((await stat(archive)).size).toBeLessThanOrEqual(ARCHIVE_BYTES);
  const { stdout } = await run("tar", ["-xzOf", archive, "NOTICES.txt"]);
  for (const name of ["@grpc/grpc-js", "undici", "zod", "graphql-request", "Node.js"])
    expect(stdout.split("\n").some((line) => line.startsWith(name))).toBe(true);

  const python = await getPython();
  if (python === undefined) return;
  await using server = await serveReleases(releases);
  const schema = folder.at("schema.json");
  const packageSchema = JSON.parse(await readFile(join(checkout, "schema.json"), "utf8"));
  await writeFile(schema, JSON.stringify({ ...packageSchema, pluginDownloadURL: server.address }));
  const files = { "__main__.py": PROGRAM, "Pulumi.yaml": JSON.stringify({ name: "test", runtime: "python" }) };
  await using stack = await newStack({ program: { files }, emulator });
  const { PYTHONPATH } = await withPythonSdk(python, stack, schema);
  const tools = await pathWithoutNode();
  const env = {
    PYTHONPATH,
    PATH: [python.host, join(python.environment, "bin"), tools].join(delimiter),
    HOME: join(stack.folder, "nobody"),
    PULUMI_HOME: join(stack.folder, "nobody", ".pulumi"),
    NODE_OPTIONS: "",
  };
  await mkdir(env.HOME);
  expect((await run("sh", ["-c", "command -v node"], { env })).exitCode).not.toBe(0);

  const up = await stack.up({ env });
  expect(up.changes).toEqual({ create: 11 });
  expect(server.requested).toEqual([basename(archive)]);
  await access(join(env.PULUMI_HOME, "plugins", "resource-computecloud-v0.1.0", "pulumi-resource-computecloud"));
  expect(await stack.outputs()).toMatchObject({ memory: 24, url: expect.stringMatching(/\/run$/) });
  expect((await stack.up({ env, args: ["--refresh"] })).changes).toEqual({ same: 11 });
  await stack.destroy({ env });
  expect(await service.isEmpty()).toBe(true);
  expect(server.requested).toHaveLength(1);
});
