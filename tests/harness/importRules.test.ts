import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { checkout } from "../../tools/run/checkout";
import { run } from "../../tools/run/process";

// Which file may say what, judged by the checkout's own lint configuration on files that exist nowhere else.

const FORBIDDEN: readonly (readonly [file: string, code: string])[] = [
  ["provider/file.ts", 'export { sdk } from "../sdk";'],
  ["provider/file.ts", 'export { sdk } from "pulumi-computecloud";'],
  ["provider/file.ts", 'export { NotFoundError } from "../client/errors";'],
  ["provider/resources/file.ts", 'export { pods } from "../../client/rest/pods";'],
  ["provider/resources/file.ts", 'export { Pod } from "../../sdk/pod";'],
  ["provider/resources/file.ts", 'export { startEmulator } from "../../emulator";'],
  ["provider/resources/file.ts", 'export { checkout } from "../../tools/run/checkout";'],
  ["provider/engine/plugin/file.ts", 'export { Pod } from "../../../sdk/pod";'],
  ["provider/engine/file.ts", 'export { print } from "../../cli/output";'],
  ["common/file.ts", 'export { NotFoundError } from "../client";'],
  ["common/file.ts", 'export { Output } from "@pulumi/pulumi";'],
  ["client/file.ts", 'export { readSettings } from "../provider/engine/config";'],
  ["client/file.ts", 'export { Output } from "@pulumi/pulumi";'],
  ["client/file.ts", 'export const lazy = () => import("@pulumi/pulumi");'],
  ["client/rest/file.ts", 'export { readSettings } from "../../provider/engine/config";'],
  ["client/file.ts", "export const told = (facts: object) => ({ get facts() { return facts; } });"],
  ["cli/file.ts", 'export { Transport } from "../client/calls/transport";'],
  ["cli/file.ts", 'export { Pod } from "../sdk/pod";'],
  ["cli/file.ts", 'export { startEmulator } from "../emulator/rest/pods";'],
  ["sdk/file.ts", 'export { startEmulator } from "../emulator";'],
  ["sdk/file.ts", 'export { createClient } from "../client";'],
  ["sdk/file.ts", 'import { createClient } from "../client"; createClient();'],
  ["sdk/internal/file.ts", 'import * as provider from "../../provider"; provider.start();'],
  ["emulator/file.ts", 'export { createClient } from "../client";'],
  ["emulator/file.ts", 'export { createClient } from "pulumi-computecloud/client";'],
  ["emulator/http/file.ts", 'export { createClient } from "../../client";'],
  ["emulator/file.ts", 'export { queueUrlsAt } from "../common/queueUrls";'],
  ["examples/fleet/file.ts", 'export { Pod } from "../../sdk";'],
];

const ALLOWED: readonly (readonly [file: string, code: string])[] = [
  ["client/file.ts", "export const told = { get facts() { return 1; } };"],
  ["client/rest/file.ts", 'export { Transport } from "../calls/transport";'],
  ["client/rest/file.ts", 'export { parseJson } from "../../common/json";'],
  ["provider/resources/file.ts", 'export { defineResource } from "../lifecycle/definition";'],
  ["provider/resources/file.ts", 'export { NotFoundError } from "../../client";'],
  ["provider/file.ts", 'export { Output } from "@pulumi/pulumi";'],
  ["provider/engine/plugin/file.ts", 'export { Lifecycle } from "../../lifecycle/lifecycle";'],
  ["cli/migrate/v1/file.ts", 'export { Fields } from "./fields";'],
  ["cli/file.ts", 'export { emulator } from "../emulator/commandLine";'],
  ["sdk/file.ts", 'export type { Pod } from "../client";'],
  ["sdk/file.ts", 'import type { Pod } from "../client"; export type Pods = Pod[];'],
  ["sdk/file.ts", 'export const lazy = () => import("../client");'],
  ["sdk/internal/file.ts", 'export { fullUrls } from "../../common/queueUrls";'],
  ["emulator/file.ts", 'export { requireNode } from "../common/requireNode";'],
  ["emulator/http/file.ts", 'export { Problem } from "../problem";'],
  ["tools/file.ts", 'export { startEmulator } from "../emulator";'],
  ["tests/file.ts", 'export { Transport } from "../client/calls/transport";'],
  ["examples/fleet/file.ts", 'export { Pod } from "pulumi-computecloud";'],
];

describe("the import rules", () => {
  let root: string;
  let complaints: Map<string, number>;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "lint-"));
    await cp(join(checkout, ".biome.json"), join(root, ".biome.json"));
    await cp(join(checkout, ".biome"), join(root, ".biome"), { recursive: true });
    for (const [index, [file, code]] of [...FORBIDDEN, ...ALLOWED].entries()) {
      const path = join(root, numbered(file, index));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `${code}\n`);
    }
    const biome = join(checkout, "node_modules", ".bin", "biome");
    const args = ["lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none"];
    const { stdout } = await run(biome, args, { cwd: root });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { location: { path: string } }[] };
    complaints = new Map();
    for (const { location } of diagnostics) complaints.set(location.path, (complaints.get(location.path) ?? 0) + 1);
  });
  afterAll(() => rm(root, { recursive: true }));

  it.each(FORBIDDEN.map(([file, code], index) => ({ file, code, index })))(
    "keep $file from saying $code",
    ({ file, index }) => expect(complaints.get(numbered(file, index))).toBe(1),
  );

  it.each(ALLOWED.map(([file, code], index) => ({ file, code, index: FORBIDDEN.length + index })))(
    "let $file say $code",
    ({ file, index }) => expect(complaints.get(numbered(file, index))).toBeUndefined(),
  );
});

function numbered(file: string, index: number): string {
  return file.replace("file.ts", `file${index}.ts`);
}
