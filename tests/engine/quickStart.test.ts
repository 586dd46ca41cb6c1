/* @long: Pulumi's own start beside the quick one, in every command. All other stacks of the tests start quickly. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { newStack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { folderForEach } from "../harness/folder";

const { emulator } = emulatorForAll();
const folder = folderForEach();

const program = `
  import * as pulumi from "@pulumi/pulumi";
  import { NetworkVolume, Provider } from "pulumi-computecloud";

  export const inProgram = Object.keys(require.cache).length;
  const args = { size: 10, dataCenter: "EU-RO-1" };
  new NetworkVolume("dynamic", args);
  new NetworkVolume("native", args, { provider: new Provider("cloud") });
  const word = "closure";
  class Own extends pulumi.dynamic.Resource {
    declare readonly inHost: pulumi.Output<number>;
    constructor(name: string) {
      const loaded = () => ({ inHost: Object.keys(require.cache).length });
      super(
        { create: async () => ({ id: word, outs: loaded() }), read: async () => ({ id: word, props: loaded() }) },
        name,
        { inHost: undefined },
      );
    }
  }
  const own = new Own("own");
  export const id = own.id;
  export const inHost = own.inHost;
`;

const quickProgram = { env: { NODE_OPTIONS: "--require=pulumi-computecloud/quick-start" } };

const plugin = (name: string, folder: string) => ({ name, path: join(checkout, folder) });
const project = { name: "test", runtime: "nodejs", plugins: { providers: [plugin("computecloud", "provider/bin")] } };
const quickHost = plugin("pulumi-nodejs", "sdk/quick-start");
const quickProject = { ...project, plugins: { providers: [...project.plugins.providers, quickHost] } };
const filesOf = (settings: object) => ({ files: { "index.ts": program, "Pulumi.yaml": JSON.stringify(settings) } });

test("a quick start loads less than half of Pulumi's files, and does the same in every command", async () => {
  await using stack = await newStack({ program: filesOf(quickProject), emulator, asUsers: true });

  expect((await stack.up(quickProgram)).changes).toEqual({ create: 3 });
  const quick = await stack.outputs();
  expect(quick.id).toBe("closure");

  await stack.edit(filesOf(project));
  expect((await stack.refresh()).changes).toEqual({ same: 3 });
  expect((await stack.up()).changes).toEqual({ same: 3 });
  const plain = await stack.outputs();
  expect(Number(plain.inProgram)).toBeGreaterThan(2 * Number(quick.inProgram));
  expect(Number(plain.inHost)).toBeGreaterThan(2 * Number(quick.inHost));

  await stack.edit(filesOf(quickProject));
  expect((await stack.refresh(quickProgram)).changes).toEqual({ same: 3 });
  expect((await stack.destroy()).changes).toEqual({ delete: 3 });
});

test("a closure that can't be serialised is refused with its line, with a quick start as without", async () => {
  const refused = `
    const { dynamic } = require("@pulumi/pulumi");
    const max = Math.max.bind(Math);
    class Own extends dynamic.Resource {}
    new Own({ create: async () => ({ id: String(max(1)) }) }, "own", {});
  `;
  await using stack = await newStack({ program: refused, asUsers: true });
  const { diagnostics } = await stack.preview({ ...quickProgram, fails: true });
  expect(diagnostics[0]?.message).toContain("'async () => ({ id: String(max(1)) })': index.js(5,22)");
  expect((await stack.preview({ fails: true })).diagnostics).toEqual(diagnostics);
});

test.each(["3.141.0", "3.999.0", "4.200.0"])(
  "Pulumi %s, which it does not know, starts without it",
  async (version) => {
    const quick = folder.at("node_modules/pulumi-computecloud/dist/sdk/quickStart.js");
    await cp(join(checkout, "dist/sdk/quickStart.js"), quick);
    const sdk = folder.at("node_modules/@pulumi/pulumi");
    await mkdir(join(sdk, "cmd/run"), { recursive: true });
    await writeFile(join(sdk, "package.json"), JSON.stringify({ version }));
    await writeFile(join(sdk, "cmd/run/index.js"), "console.log(Object.keys(require.cache).length);");
    const { stdout, stderr } = await run(process.execPath, ["--require", quick, join(sdk, "cmd/run/index.js")]);
    const line = /^A quick start knows @pulumi\/pulumi 3\.142 to 3\.\d+: version [\d.]+ starts without it\.\n$/;
    expect({ stdout, stderr }).toEqual({
      stdout: expect.stringMatching(/^[123]\n$/),
      stderr: expect.stringMatching(line),
    });
  },
);
