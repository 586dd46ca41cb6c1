/* Every row of the service's own table from v1 to v2, against the emulator. */
import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "@jest/globals";
import { MigrationError, migrateCall, type V1Call } from "../../cli/migrate/v1";
import { run } from "../../tools/run/process";
import { accountForAll } from "../harness/account";
import { fails, MAIN } from "../harness/commandLine";
import { folderForAll } from "../harness/folder";

const account = accountForAll({}, "running");

const image = "registry.example.com/app:1";

/** What v2 answers to a call of v1. */
async function answerTo(v1: V1Call) {
  const { call } = migrateCall(v1);
  if (call === undefined) throw new Error(`${v1.method} ${v1.path} has no equivalent`);
  return account.rest(call.method, call.path, call.body);
}

/** Resolves when the pod can do it: while it starts it can't be restarted. */
async function untilOffered(id: string, action: string): Promise<void> {
  let actions: unknown;
  do ({ actions } = (await answerTo({ method: "GET", path: `/v1/pods/${id}` })).body);
  while (!Array.isArray(actions) || !actions.includes(action));
}

/** Makes it, and answers with its id. */
async function create(path: string, body: Record<string, unknown>): Promise<string> {
  const { status, body: answer } = await answerTo({ method: "POST", path, body });
  expect({ status, answer }).toMatchObject({ status: 201 });
  return String(answer.id);
}

const pod = { name: "pod", imageName: image, gpuTypeIds: ["NVIDIA L4"] };

const paths: readonly (readonly [v1: string, v2: string, body: Record<string, unknown>])[] = [
  ["/v1/pods", "/v2/pods", pod],
  ["/v1/endpoints", "/v2/serverless", { name: "c", gpuIds: "ADA_24", template: { imageName: image }, workersMax: 1 }],
  ["/v1/templates", "/v2/templates", { name: "preset", imageName: image }],
  ["/v1/networkvolumes", "/v2/network-volumes", { name: "models", size: 10, dataCenterId: "EU-RO-1" }],
  ["/v1/containerregistryauth", "/v2/registries", { name: "hub", username: "u", password: "p" }],
];

test.each(paths)("paths %s is %s: made, listed, read and deleted", async (v1, v2, body) => {
  const id = await create(v1, body);
  const { call, list } = migrateCall({ method: "get", path: v1 });
  expect(call).toEqual({ method: "GET", path: v2 });
  const { body: answer } = await answerTo({ method: "GET", path: v1 });
  expect(answer[list ?? ""]).toEqual(expect.arrayContaining([expect.objectContaining({ id })]));
  expect(migrateCall({ method: "GET", path: `${v1}/${id}` }).call?.path).toBe(`${v2}/${id}`);
  expect(await answerTo({ method: "GET", path: `${v1}/${id}` })).toMatchObject({ status: 200, body: { id } });
  expect(await answerTo({ method: "DELETE", path: `${v1}/${id}` })).toMatchObject({ status: 204 });
});

test.each([
  ["/v1/billing/pods", "/v2/billing/pods"],
  ["/v1/billing/endpoints", "/v2/billing/serverless"],
  ["/v1/billing/networkvolumes", "/v2/billing/network-volumes"],
])("paths %s is %s", async (v1, v2) => {
  const path = `${v1}?bucketSize=day&grouping=podId`;
  const { call, list, warnings } = migrateCall({ method: "GET", path });
  expect(call).toEqual({ method: "GET", path: `${v2}?bucketSize=day` });
  expect(warnings.map(({ field }) => field)).toEqual(["grouping"]);
  const { status, body } = await answerTo({ method: "GET", path });
  expect(status).toBe(200);
  expect(body[list ?? ""]).toEqual(expect.any(Array));
});

test.each<[string, string, string[]]>([
  ["/v1/billing/endpoints?endpointId=jpnw0v75y3qoql", "/v2/billing/serverless?serverlessId=jpnw0v75y3qoql", []],
  // An address with a host is fine; filters of lists are gone.
  ["https://rest.example.com/v1/pods/?computeType=GPU", "/v2/pods", ["computeType"]],
])("paths %s is %s, without %j", (v1, path, dropped) => {
  const { call, warnings } = migrateCall({ method: "GET", path: v1 });
  expect(call).toEqual({ method: "GET", path });
  expect(warnings.map(({ field }) => field)).toEqual(dropped);
});

test.each([
  ["GET", "/v1/bogus"],
  ["GET", "/v2/pods"],
  ["POST", "/v1/endpoints/e/start"],
  ["PUT", "/v1/pods/p"],
  ["GET", "/v1/pods/p/stop"],
  ["POST", "/v1/pods/p/stop/now"],
  ["GET", "/v1/billing/constructor"],
  ["GET", "/v1/constructor"],
  ["DELETE", "/v1/billing/pods"],
  ["DELETE", "/v1/pods"],
])("paths %s %s is not a call of version 1", (method, path) =>
  expect(() => migrateCall({ method, path })).toThrow(MigrationError),
);

test("what changed actions of pods are one call; reset has no equivalent", async () => {
  const id = await create("/v1/pods", pod);
  for (const action of ["restart", "stop", "start"]) {
    const v1 = { method: "POST", path: `/v1/pods/${id}/${action}` };
    expect(migrateCall(v1).call).toEqual({ method: "POST", path: `/v2/pods/${id}/action`, body: { action } });
    await untilOffered(id, action);
    expect(await answerTo(v1)).toMatchObject({ status: 200, body: { id } });
  }
  const reset = migrateCall({ method: "POST", path: `/v1/pods/${id}/reset` });
  expect(reset.call).toBeUndefined();
  expect(reset.warnings.map(({ field }) => field)).toEqual(["reset"]);
});

test.each([
  ["PATCH", ""],
  ["POST", "/update"],
])("what changed updates by %s %s are a PATCH of what they name", async (method, suffix) => {
  const id = await create("/v1/pods", pod);
  const body = { imageName: "i:2", containerDiskInGb: 60, gpuTypeIds: ["NVIDIA A40"], containerRegistryAuthId: "" };
  const v1 = { method, path: `/v1/pods/${id}${suffix}`, body };
  const { call, warnings } = migrateCall(v1);
  expect(call).toEqual({ method: "PATCH", path: `/v2/pods/${id}`, body: { image: "i:2", disk: 60, registry: null } });
  expect(warnings.map(({ field }) => field)).toEqual(["gpu"]);
  expect(await answerTo(v1)).toMatchObject({ status: 200, body: { image: "i:2", disk: 60 } });

  const endpointId = await create("/v1/endpoints", { name: "chat", gpuIds: "ADA_24", template: { imageName: image } });
  const update = { workersMax: 2, scalerType: "REQUEST_COUNT", scalerValue: 3, flashboot: true };
  expect(await answerTo({ method, path: `/v1/endpoints/${endpointId}${suffix}`, body: update })).toMatchObject({
    status: 200,
    body: { workers: { max: 2 }, scaling: { type: "REQUEST_COUNT", requestCount: 3 }, flashboot: "FLASHBOOT" },
  });
});

test("what changed half of a scaling can't be sent, nor a path without its size", () => {
  for (const [path, body, field] of [
    ["/v1/endpoints/e", { scalerValue: 3 }, "scalerType"],
    ["/v1/pods/p", { volumeMountPath: "/data" }, "volumeMountPath"],
  ] as const)
    expect(migrateCall({ method: "PATCH", path, body })).toEqual({
      call: { method: "PATCH", path: expect.any(String), body: {} },
      warnings: [expect.objectContaining({ field })],
    });
});

test("what changed volumes grow, templates are renamed, credentials are created again", async () => {
  const volume = await create("/v1/networkvolumes", { name: "models", size: 10, dataCenterId: "EU-RO-1" });
  const grown = await answerTo({ method: "PATCH", path: `/v1/networkvolumes/${volume}`, body: { size: 20 } });
  expect(grown).toMatchObject({ status: 200, body: { size: 20 } });
  const template = await create("/v1/templates", { name: "old", imageName: image });
  const renamed = await answerTo({ method: "POST", path: `/v1/templates/${template}/update`, body: { name: "new" } });
  expect(renamed).toMatchObject({ status: 200, body: { name: "new", disk: 50 } });
  expect(migrateCall({ method: "PATCH", path: "/v1/containerregistryauth/r", body: {} }).call).toBeUndefined();
});

test("what changed what only the provider knows is not sent", () => {
  const body = { ...pod, name: undefined, gpuTypeIds: ["NVIDIA L4", "NVIDIA A40"], locked: true };
  const { call, warnings } = migrateCall({ method: "POST", path: "/v1/pods", body });
  expect(call?.body).not.toHaveProperty("gpuAlternatives");
  expect(call?.body).not.toHaveProperty("locked");
  expect(warnings.map(({ field }) => field)).toEqual(["gpuTypeIds", "name", "gpuAlternatives", "locked"]);
});

test("what changed errors are problem documents", async () => {
  const { status, body } = await answerTo({ method: "GET", path: "/v1/pods/gone" });
  expect({ status, body }).toMatchObject({ status: 404, body: { title: "Not Found", detail: expect.any(String) } });
  expect(body).not.toHaveProperty("message");
});

describe("pulumi-computecloud migrate", () => {
  const folder = folderForAll();

  async function migrated(document: unknown, ...options: readonly string[]) {
    const file = folder.at("v1.json");
    await writeFile(file, typeof document === "string" ? document : JSON.stringify(document));
    return run(process.execPath, [MAIN, "migrate", file, ...options]);
  }

  test("prints arguments, and warns on stderr", async () => {
    const { stdout, stderr, exitCode } = await migrated([
      { ...pod, interruptible: true },
      { size: 10, name: "v" },
    ]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      { kind: "Pod", args: expect.objectContaining({ image, gpu: { id: "NVIDIA L4" } }) },
      { kind: "NetworkVolume", args: { name: "v", size: 10 } },
    ]);
    expect(stderr).toMatch(/^.*v1\.json: interruptible: v2 has no spot pods.*\n$/);
  });

  test("takes calls, and fails where one has no equivalent", async () => {
    const stop = await migrated({ method: "POST", path: "/v1/pods/p/stop" });
    expect(stop).toMatchObject({ exitCode: 0, stderr: "" });
    const call = { method: "POST", path: "/v2/pods/p/action", body: { action: "stop" } };
    expect(JSON.parse(stop.stdout)).toEqual({ call });
    const reset = await migrated({ method: "POST", path: "/v1/pods/p/reset" });
    expect(reset).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("reset: v2 has no equivalent") });
  });

  test("says which file it can't read, and what it needs to know", async () => {
    expect(await migrated("{")).toMatchObject(fails("v1.json is not JSON"));
    const untold = { name: "x", imageName: image };
    expect(await migrated(untold)).toMatchObject(fails("Name it with --kind"));
    expect(await migrated(untold, "--kind", "Template")).toMatchObject({ exitCode: 0 });
    expect(await migrated(untold, "--kind", "Bogus")).toMatchObject(fails("Allowed choices are Pod"));
    expect(await run(process.execPath, [MAIN, "migrate"])).toMatchObject(fails("Name files"));
  });
});
