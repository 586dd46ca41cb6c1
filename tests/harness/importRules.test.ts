import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { checkout } from "./checkout";
import { run } from "./process";

// Which file may say what, judged by the checkout's own lint configuration on files that exist nowhere else.

const FORBIDDEN: readonly (readonly [file: string, code: string])[] = [
  ["provider/file.ts", 'export { sdk } from "../sdk";'],
  ["provider/file.ts", 'export { sdk } from "pulumi-computecloud";'],
  ["provider/common/file.ts", 'export { messageOf } from "../client/messageOf";'],
  ["provider/common/file.ts", 'export { Output } from "@pulumi/pulumi";'],
  ["provider/resources/file.ts", 'export { Pod } from "../../sdk/pod";'],
  ["provider/resources/file.ts", 'export { engineLog } from "../engine/log";'],
  ["provider/lifecycle/file.ts", 'export type { EngineLog } from "../engine/log";'],
  ["provider/functions/file.ts", 'export type { EngineLog } from "../engine/log";'],
  ["provider/resources/fleet/file.ts", 'export type { EngineLog } from "../../engine/log";'],
  ["provider/resources/file.ts", 'export { startEmulator } from "../../tests/emulator";'],
  ["provider/engine/plugin/file.ts", 'export { Pod } from "../../../sdk/pod";'],
  ["provider/client/file.ts", 'export { readSettings } from "../config";'],
  ["provider/client/file.ts", 'export { Output } from "@pulumi/pulumi";'],
  ["provider/client/file.ts", 'export const lazy = () => import("@pulumi/pulumi");'],
  ["provider/client/rest/file.ts", 'export { readSettings } from "../../config";'],
  ["provider/client/file.ts", "export const told = (facts: object) => ({ get facts() { return facts; } });"],
  ["provider/cli/migrate/v1/file.ts", 'export { createClient } from "../../../client";'],
  ["provider/cli/migrate/v1/file.ts", 'export { Output } from "@pulumi/pulumi";'],
  ["provider/cli/migrate/v1/file.ts", 'export { request } from "node:https";'],
  ["sdk/file.ts", 'export { startEmulator } from "../tests/emulator";'],
  ["sdk/file.ts", 'export { createClient } from "../provider/client";'],
  ["sdk/file.ts", 'import { createClient } from "../provider/client"; createClient();'],
  ["sdk/internal/file.ts", 'import * as provider from "../../provider"; provider.start();'],
  ["tests/emulator/file.ts", 'export { createClient } from "../../provider/client";'],
  ["tests/emulator/file.ts", 'export { createClient } from "pulumi-computecloud/client";'],
  ["tests/emulator/http/file.ts", 'export { createClient } from "../../../provider/client";'],
  ["tests/emulator/file.ts", 'export { queueUrlsAt } from "../../provider/common/queueUrls";'],
  ["examples/fleet/file.ts", 'export { Pod } from "../../sdk";'],
];

const ALLOWED: readonly (readonly [file: string, code: string])[] = [
  ["provider/client/file.ts", "export const told = { get facts() { return 1; } };"],
  ["provider/resources/file.ts", 'export { defineResource } from "../lifecycle/definition";'],
  ["provider/file.ts", 'export { Output } from "@pulumi/pulumi";'],
  ["provider/engine/plugin/file.ts", 'export { Lifecycle } from "../../lifecycle/lifecycle";'],
  ["provider/client/rest/file.ts", 'export { Transport } from "../transport";'],
  ["provider/cli/migrate/v1/file.ts", 'export { Fields } from "./fields";'],
  ["sdk/file.ts", 'export type { Pod } from "../provider/client";'],
  ["sdk/file.ts", 'import type { Pod } from "../provider/client"; export type Pods = Pod[];'],
  ["sdk/file.ts", 'export const lazy = () => import("../provider/client");'],
  ["sdk/internal/file.ts", 'export { fullUrls } from "../../provider/common/queueUrls";'],
  ["tests/emulator/file.ts", 'export { requireNode } from "../../provider/common/requireNode";'],
  ["tests/emulator/http/file.ts", 'export { Problem } from "../problem";'],
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
