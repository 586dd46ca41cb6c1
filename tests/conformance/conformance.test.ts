// @long: every fact's trial is recorded at a service that does otherwise, and played.
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { type FactId, factIds, isTried } from "../../cli/verify/facts";
import { Ledger } from "../../cli/verify/ledger";
import { cleanRun, trialPlan, tryFacts } from "../../cli/verify/verify";
import { Wire } from "../../cli/verify/wire";
import { Recorder } from "../../tools/recording/recorder";
import { RECORDING_FILE } from "../../tools/recording/recording";
import { conformanceOf, givenRecordings } from "../../tools/recording/recordings";
import { differencesOf } from "../../tools/recording/shape";
import { checkout } from "../../tools/run/checkout";
import { connectionTo } from "../../tools/run/connection";
import { run } from "../../tools/run/process";
import { impatient } from "../harness/place";
import { endpoint, registry, template } from "../harness/requests";
import { serviceForAll } from "../verify/service";

/** Facts about values: their answers have the same form either way, so that `verify` alone tells. */
const OF_VALUES: readonly FactId[] = [
  "undeclared-stays-empty",
  "save-is-no-patch",
  "rest-patches-template",
  "no-time-limit-is-0",
  "rest-timeout-default",
  "rest-endpoint-defaults",
  "workers-merged",
];

const service = serviceForAll();
const { place, folder, proxy } = service;
const record = (to: string) =>
  run(process.execPath, ["-r", "ts-node/register/transpile-only", "tools/recording/main.ts", "record", to, "--yes"], {
    cwd: checkout,
    env: service.env(),
  });

/** Tries a fact and records it. @returns the recording's folder */
async function recorded(id: FactId): Promise<string> {
  const recording = await mkdtemp(folder.at("recording-"));
  const wire = new Wire(connectionTo(proxy), impatient());
  const ledger = new Ledger(folder.at("notes"));
  const entry = ledger.begin("1234abcd", { service: proxy.baseUrl });
  const recorder = await Recorder.open(recording, { apiKey: proxy.apiKey, word: entry.word });
  const plan = trialPlan({ maxUsd: 1, only: [id] });
  await tryFacts(plan, { wire, entry, signal: new AbortController().signal, listener: recorder });
  await cleanRun({ wire, ledger }, entry.word, entry.now);
  await recorder.write("1.2.3");
  await wire.close();
  return recording;
}

test("recordings of the service that were given differ from the emulator in nothing that is not known", async () => {
  for (const each of await givenRecordings())
    expect({ each, ...(await conformanceOf(each)) }).toMatchObject({ differences: [], gone: [] });
});

test("a recording of an account keeps what the emulator plays again, and nothing of what the account has", async () => {
  const theirs = { ...template("acme-template"), image: "acme/model:7", env: { TOKEN: "token-of-acme" } };
  await place.service.rest("POST", "/v2/templates", theirs);
  await place.service.rest("POST", "/v2/serverless", endpoint("acme-endpoint"));
  await place.service.rest("POST", "/v2/registries", registry("acme-registry"));
  const recording = folder.at("whole");
  const { stderr, exitCode } = await record(recording);
  expect(stderr).toContain(`Keeps each call and its answer in ${recording}, without keys,`);
  expect(stderr).toMatch(/^Recorded \d{3} calls in .*whole\. Read it before you give it away\.$/m);
  expect(exitCode).toBe(0);
  const text = await readFile(join(recording, RECORDING_FILE), "utf8");
  expect(text).not.toMatch(/acme|emulator-key|user_emulated|@emulator|127\.0\.0\.1|verify-(?!0{8})/i);
  const { compared, ...found } = await conformanceOf(recording);
  expect(found).toEqual({ differences: [], unplayable: [], gone: [] });
  expect(compared).toBeGreaterThan(150);
});

test("a recording of an account leaves a recording alone that is there, and makes nothing then", async () => {
  const recording = await mkdtemp(folder.at("there-"));
  await writeFile(join(recording, RECORDING_FILE), "{}");
  const { stderr, exitCode } = await record(recording);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("recording.json is there already")]);
  expect(await place.calls()).toEqual([]);
});

test.each(factIds.filter(isTried))(
  "a recording of a service that does otherwise in #%s differs from the emulator",
  async (id) => {
    await service.differIn(id);
    const { differences } = await conformanceOf(await recorded(id));
    if (OF_VALUES.includes(id)) expect(differences).toEqual([]);
    else expect(differences).not.toEqual([]);
  },
);

test("a recording of a service that does otherwise differs in what its folder knows, with a reason", async () => {
  await place.service.settings({ streamForm: "array" });
  const recording = await recorded("stream-object");
  const found = await conformanceOf(recording);
  expect(found.differences).toEqual([
    "GET /v2/{id}/stream/{id}: the body is list at the service, object at the emulator",
  ]);
  const known = { [found.differences[0] ?? ""]: "both are read", "POST /v2/pods: gone since": "it was mended" };
  await writeFile(join(recording, "known.json"), JSON.stringify(known));
  expect(await conformanceOf(recording)).toMatchObject({ differences: [], gone: ["POST /v2/pods: gone since"] });
});

test("a recording of a service that does otherwise in which something was made that the emulator refuses, can't be played further", async () => {
  service.rule = async (call, forward) => {
    if (call.method !== "POST" || call.path !== "/v2/registries") return forward(call);
    return {
      status: 201,
      headers: { "content-type": "application/json" },
      body: { id: "made-elsewhere-1", name: call.body.name },
    };
  };
  const recording = await recorded("registry-patch");
  const file = join(recording, RECORDING_FILE);
  // The emulator refuses what this service took.
  await writeFile(file, (await readFile(file, "utf8")).replaceAll('"username"', '"user"'));
  const { differences, unplayable } = await conformanceOf(recording);
  expect(differences).toEqual(["POST /v2/registries: the service answers 201, the emulator 422"]);
  expect(unplayable).toEqual(["PATCH /v2/registries/{id} (registry-patch)"]);
});

test.each<[string, unknown, unknown, string[]]>([
  ["with other values don't differ", { a: 1, b: ["x"], c: { d: true } }, { a: 2, b: ["y", "z"], c: { d: false } }, []],
  ["of which one lacks a field", { a: 1 }, {}, ["the service alone shows the body.a"]],
  ["of which one has a field more", { a: { b: 1 } }, { a: { b: 1, c: 2 } }, ["the emulator alone shows the body.a.c"]],
  ["with another type", { a: 1 }, { a: "1" }, ["the body.a is number at the service, string at the emulator"]],
  ["with null for a value", { a: null }, { a: 1 }, ["the body.a is null at the service, number at the emulator"]],
  ["with lists of other things", [{ a: 1 }], [{ a: 1 }, { b: 1 }], ["the emulator alone shows the body[].b"]],
  ["with an empty list", { a: [] }, { a: [1] }, []],
  ["of which one is none", undefined, {}, ["the body is nothing at the service, object at the emulator"]],
])("two bodies %s", (_, service, emulator, differences) => {
  expect(differencesOf(service, emulator)).toEqual(differences);
});
