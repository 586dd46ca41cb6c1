/* What the plugin keeps to itself: the account's key, credentials in answers, secret arguments. Spoken to over gRPC. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { endianness } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { credentials, status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CheckRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { listen } from "../../provider/engine/plugin/listen";
import { ownerIn, ownerOfPeer } from "../../provider/engine/plugin/peer";
import { pluginServer } from "../../provider/engine/plugin/server";
import { checkout } from "../../tools/run/environment";
import { serviceThat } from "../cli/hostileService";
import { emulatorForAll } from "../harness/account";
import { endpoint, pod, template } from "../harness/requests";
import { stackForAll } from "../harness/scenario";
import { Plugin, secret, settingsOf } from "./startPlugin";

const [SIGNATURE = ""] = Object.keys(secret(""));
const TOKEN = "hf_0123456789";

const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true } });
let plugin: Plugin;
beforeAll(async () => {
  plugin = await Plugin.configured(settings());
});
afterAll(() => plugin?.stop());

const settings = () => settingsOf(emulator);

// Only root can be somebody else, who has to reach Node.
const isSomebodyElse = { uid: 65_534, gid: 65_534, cwd: "/" };
const canBe =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ["-e", ""], isSomebodyElse).status === 0;
const asAnother = canBe ? test : test.skip;

describe("a configured plugin", () => {
  // finds mutant plugin-pointed-elsewhere
  test("is pointed nowhere else, and sends nothing there", async () => {
    const received: string[] = [];
    await using elsewhere = await serviceThat((request, response) => {
      received.push(request.headers.authorization ?? "");
      response.end("{}");
    });
    for (const changed of [{ baseUrl: elsewhere.address }, { apiKey: secret("another-key") }, { retryTimeout: "1s" }])
      await expect(plugin.configure({ ...settings(), ...changed })).rejects.toMatchObject({
        code: status.FAILED_PRECONDITION,
        details: expect.stringContaining("configured already"),
      });
    await plugin.configure(settings());
    expect((await plugin.invoke("getRegistries", { __fresh: true })).values).toMatchObject({ registries: [] });
    expect(received).toEqual([]);
  });

  // finds mutant strangers-answered
  test("refuses whom it does not know, before a byte is read", async () => {
    const refused: string[] = [];
    for (const owner of [65_000, undefined]) {
      const door = await listen(
        pluginServer(),
        (reason) => refused.push(reason),
        () => owner,
      );
      const client = new ResourceProviderClient(`127.0.0.1:${door.port}`, credentials.createInsecure());
      const ask = () => new Promise((resolve) => client.getPluginInfo(new Empty(), (error) => resolve(error?.code)));
      // Other systems do not tell.
      expect(await ask()).toBe(process.platform === "linux" ? status.UNAVAILABLE : undefined);
      await ask();
      client.close();
      door.close();
    }
    if (process.platform === "linux")
      expect(refused).toEqual([
        expect.stringMatching(/of user 65000$/),
        expect.stringMatching(/\/proc\/net\/tcp6 do not show whose process connected$/),
      ]);
  });

  test("knows the user at the other end of a connection, where the kernel tells", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    const connected = once(server, "connection");
    await once(server, "listening");
    // A program that speaks IPv6 is shown by its IPv6 address.
    for (const host of ["127.0.0.1", "::ffff:127.0.0.1"]) {
      const socket = connect((server.address() as AddressInfo).port, host);
      const [ours] = await (host === "127.0.0.1" ? connected : once(server, "connection"));
      const expected = process.platform === "linux" ? process.getuid?.() : undefined;
      expect(ownerOfPeer(ours)).toBe(expected);
      socket.destroy();
    }
    server.close();
  });

  const LOOPBACK = "0100007F";
  const MAPPED = "0000000000000000FFFF00000100007F";
  const ends = { remoteAddress: "127.0.0.1", remotePort: 0xabcd, localAddress: "127.0.0.1", localPort: 0x1234 };
  const row = (from: string, to: string, { state = "01", inode = 7 } = {}) =>
    `   0: ${from} ${to} ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0 20 4 30 10 -1`;
  const tableTest = endianness() === "LE" ? test : test.skip;
  tableTest.each([
    ["the connection", row(`${LOOPBACK}:ABCD`, `${LOOPBACK}:1234`), 1000],
    ["the connection, mapped into IPv6", row(`${MAPPED}:ABCD`, `${MAPPED}:1234`), 1000],
    ["the same port at another address", row("0200007F:ABCD", `${LOOPBACK}:1234`), undefined],
    ["the same end of another connection", row(`${LOOPBACK}:ABCD`, `${LOOPBACK}:1235`), undefined],
    ["the plugin's own end", row(`${LOOPBACK}:1234`, `${LOOPBACK}:ABCD`), undefined],
    ["one that listens", row(`${LOOPBACK}:ABCD`, "00000000:0000", { state: "0A" }), undefined],
    ["one that is over", row(`${LOOPBACK}:ABCD`, `${LOOPBACK}:1234`, { state: "06", inode: 0 }), undefined],
    ["one that its process closed", row(`${LOOPBACK}:ABCD`, `${LOOPBACK}:1234`, { state: "05", inode: 0 }), undefined],
    ["one without a process", row(`${LOOPBACK}:ABCD`, `${LOOPBACK}:1234`, { inode: 0 }), undefined],
    ["nothing", "", undefined],
  ])("reads in the kernel's table %s", (_, line, owner) =>
    expect(ownerIn(`  sl  local_address rem_address   st\n${line}\n`, ends)).toBe(owner),
  );

  asAnother.each([
    ["a process of its own user", "127.0.0.1", {}, "answered"],
    ["another user's", "127.0.0.1", isSomebodyElse, "closed"],
    ["another user's, at another address, with the port of its own user's", "127.0.0.2", isSomebodyElse, "closed"],
  ])("has for %s: %s", async (_, from, who, outcome) => {
    const socket = connect(plugin.port, "127.0.0.1");
    await once(socket, "connect");
    const port = from === "127.0.0.1" ? 0 : socket.localPort;
    const child = spawn(process.execPath, ["-e", CALLER, String(plugin.port), from, String(port)], who);
    expect(await text(child.stdout)).toBe(outcome);
    socket.destroy();
  });
});

describe("what makes components for other languages", () => {
  let host: ChildProcessWithoutNullStreams;
  let port: string;
  beforeAll(async () => {
    host = spawn(process.execPath, [join(checkout, "dist/sdk/componentHost.js"), "127.0.0.1:1"]);
    [port] = await once(createInterface(host.stdout), "line");
  });
  afterAll(async () => {
    host.stdin.end();
    expect(await once(host, "exit")).toEqual([0, null]);
  });

  asAnother.each([
    ["a process of its own user", "answered", {}],
    ["another user's", "closed", isSomebodyElse],
  ])("has for %s: %s", async (_, outcome, who) => {
    const child = spawn(process.execPath, ["-e", CALLER, port, "127.0.0.1", "0"], who);
    expect(await text(child.stdout)).toBe(outcome);
  });
});

describe("Pulumi's process for dynamic resources", () => {
  const stack = stackForAll(() => ({ program: "", emulator }));

  // finds mutant dynamic-host-for-all
  asAnother.each(["another user"])("runs no code of %s, and goes on", async () => {
    const trace = join(stack.folder, "trace");
    const code = `require("node:fs").writeFileSync(${JSON.stringify(trace)}, ""); return {};`;
    const values = Struct.fromJavaScript({ __provider: `exports.handler = () => { ${code} }` });
    const check = Buffer.from(new CheckRequest().setOlds(values).setNews(values).serializeBinary());
    const callers = [isSomebodyElse, {}].map((who) => ({
      who,
      args: ["-e", CALLER, "PORT", "127.0.0.1", "0", "Check", check.toString("base64")],
    }));
    await stack.edit(`
      const { spawnSync } = require("node:child_process");
      const { existsSync, readFileSync, readdirSync, readlinkSync } = require("node:fs");
      const { NetworkVolume } = require("pulumi-computecloud");

      function portOfHost() {
        const read = (file) => { try { return readFileSync(file, "utf8"); } catch { return ""; } };
        const pids = readdirSync("/proc").filter((pid) => /dynamic-provider/.test(read("/proc/" + pid + "/cmdline")));
        const pid = pids.find((pid) => readlinkSync("/proc/" + pid + "/cwd") === process.cwd());
        const open = readdirSync("/proc/" + pid + "/fd").map((fd) => {
          try { return readlinkSync("/proc/" + pid + "/fd/" + fd); } catch { return ""; }
        });
        const rows = read("/proc/net/tcp").split("\\n").map((row) => row.trim().split(/\\s+/));
        const [, local] = rows.find(([,,, state,,,,,, inode]) => state === "0A" && open.includes("socket:[" + inode + "]"));
        return String(parseInt(local.split(":")[1], 16));
      }

      const first = new NetworkVolume("first", { size: 10, dataCenter: "EU-RO-1" });
      exports.calls = first.id.apply(() => ${JSON.stringify(callers)}.map(({ who, args }) => {
        const { stdout } = spawnSync(${JSON.stringify(process.execPath)}, args.map((arg) => arg === "PORT" ? portOfHost() : arg), who);
        return [String(stdout), existsSync(${JSON.stringify(trace)})];
      }));
      const size = exports.calls.apply(() => 20);
      new NetworkVolume("second", { size, dataCenter: "EU-RO-1" });
    `);
    expect((await stack.up()).changes).toEqual({ create: 2 });
    expect(await stack.outputs()).toEqual({
      calls: [
        ["closed", false],
        ["answered", true],
      ],
    });
  });
});

/** Asks for the version, or as it is told, from an address and port of its choice. */
const CALLER = `
  const [port, localAddress, localPort, method = "GetPluginInfo", sent = ""] = process.argv.slice(1);
  const message = Buffer.from(sent, "base64");
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  const socket = require("node:net").connect({ port: +port, host: "127.0.0.1", localAddress, localPort: +localPort });
  const session = require("node:http2").connect("http://127.0.0.1", { createConnection: () => socket });
  const say = (what) => process.stdout.write(what, () => process.exit());
  session.on("error", () => {}).on("close", () => say("closed"));
  const headers = { ":method": "POST", ":path": "/pulumirpc.ResourceProvider/" + method, te: "trailers", "content-type": "application/grpc" };
  const stream = session.request(headers);
  stream.on("error", () => {}).on("data", () => say("answered"));
  stream.end(Buffer.concat([head, message]));
`;

describe("values of environment variables", () => {
  let endpointId: string;
  beforeAll(async () => {
    await service.create("/v2/templates", { ...template("chat"), env: { TOKEN, key: TOKEN, value: "1" } });
    await service.create("/v2/pods", { ...pod("a"), env: { TOKEN } });
    endpointId = await service.create("/v2/serverless", { ...endpoint("chat"), env: { TOKEN: "hf_before" } });
    await service.rest("PATCH", `/v2/serverless/${endpointId}`, { env: { TOKEN } });
  });

  // finds mutant functions-show-secrets
  test.each([
    ["getTemplates", () => ({})],
    ["getPods", () => ({})],
    ["getServerlessEndpoints", () => ({})],
    ["getServerlessEndpoint", () => ({ id: endpointId })],
    ["getEndpointReleases", () => ({ id: endpointId })],
  ])("are hidden by %s, names shown, unless asked for: then the answer is a secret", async (name, args) => {
    const { values } = await plugin.invoke(name, args());
    expect(JSON.stringify(values)).toMatch(/"TOKEN":"\[secret\]"/);
    expect(JSON.stringify(values)).not.toContain("hf_");

    const revealed = await plugin.invoke(name, { ...args(), showSecrets: true });
    expect(JSON.stringify(revealed.values)).toContain(TOKEN);
    for (const value of Object.values(revealed.values))
      expect(value).toMatchObject({ [SIGNATURE]: expect.any(String) });
  });
});

test("a mistake in a secret argument is told without its value", async () => {
  const gpu = { id: secret("NVIDIA Secret 9000") };
  const { failures } = await plugin.invoke("estimateCost", { pod: { gpu } });
  expect(failures).toEqual([
    { property: "pod.gpu.id", reason: expect.stringMatching(/^"\[secret\]" is not a GPU type/) },
  ]);

  const refused = plugin.invoke("getPod", { id: secret("pod-of-somebody") });
  await expect(refused).rejects.toMatchObject({ code: status.NOT_FOUND });
  await expect(refused).rejects.not.toThrow("pod-of-somebody");
});
