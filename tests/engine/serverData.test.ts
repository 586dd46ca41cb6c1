/*
 * What a server says is data. The engine marks special values by a key and by texts. A server that sends them must get none
 * of what they mean: no address fetched, no value that stays unknown, no state that can't be written.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { emulatorForAll } from "../harness/account";
import { stackForAll } from "../harness/scenario";
import { type Served, serve } from "../harness/serve";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const nested = (levels: number) => `${'{"a":['.repeat(levels)}7${"]}".repeat(levels)}`;
const fetched: string[] = [];

/** By path: what the server sends, and how a state may hold it. */
const asset = () => ({ [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17", uri: `${server.address}/fetched`, hash: "" });
const ANSWERS: Readonly<Record<string, { readonly text: () => string; readonly state: () => unknown }>> = {
  asset: {
    text: () => JSON.stringify({ list: [asset()] }),
    state: () => ({ list: [{ [`"${SIGNATURE}"`]: asset()[SIGNATURE], uri: asset().uri, hash: "" }] }),
  },
  brokenAsset: {
    text: () => JSON.stringify({ ...asset(), hash: "x" }),
    state: () => ({ [`"${SIGNATURE}"`]: asset()[SIGNATURE], uri: asset().uri, hash: "x" }),
  },
  secret: {
    text: () => JSON.stringify({ [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" }),
    state: () => ({ [`"${SIGNATURE}"`]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" }),
  },
  unknown: { text: () => JSON.stringify([UNKNOWN]), state: () => [`"${UNKNOWN}"`] },
  surrogate: { text: () => '{"a":"\\ud800x","\\udc00":1}', state: () => ({ a: '"\\ud800x"', '"\\udc00"': 1 }) },
  infinite: { text: () => "[1e999]", state: () => ["Infinity"] },
  deep: { text: () => nested(6_000), state: () => JSON.parse(nested(15).replace("7", JSON.stringify(nested(5_985)))) },
};

let server: Served;
beforeAll(async () => {
  server = await serve(({ url = "" }, response) => {
    const answer = ANSWERS[url.slice(1)];
    if (answer === undefined) fetched.push(url);
    response.end(answer?.text() ?? "");
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const { emulator, service } = emulatorForAll();
const stack = stackForAll(() => ({
  emulator,
  program: `
    const pulumi = require("@pulumi/pulumi");
    const { getRegistries, Provider, ServerlessContainer, SmokeJob, SmokeRequest, Template } = require("pulumi-computecloud");
    const provider = new Provider("cloud");
    const answers = (host, options) => Object.fromEntries(${JSON.stringify(Object.keys(ANSWERS))}.map((path) =>
      [path, new SmokeRequest(host + path, { url: "${server.address}/" + path }, options).answer]));
    const job = (host, options) => {
      const endpoint = new ServerlessContainer(host, {
        type: "QUEUE", image: "emulator/echo:1", cpu: [{ id: "cpu3c", vcpuCount: 2 }],
        scaling: { type: "REQUEST_COUNT", requestCount: 1 },
      }, options);
      return new SmokeJob(host + "job", { endpoint, input: ${JSON.stringify(asset())} }, options).output;
    };
    new Template("drifts", { image: "acme/a:1", env: { A: "1" } });
    new Template("driftsToo", { image: "acme/a:1", env: { A: "1" } }, { provider });
    exports.hosts = pulumi.output([answers("dynamic", {}), answers("native", { provider })]);
    exports.jobs = pulumi.output([job("dynamic", {}), job("native", { provider })]);
    exports.registries = getRegistries({}).then(({ registries }) => registries.map(({ name }) => name));
  `,
}));

// finds mutant server-data-believed
test("stays what the server said, on both hosts, and sends nobody anywhere", async () => {
  await service.create("/v2/registries", { name: UNKNOWN, username: "ci", password: "hunter2" });
  await stack.up();
  const answers = Object.fromEntries(Object.entries(ANSWERS).map(([path, { state }]) => [path, state()]));
  const echoed = { [`"${SIGNATURE}"`]: asset()[SIGNATURE], uri: asset().uri, hash: "" };
  expect(await stack.outputs()).toEqual({
    hosts: [answers, answers],
    jobs: [echoed, echoed],
    registries: [`"${UNKNOWN}"`],
  });
  expect((await stack.up()).changes).toEqual({ same: expect.any(Number) });

  const env = { A: "1", [SIGNATURE]: asset()[SIGNATURE], uri: asset().uri };
  for (const { id } of (await service.state()).templates) await service.rest("PATCH", `/v2/templates/${id}`, { env });
  for (let times = 0; times < 2; times += 1) await stack.refresh();
  await stack.up();
  expect(fetched).toEqual([]);
});
