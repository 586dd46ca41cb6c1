// @long: ten commands on both hosts; secretsInStates and native.test.ts show the same of arguments.
import { expect, test } from "@jest/globals";
import { newStack, type Stack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";

const TOKEN = "hunter2-fleet";

const { emulator, service } = emulatorForAll({ settings: { workerQuota: 1_000_000 } });
const live = async () => (await service.state()).endpoints;

const hosts = ["dynamic", "native"] as const;
/** A fleet on each host. */
const program = (members: readonly string[]) => `
  const pulumi = require("@pulumi/pulumi");
  const { Provider, ServerlessFleet } = require("pulumi-computecloud");
  const env = { TOKEN: ${JSON.stringify(TOKEN)} };
  const endpoints = Object.fromEntries(${JSON.stringify(members)}.map((name) => [name, { image: "emulator/echo:1", env }]));
  endpoints.chat.args = pulumi.secret("--key hunter2-of-chat");
  const defaults = { gpuIds: "ADA_24", args: pulumi.secret("--key hunter2-of-all") };
  const fleet = (name, options) => new ServerlessFleet(name, { defaults, endpoints }, options).templateIds;
  exports.dynamic = fleet("dynamic", {});
  exports.native = fleet("native", { provider: new Provider("cloud") });`;

const written = async (stack: Stack) => [...(await stack.written()).values()].join("\n");

test("a secret that no argument of a fleet holds is written nowhere: one that someone added, and that of a member which could not be deleted", async () => {
  await using stack = await newStack({ program: program(["chat", "code"]), emulator });
  await stack.up();
  const args = (await service.state()).templates.map(({ args }) => args);
  expect(args.sort()).toEqual(["all", "all", "chat", "chat"].map((whose) => `--key hunter2-of-${whose}`));
  const templateIds = (await stack.outputs()) as Record<string, { chat: string }>;
  for (const host of hosts)
    await service.rest("PATCH", `/v2/templates/${templateIds[host]?.chat}`, {
      env: { TOKEN, ADDED: "hunter2-of-someone" },
    });
  await stack.refresh();
  await stack.up();
  expect(await written(stack)).not.toContain("hunter2");

  await service.fault({ match: { operation: "deleteEndpoint", times: 1_000 }, act: { status: 400 } });
  await stack.edit(program(["chat"]));
  await stack.up({ fails: true, args: ["--continue-on-error"] });
  await stack.refresh();
  expect(await live()).toHaveLength(4);
  expect(await written(stack)).not.toContain("hunter2");

  // It comes back as it was, although the state has forgotten its variables.
  await service.clearFaults();
  await stack.edit(program(["chat", "code"]));
  await stack.up();
  expect(await stack.outputs()).toEqual(templateIds);
  expect((await stack.up()).changes).not.toHaveProperty("update");
  await stack.destroy();
  expect(await written(stack)).not.toContain("hunter2");
  expect(await service.isEmpty()).toBe(true);
});
