import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openAccount } from "../harness/account";
import { checkout, scratch } from "../harness/checkout";

const readme = readFileSync(join(checkout, "docs/emulator.md"), "utf8");

let folder: string;
beforeAll(() => {
  mkdirSync(scratch, { recursive: true });
  // Inside the checkout, where the package finds itself by its name.
  folder = mkdtempSync(join(scratch, "readme-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the guide to the emulator", () => {
  it("has a jest file that runs as it is", () => {
    const [, code = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
    writeFileSync(join(folder, "readme.test.ts"), code);
    const config = { rootDir: folder, transform: { "\\.ts$": ["ts-jest", { diagnostics: false, tsconfig: {} }] } };
    const jest = spawnSync(process.execPath, [require.resolve("jest/bin/jest"), "--config", JSON.stringify(config)], {
      cwd: checkout,
      encoding: "utf8",
    });
    expect(jest.stderr).toMatch(/Tests: +3 passed, 3 total/);
  });

  it("shows faults that the control address takes", async () => {
    await using cloud = await openAccount();
    const acts = Array.from(readme.matchAll(/`(\{"\w+":.*?\})`(?=[,\s]*(?:`|\|))/g), ([, act = ""]) => JSON.parse(act));
    expect(acts).toHaveLength(9);
    for (const act of acts) expect((await cloud.control("POST", "/faults", { act })).status).toBe(201);
    const [, example = ""] = /```json\n(.*?)```/s.exec(readme) ?? [];
    expect((await cloud.control("POST", "/faults", JSON.parse(example))).status).toBe(201);
  });
});
