/* Where the key and the addresses come from, and what happens when they are missing, wrong or rotated. */

import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/environment";
import { Stack } from "../../tools/run/stack";
import type { Update } from "../../tools/run/update";
import { attack, RAW, serviceThat } from "../cli/hostileService";
import { emulatorForAll } from "../harness/account";
import { stackForAll } from "../harness/scenario";

const NONE = {
  COMPUTECLOUD_API_KEY: "",
  COMPUTECLOUD_BASE_URL: "",
  COMPUTECLOUD_SERVERLESS_URL: "",
  COMPUTECLOUD_GRAPHQL_URL: "",
};
const OLD_KEY = "old-key-0123456789";
const NEW_KEY = "new-key-0123456789";

const { emulator, service } = emulatorForAll({ settings: { keys: [{ key: OLD_KEY }, { key: NEW_KEY }] } });
const program =
  'const { Registry } = require("pulumi-computecloud"); new Registry("r", { username: "u", password: "p" });';
const stack = stackForAll(() => ({ program, emulator }));

const said = ({ diagnostics, stdout, stderr }: Update) =>
  [...diagnostics.map(({ message }) => message), stdout, stderr].join("\n");

test("a preview without a key fails, and says what to set", async () => {
  expect(said(await stack.preview({ env: NONE, fails: true }))).toContain(
    "there is no API key. Set COMPUTECLOUD_API_KEY",
  );
});

test("a misspelt setting fails a preview, and without it, as the message says, the preview is as before", async () => {
  await stack.pulumi(["config", "set", "computecloud:cluod", "runpod"]);
  const refused = said(await stack.preview({ fails: true }));
  expect(refused).toContain('computecloud:cluod is not a setting; did you mean "cloud"?');
  const [, wayOut = ""] = /Run `pulumi (config rm [^`]+)`/.exec(refused) ?? [];
  await stack.pulumi(wayOut.split(" "));
  expect((await stack.preview()).changes).toEqual({ create: 1 });
});

test("what a hostile service says of a resource is plain text for the engine", async () => {
  await using hostile = await serviceThat(attack);
  const up = said(await stack.up({ env: { COMPUTECLOUD_BASE_URL: hostile.address }, fails: true }));
  expect(up).toContain("\\x1b]0;title");
  expect(up).toContain("<{ %fg 2%}>forged");
  expect(up).not.toMatch(RAW);
});

test("a Node that is too old is what a preview fails of", async () => {
  const oldNode = join(stack.folder, "oldNode.js");
  await writeFile(
    oldNode,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });',
  );
  const preview = await stack.preview({ env: { NODE_OPTIONS: `--require ${oldNode}` }, fails: true });
  expect(said(preview)).toMatch(/pulumi-computecloud needs Node 22\.19 or newer/);
});

test("a package that only a library of the program depends on is reported, with the way out", async () => {
  const project = await mkdtemp(join(tmpdir(), "pnpm-"));
  const library = join(project, "node_modules", "fleet");
  await mkdir(join(library, "node_modules"), { recursive: true });
  await symlink(checkout, join(library, "node_modules", "pulumi-computecloud"));
  await symlink(join(checkout, "node_modules", "@pulumi"), join(project, "node_modules", "@pulumi"));
  await writeFile(join(library, "index.js"), program);
  const folder = join(project, "stack");
  const env = { ...stack.env, PULUMI_BACKEND_URL: `file://${folder}/backend` };
  const other = new Stack({ folder, project, name: "dev", env });
  await other.edit('require("fleet");');
  await other.init();
  const preview = said(await other.preview({ fails: true }));
  expect(preview).toContain(`pulumi-computecloud can't be found from ${project}`);
  expect(preview).toContain("npm install pulumi-computecloud");
  await rm(project, { recursive: true });
});

test("the key in the stack's configuration wins over the environment, and is encrypted in the state", async () => {
  await stack.setConfig("computecloud:apiKey", { secret: OLD_KEY });
  await stack.up({ env: { COMPUTECLOUD_API_KEY: "a-key-that-nobody-knows" } });
  expect(await stack.stateText()).not.toContain(OLD_KEY);
});

test("the key in the stack's configuration is the saved one for a refresh: after a rotation the error names both ways out, and the state stays", async () => {
  await service.settings({ keys: [{ key: NEW_KEY }] });
  await stack.setConfig("computecloud:apiKey", { secret: NEW_KEY });
  const refresh = said(await stack.refresh({ fails: true }));
  expect(refresh).toContain("--run-program");
  expect(refresh).toContain("COMPUTECLOUD_API_KEY");
  expect(refresh).not.toContain(OLD_KEY);
  expect(await stack.resources()).toHaveLength(1);
});

test("the key in the stack's configuration is today's with --run-program", async () => {
  expect((await stack.refresh({ args: ["--run-program"] })).changes).toEqual({ same: 1 });
  expect((await stack.destroy({ args: ["--run-program"] })).changes).toMatchObject({ delete: 1 });
});

test("a key in the environment leaves nothing in the state", async () => {
  await stack.pulumi(["config", "rm", "computecloud:apiKey"]);
  await stack.up({ env: { COMPUTECLOUD_API_KEY: NEW_KEY } });
  expect(await stack.stateText()).not.toMatch(/computecloud:apiKey|new-key/);
  expect((await stack.refresh({ env: { COMPUTECLOUD_API_KEY: NEW_KEY } })).changes).toEqual({ same: 1 });
});

test("a key that may only read is enough for a plan, can't write, and the error names the scope", async () => {
  await service.settings({ keys: [{ key: NEW_KEY, kind: "read-only" }] });
  const plan = await stack.preview({ args: ["--refresh"], env: { COMPUTECLOUD_API_KEY: NEW_KEY } });
  expect(plan.changes).toEqual({ same: 1 });
  const destroy = await stack.destroy({ fails: true, env: { COMPUTECLOUD_API_KEY: NEW_KEY } });
  const refusals = destroy.diagnostics.filter(({ message }) => message.includes("403 Forbidden"));
  expect(refusals).toEqual([expect.objectContaining({ severity: "error", name: "r" })]);
  expect(said(destroy)).not.toContain(NEW_KEY);
  expect(await stack.resources()).toHaveLength(1);
});
