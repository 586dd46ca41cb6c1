/*
 * Secrets nested in other arguments, and those of a half-made state. A dynamic host gets values without the engine's marks, and the engine encrypts what a refresh
 * reads only where the recorded arguments were secret. After an update that failed in part these are still the earlier ones.
 */
import { expect, test } from "@jest/globals";
import { emulatorForAll } from "../harness/account";
import { stackForAll } from "../harness/scenario";

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHunter hunter@example.com";
const A = { A: "1" };
const TOKENS = { ...A, TOKEN: "$secret:hunter-token", PLAIN: "hunter-plain" };

const program = (image: string, env: object, args: object, members: object) => `
  const pulumi = require("@pulumi/pulumi");
  const { Pod, ServerlessFleet, SshKeys } = require("pulumi-computecloud");
  const secrets = (env) => Object.fromEntries(Object.entries(env).map(([key, value]) =>
    [key, value.startsWith("$secret:") ? pulumi.secret(value.slice(8)) : value]));
  new SshKeys("keys", { keys: pulumi.secret([${JSON.stringify(KEY)}]) });
  new Pod("pod", {
    image: ${JSON.stringify(image)}, gpu: { id: "NVIDIA L4" }, env: secrets(${JSON.stringify(env)}),
    ...${JSON.stringify(args)}.args && { args: pulumi.secret("hunter-args") },
  });
  const members = Object.entries(${JSON.stringify(members)}).map(([name, env]) => [name, { env: secrets(env) }]);
  new ServerlessFleet("fleet", {
    defaults: { image: "example.com/a:1", gpuIds: "ADA_24", workersMax: 1 }, endpoints: Object.fromEntries(members),
  });
`;

const servers = { "acme/api:1": () => new Response("ok") };
const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true }, servers });
const stack = stackForAll(() => ({ program: program("example.com/a:1", A, {}, { chat: A }), emulator }));

const secretsIn = async () =>
  [...(await stack.written())].filter(([, text]) => text.includes("hunter")).map(([at]) => at);

// finds mutant half-made-secrets-recorded
test("a refresh after an update that failed in part records none in clear", async () => {
  await stack.up();
  await stack.refresh();
  expect(await secretsIn()).toEqual([]);

  await stack.edit(
    program("example.com/a:does-not-exist", TOKENS, { args: true }, { chat: TOKENS, code: TOKENS, last: A }),
  );
  await service.fault({ match: { operation: "saveEndpoint", nth: 3, times: 1000 }, act: { status: 400 } });
  await stack.up({ fails: true, args: ["--continue-on-error"] });
  expect(JSON.stringify(await service.state())).toContain("hunter-plain");
  await service.clearFaults();
  for (let times = 0; times < 2; times += 1) {
    await stack.refresh();
    expect(await secretsIn()).toEqual([]);
  }

  await stack.edit(program("example.com/a:2", TOKENS, { args: true }, { chat: TOKENS, code: TOKENS, last: A }));
  await stack.up();
  await stack.refresh();
  expect(await secretsIn()).toEqual([]);
  expect((await stack.preview()).changes).toEqual({ same: 3 });

  // No argument holds what somebody adds.
  const { templates } = await service.state();
  for (const { id, env } of templates)
    await service.rest("PATCH", `/v2/templates/${id}`, { env: { ...Object(env), ADDED: "hunter-of-someone" } });
  await stack.refresh();
  expect(await secretsIn()).toEqual([]);
});

// finds mutant nested-secrets-in-clear
test("a header is encrypted in an argument that is one text, on both hosts and in a component's resources", async () => {
  await stack.edit(`
    const pulumi = require("@pulumi/pulumi");
    const { GatedEndpoint, Provider, ServerlessContainer } = require("pulumi-computecloud");
    const endpoint = {
      type: "LOAD_BALANCER", image: "acme/api:1", gpu: { pools: ["AMPERE_24"] },
      scaling: { type: "REQUEST_COUNT", requestCount: 1 },
    };
    const request = { path: "/open", headers: { "x-token": "hunter-header" } };
    for (const [host, options] of Object.entries({ dynamic: {}, native: { provider: new Provider("cloud") } })) {
      new ServerlessContainer(host, { ...endpoint, verify: { request } }, options);
      new ServerlessContainer(host + "-later", { ...endpoint, verify: pulumi.output(Promise.resolve({ request })) }, options);
      new ServerlessContainer(host + "-open", { ...endpoint, verify: { request: { path: "/open" } } }, options);
      new GatedEndpoint(host + "-gated", { ...endpoint, gate: { request }, verify: true }, options);
    }
  `);
  await stack.preview();
  await stack.up();
  await stack.refresh();
  expect(await secretsIn()).toEqual([]);
  expect(await stack.stateText()).toContain(JSON.stringify(JSON.stringify({ request: { path: "/open" } })));
});
