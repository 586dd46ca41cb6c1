/* What the plugin keeps to itself: the account's key, credentials in answers, secret arguments. Spoken to over gRPC. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { credentials, ServerCredentials, status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ownerOfPeer, remembered } from "../../provider/engine/plugin/peer";
import { pluginServer } from "../../provider/engine/plugin/server";
import { serviceThat } from "../cli/hostileService";
import { type Emulator, startEmulator } from "../emulator";
import { Control } from "../harness/control";
import { Plugin, secret } from "./startPlugin";

const [SIGNATURE = ""] = Object.keys(secret(""));
const TOKEN = "hf_0123456789";

let emulator: Emulator;
let service: Control;
let plugin: Plugin;
beforeAll(async () => {
  emulator = await startEmulator({ settings: { rateLimitExempt: true } });
  service = new Control(emulator);
  plugin = await Plugin.start();
  await plugin.configure(settings());
});
afterAll(async () => {
  await plugin?.stop();
  await emulator?.stop();
});

const settings = () => ({
  apiKey: secret(emulator.apiKey),
  baseUrl: emulator.baseUrl,
  serverlessUrl: emulator.serverlessUrl,
  graphqlUrl: emulator.graphqlUrl,
});

describe("a configured plugin", () => {
  test("is pointed nowhere else, and sends nothing there", async () => {
    const asked: string[] = [];
    await using elsewhere = await serviceThat((request, response) => {
      asked.push(request.headers.authorization ?? "");
      response.end("{}");
    });
    for (const changed of [{ baseUrl: elsewhere.address }, { apiKey: secret("another-key") }, { retryTimeout: "1s" }]) {
      await expect(plugin.configure({ ...settings(), ...changed })).rejects.toMatchObject({
        code: status.FAILED_PRECONDITION,
        details: expect.stringContaining("configured already"),
      });
    }
    await plugin.configure(settings());
    expect((await plugin.invoke("getRegistries", { __fresh: true })).values).toMatchObject({ registries: [] });
    expect(asked).toEqual([]);
  });

  test("answers processes of its own user only", async () => {
    const server = pluginServer(() => 65_000);
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const code = await new Promise((resolve) => client.getPluginInfo(new Empty(), (error) => resolve(error?.code)));
    expect(code).toBe(status.PERMISSION_DENIED);
    client.close();
    server.forceShutdown();
  });

  test("knows the user at the other end of a connection, where the kernel tells", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    await once(socket, "connect");
    const expected = process.platform === "linux" ? process.getuid?.() : undefined;
    expect(ownerOfPeer(`127.0.0.1:${socket.localPort}`)).toBe(expected);
    socket.destroy();
    server.close();
  });

  test("is looked at once for many calls on one connection, and anew for another one", () => {
    const looks: string[] = [];
    const ownerOf = remembered((peer) => {
      looks.push(peer);
      return peer.endsWith("3") ? undefined : Number(peer.at(-1));
    });
    const calls = ["127.0.0.1:1", "127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:2", "127.0.0.1:1"];
    expect(calls.map(ownerOf)).toEqual([1, 1, 2, 2, 1]);
    expect(looks).toEqual(["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:1"]);
    // Nobody is known to own it: that may change any moment.
    expect([ownerOf("127.0.0.1:3"), ownerOf("127.0.0.1:3"), looks.length]).toEqual([undefined, undefined, 5]);
  });
});

describe("values of environment variables", () => {
  let endpointId: string;
  beforeAll(async () => {
    const image = "registry.example.com/a:1";
    await service.rest("POST", "/v2/templates", { name: "chat", image, disk: 5, env: { TOKEN } });
    await service.rest("POST", "/v2/pods", { name: "a", image, gpu: { id: "NVIDIA L4" }, env: { TOKEN } });
    const body = { name: "chat", type: "QUEUE", image, gpu: { pools: ["ADA_24"] }, env: { TOKEN: "hf_before" } };
    const endpoint = await service.rest("POST", "/v2/serverless", {
      ...body,
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    });
    endpointId = (endpoint as { id: string }).id;
    await service.rest("PATCH", `/v2/serverless/${endpointId}`, { env: { TOKEN } });
  });

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

    const asked = await plugin.invoke(name, { ...args(), showSecrets: true });
    expect(JSON.stringify(asked.values)).toContain(TOKEN);
    for (const value of Object.values(asked.values)) expect(value).toMatchObject({ [SIGNATURE]: expect.any(String) });
  });
});

test("a mistake in a secret argument is told without its value", async () => {
  const gpu = { id: secret("NVIDIA Secret 9000") };
  const { failures } = await plugin.invoke("estimateCost", { pod: { gpu } });
  expect(failures).toEqual([{ property: "pod.gpu.id", reason: expect.stringMatching(/^"\[secret\]" is no GPU type/) }]);

  const refused = plugin.invoke("getPod", { id: secret("pod-of-somebody") });
  await expect(refused).rejects.toMatchObject({ code: status.NOT_FOUND });
  await expect(refused).rejects.not.toThrow("pod-of-somebody");
});
