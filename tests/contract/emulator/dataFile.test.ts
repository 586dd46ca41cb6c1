import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { DataFileFormatError, DataFileInUseError } from "../../emulator";
import { openAccount } from "./account";

const POD = { name: "pod", image: "repo/pod:1", gpu: { id: "NVIDIA GeForce RTX 4090" } };
const BOOT_MS = 60_000;

let folder: string;
let dataFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emulator-"));
  dataFile = join(folder, "data.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => openAccount({ dataFile, settings: { podBootMs: BOOT_MS } });

describe("a data file", () => {
  it("brings everything back, and boots go on", async () => {
    let podId = "";
    let before: unknown;
    {
      await using cloud = await open();
      podId = (await cloud.create("/v2/pods", POD)).id;
      const { id } = await cloud.create("/v2/templates", { name: "gone", image: "repo/gone:1" });
      await cloud.create("/v2/templates", { name: "kept", image: "repo/kept:1" });
      await cloud.rest("DELETE", `/v2/templates/${id}`);
      before = (await cloud.control("GET", "/state")).body;
    }
    await using cloud = await open();
    expect((await cloud.control("GET", "/state")).body).toEqual(before);
    await cloud.advance(BOOT_MS);
    expect((await cloud.rest("GET", `/v2/pods/${podId}`)).body.status).toBe("RUNNING");
  });

  it("keeps the clock where it was moved to", async () => {
    const day = 86_400_000;
    {
      await using cloud = await open();
      await cloud.advance(3 * day);
    }
    await using cloud = await open();
    const { now } = (await cloud.control("GET", "/clock")).body;
    expect(Date.parse(now) - Date.now()).toBeGreaterThan(2 * day);
  });

  it("loses at most the write that a crash cut off", async () => {
    {
      await using cloud = await open();
      await cloud.create("/v2/templates", { name: "kept", image: "repo/kept:1" });
    }
    appendFileSync(dataFile, '{"collection":"templates","id":"half","rec');
    await using cloud = await open();
    const { templates } = (await cloud.rest("GET", "/v2/templates")).body;
    expect(templates.map(({ name }: { name: string }) => name)).toEqual(["kept"]);
    await cloud.create("/v2/templates", { name: "next", image: "repo/next:1" });
    expect(readFileSync(dataFile, "utf8")).not.toContain('"half"');
  });

  it("belongs to one emulator at a time", async () => {
    await using cloud = await open();
    await expect(openAccount({ dataFile })).rejects.toThrow(DataFileInUseError);
    expect((await cloud.rest("GET", "/v2/templates")).status).toBe(200);
  });

  it("is free again after a stop, and after a process that died with it", async () => {
    {
      await using _cloud = await open();
    }
    appendFileSync(`${dataFile}.lock`, "2147483646");
    await using cloud = await open();
    expect((await cloud.rest("GET", "/v2/templates")).status).toBe(200);
  });

  it.each(["precious", '{"name":"a package"}\n'])("is never made out of a file with %j in it", async (text) => {
    writeFileSync(dataFile, text);
    await expect(open()).rejects.toThrow(DataFileFormatError);
    expect(readFileSync(dataFile, "utf8")).toBe(text);
    rmSync(dataFile);
    await using cloud = await open();
    expect((await cloud.rest("GET", "/v2/pods")).status).toBe(200);
  });

  it("may be there and empty", async () => {
    writeFileSync(dataFile, "");
    await using cloud = await open();
    expect((await cloud.rest("GET", "/v2/pods")).status).toBe(200);
  });

  it("does not grow with what is changed over and over", async () => {
    await using cloud = await open();
    const { id } = await cloud.create("/v2/templates", { name: "busy", image: "repo/busy:1" });
    const env = { PADDING: "x".repeat(200_000) };
    for (let round = 0; round < 60; round += 1) await cloud.rest("PATCH", `/v2/templates/${id}`, { env });
    expect(readFileSync(dataFile).length).toBeLessThan(5 * 1024 * 1024);
  });
});
