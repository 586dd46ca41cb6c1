/* The plugin, spoken to over gRPC as the engine speaks to it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { status } from "@grpc/grpc-js";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { isRunning } from "../../common/isRunning";
import { seedOf } from "../../common/seed";
import { version } from "../../package.json";
import { Ledger } from "../../provider/memory/ledger";
import { ledgerFolder } from "../../provider/memory/notes";
import { checkout } from "../../tools/run/environment";
import { emulatorForAll } from "../harness/account";
import { serve } from "../harness/serve";
import { until } from "../harness/until";
import { output, Plugin, secret, settingsOf, UNKNOWN, urnOf, type Values } from "./startPlugin";

const RTX = "NVIDIA GeForce RTX 4090";

const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true } });
let plugin: Plugin;

const settings = () => settingsOf(emulator);

const configured = (changed: Record<string, string> = {}) => Plugin.configured({ ...settings(), ...changed });

beforeAll(async () => {
  plugin = await configured();
});

afterEach(async () => {
  for (const pid of ending) process.kill(pid, "SIGKILL");
  await service.clearFaults();
  await service.forgetCalls();
});

afterAll(() => plugin?.stop());

test("the plugin has components made by a process of its own, which ends with it", async () => {
  const started = await Plugin.start();
  started.client.construct(new ConstructRequest(), () => {});
  const host = await childOf(started.process.pid);
  started.process.kill("SIGKILL");
  started.client.close();
  await gone(host);
});

test("the plugin prints its port, and nothing else", async () => {
  await plugin.invoke("getDataCenters");
  expect(plugin.stdout.join("")).toMatch(/^\d+\n$/);
});

test("the plugin says its version and that it takes secrets", async () => {
  expect((await plugin.info()).getVersion()).toBe(version);
  expect((await plugin.handshake()).toObject()).toMatchObject({ acceptSecrets: true, acceptOutputs: true });
});

test("the plugin ends when it is interrupted", async () => {
  const another = await Plugin.start();
  await another.stop();
  expect(another.process.exitCode).toBe(0);
});

// finds mutant engine-outlived
test("the plugin ends when its engine is killed, also behind a shell, and not when only a connection ends", async () => {
  const file = join(checkout, "provider/bin", "pulumi-resource-computecloud");
  const script = `
      let connections = 0;
      const engine = require("net").createServer((socket) => (connections++ === 0 ? socket.destroy() : console.log(shell.pid)));
      let shell;
      engine.listen(0, "127.0.0.1", () => {
        const args = ["-c", '"$0" "$1"; exit', ${JSON.stringify(file)}, "127.0.0.1:" + engine.address().port];
        shell = require("child_process").spawn("/bin/sh", args, { stdio: "ignore" });
      });`;
  const engine = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [shell] = await once(engine.stdout, "data");
  const pid = await childOf(Number(shell));
  engine.kill("SIGKILL");
  await gone(pid);
});

test("a list names all of a kind, or as many as are asked for", async () => {
  for (const name of ["a", "b"])
    await service.rest("POST", "/v2/network-volumes", { name, size: 10, dataCenter: "EU-RO-1" });
  const all = await plugin.list("NetworkVolume");
  expect(all).toEqual((await service.state()).networkVolumes.map(({ id, name }) => ({ id, name })));
  expect(await plugin.list("NetworkVolume", 1)).toEqual(all.slice(0, 1));
  expect(await plugin.list("SshKeys")).toEqual([{ id: "account", name: "" }]);
  expect(await plugin.list("SmokeJob")).toEqual([]);
});

test("a list of what is not a kind is an error", async () => {
  await expect(plugin.list("Pots")).rejects.toMatchObject({ details: expect.stringContaining('did you mean "Pod"?') });
  await expect(plugin.list("pod")).rejects.toMatchObject({ details: expect.stringContaining('did you mean "Pod"?') });
  await expect(plugin.list("Volume")).rejects.toMatchObject({ details: expect.stringContaining("NetworkVolume, Pod") });
});

/** Why a configuration is refused; undefined where it is not. */
async function refusalOf(values: Values, urn?: string): Promise<string | undefined> {
  const [failure, ...others] = await plugin.checkConfig(values, urn);
  expect([failure?.property ?? "", others]).toEqual(["", []]);
  return failure?.reason;
}

test("the configuration is checked before anything is asked for", async () => {
  const { apiKey: _, ...keyless } = settings();
  expect(await refusalOf(settings())).toBeUndefined();
  expect(await refusalOf(keyless)).toMatch(/^computecloud:apiKey: there is no API key.*pulumi config set/);
  expect(await refusalOf({ ...settings(), cluod: "runpod" })).toMatch(
    /^computecloud:cluod is not a setting; did you mean "cloud"\? Run `pulumi config rm computecloud:cluod`, and/,
  );
  expect(await refusalOf({ ...settings(), version: "0.1.0", team: "a" })).toBeUndefined();
  expect(await refusalOf({ ...settings(), cloud: "nowhere" })).toMatch(/^computecloud:cloud: "nowhere" is not a known/);
});

// The stack's configuration is not for it, and setting a key there would change nothing.
test("the configuration of a provider that the program made is told by its arguments", async () => {
  const urn = (name: string) => `urn:pulumi:dev::shop::pulumi:providers:computecloud::${name}`;
  const { apiKey: _, ...keyless } = settings();
  expect(await refusalOf(keyless, urn("staging"))).toMatch(/^apiKey: there is no .* apiKey to the provider "staging"/);
  expect(await refusalOf(keyless, urn("default-eu"))).toMatch(/pass apiKey to the provider "default-eu"/);
  expect(await refusalOf(keyless, urn("default_0_1_0"))).toMatch(/pulumi config set/);
  // The environment may hold the key of another account, in which nothing of this one is to be made.
  const empty = { ...settings(), apiKey: secret("") };
  expect(await refusalOf(empty, urn("staging"))).toMatch(/^apiKey is empty.*COMPUTECLOUD_API_KEY/);
  const nobody = { ...settings(), allowedAccounts: [] };
  expect(await refusalOf(nobody, urn("staging"))).toMatch(/^allowedAccounts: must be a list of accounts/);
  await using other = await Plugin.start();
  await other.configure({ ...settings(), apiKey: "not-the-key" }, urn("staging"));
  const call = other.invoke("getGpuTypes");
  await expect(call).rejects.toThrow(/401 Unauthorized.*apiKey of the provider "staging"/s);
  await expect(call).rejects.not.toThrow("computecloud:apiKey");
});

test("the configuration with a key that the service refuses fails the call and tells the way out, without the key", async () => {
  await using other = await configured({ apiKey: "not-the-key" });
  const refused = other.invoke("getGpuTypes");
  await expect(refused).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
  await expect(refused).rejects.toThrow(/401 Unauthorized.*computecloud:apiKey/s);
  await expect(refused).rejects.not.toThrow("not-the-key");
});

// finds mutant functions-of-any-account
test("a call and a list with the key of an account that is not allowed ask nothing else", async () => {
  await using other = await configured({ allowedAccounts: "user_other, user_third" });
  const refusal = /which allowedAccounts does not list: user_other, user_third\. Nothing was changed/;
  await expect(other.invoke("getBalance")).rejects.toThrow(refusal);
  await expect(other.list("NetworkVolume")).rejects.toThrow(refusal);
  expect(new Set(await service.calls())).toEqual(new Set(["getAccount"]));
});

test("a call with mistakes in its arguments fails on the properties, and asks nothing", async () => {
  const { failures } = await plugin.invoke("getGpuTypes", { include: ["AVAILABILITY"], count: 0, clod: "SECURE" });
  expect(failures).toEqual([
    { property: "count", reason: expect.stringContaining(">=1") },
    { property: "clod", reason: 'is not an argument here; did you mean "cloud"?' },
    { property: "product", reason: expect.stringContaining("is required with include") },
  ]);
  expect(await service.calls()).toEqual([]);
});

test("a call of something that does not exist fails with the client's error", async () => {
  const refused = plugin.invoke("getPod", { id: "none" });
  await expect(refused).rejects.toMatchObject({ code: status.NOT_FOUND });
  await expect(refused).rejects.toThrow("Pod none: 404");
});

test("a call of an unknown function names the nearest", async () => {
  await expect(plugin.invoke("getGpuTyps")).rejects.toThrow('did you mean "getGpuTypes"?');
  await expect(plugin.invoke("gpuList")).rejects.toThrow("known: getGpuTypes, ");
});

test("a call made many times costs one request, at once and later", async () => {
  await using other = await configured();
  const args = { id: "EU-RO-1", include: ["GPU_AVAILABILITY"] };
  await Promise.all(Array.from({ length: 20 }, () => other.invoke("getDataCenter", args)));
  await other.invoke("getDataCenter", args);
  expect(await service.calls()).toEqual(["getDataCenter"]);
});

test("a call that failed is made again", async () => {
  await service.fault({ match: { operation: "getCpuType" }, act: { status: 403 } });
  await expect(plugin.invoke("getCpuType", { id: "cpu5c" })).rejects.toMatchObject({ code: status.PERMISSION_DENIED });
  await service.clearFaults();
  expect((await plugin.invoke("getCpuType", { id: "cpu5c" })).values).toMatchObject({ id: "cpu5c" });
});

test("a call about the account is made again after a resource was made, as programs in other languages expect", async () => {
  await using other = await configured();
  const names = async () => JSON.stringify((await other.invoke("getNetworkVolumes")).values);
  const catalog = () => other.invoke("getDataCenter", { id: "EU-RO-1" });
  await Promise.all([names(), catalog()]);
  await other.create("NetworkVolume", { name: "after", size: 10, dataCenter: "EU-RO-1" });
  expect(await names()).toContain('"after"');
  // The other host leaves this create to the plugin.
  expect(new Ledger({ folder: ledgerFolder(checkout) }).creates.at(seedOf(urnOf("NetworkVolume")))).toMatchObject({
    native: true,
    stack: "dev",
  });
  await service.forgetCalls();
  await Promise.all([names(), catalog()]);
  expect(await service.calls()).toEqual([]);
});

test("a call that waits for resources is answered anew", async () => {
  const before = await plugin.invoke("getRegistries");
  await service.rest("POST", "/v2/registries", { name: "images", username: "u", password: "p" });
  expect((await plugin.invoke("getRegistries")).values).toEqual(before.values);
  const { values } = await plugin.invoke("getRegistries", { __fresh: true });
  expect(values).toMatchObject({ registries: [{ name: "images" }] });
  expect((await plugin.invoke("getRegistries")).values).toEqual(values);
});

test("a call that is cancelled ends alone when the engine drops it, and so does its request", async () => {
  await using scope = await silence();
  const { call, answer } = scope.plugin.call("getDataCenter", { id: "EU-CZ-1" });
  await scope.requests(1);
  call.cancel();
  await expect(answer).rejects.toMatchObject({ code: status.CANCELLED });
  expect(await scope.aborted(1)).toEqual(["/v2/catalog/datacenters/EU-CZ-1"]);
  expect((await scope.plugin.info()).getVersion()).toBe(version);
});

test("a call that is cancelled goes on for others who made it too", async () => {
  await using scope = await silence();
  const [dropped, remaining] = [1, 2].map(() => scope.plugin.call("getDataCenter", { id: "EU-CZ-1" }));
  await scope.requests(1);
  dropped?.call.cancel();
  await expect(dropped?.answer).rejects.toMatchObject({ code: status.CANCELLED });
  scope.answer({ status: 404 });
  await expect(remaining?.answer).rejects.toMatchObject({ code: status.NOT_FOUND });
});

test("a call that is cancelled ends with all others when the engine cancels", async () => {
  await using scope = await silence();
  const answers = ["EU-CZ-1", "EU-RO-1"].map((id) => scope.plugin.call("getDataCenter", { id }).answer);
  const settled = Promise.allSettled(answers);
  await scope.requests(1);
  await scope.plugin.cancel();
  expect(await settled).toMatchObject([{ reason: { code: status.CANCELLED } }, { reason: { code: status.CANCELLED } }]);
  expect(await scope.aborted(1)).toEqual(["/v2/catalog/datacenters/EU-CZ-1"]);
});

test("a create that a cancel cuts short stays noted, because an engine that is told twice does not save the answer", async () => {
  await using other = await configured();
  await service.settings({ podBootMs: 3_600_000 });
  const cut = other.create("Pod", { name: "cut", image: "a:1", cpu: { id: "cpu3c", vcpuCount: 2 } });
  const refused = expect(cut).rejects.toThrow();
  await until(async () => (await service.state()).pods.length === 1);
  await other.cancel();
  await refused;
  await other.stop();
  expect(new Ledger({ folder: ledgerFolder(checkout) }).creates.at(seedOf(urnOf("Pod")))?.name).toBe("cut");
});

test.each<[string, Values[string], object]>([
  ["a secret", secret(RTX), { id: secret(RTX), memory: secret(24) }],
  ["a secret output", output({ value: RTX, secret: true }), { id: secret(RTX), memory: secret(24) }],
  ["an output that is not a secret", output({ value: RTX }), { id: RTX, pool: "ADA_24", memory: 24 }],
  ["not known yet", UNKNOWN, { id: UNKNOWN, price: UNKNOWN }],
  ["an output that is not known yet", output({}), { id: UNKNOWN, price: UNKNOWN }],
])("an argument that is %s makes the answer so; for what is not known nothing is asked", async (_, id, values) => {
  expect((await plugin.invoke("getGpuType", { id, __fresh: true })).values).toMatchObject(values);
  expect(await service.calls()).toEqual("price" in values ? [] : ["getGpuType"]);
});

/** A plugin, and a service that takes its requests and does not answer until it is told to. */
async function silence() {
  const open = new Map<ServerResponse, string>();
  const aborted: string[] = [];
  const server = await serve((request, response) => {
    open.set(response, request.url ?? "");
    response.once("close", () => {
      if (!response.writableFinished) aborted.push(request.url ?? "");
    });
  });
  const plugin = await configured({ baseUrl: server.address });
  return {
    plugin,
    requests: (count: number) => until(() => open.size >= count),
    aborted: async (count: number) => {
      await until(() => aborted.length >= count);
      return aborted;
    },
    answer: ({ status }: { status: number }) => {
      const problem = JSON.stringify({ title: "Refused", status });
      for (const response of open.keys())
        response.writeHead(status, { "content-type": "application/problem+json" }).end(problem);
    },
    [Symbol.asyncDispose]: async () => {
      await plugin.stop();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The first process that another one has started, as Linux tells. */
async function childOf(pid = 0): Promise<number> {
  for (;;) {
    const [child] = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).split(" ");
    if (child) return Number(child);
    await new Promise(setImmediate);
  }
}

/** Processes that have to end, and are killed where their test fails. */
const ending = new Set<number>();

async function gone(pid: number): Promise<void> {
  ending.add(pid);
  await until(() => !isRunning(pid));
  ending.delete(pid);
}
