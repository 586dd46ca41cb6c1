/* A fleet on a real engine: one stack through its life. */
import { describe, expect, test } from "@jest/globals";
import { emulatorForAll } from "../harness/account";
import { leavesNothing, stackForAll, staysUnchanged } from "../harness/scenario";

const TOKEN = "hunter2-fleet";

const { emulator, service } = emulatorForAll({ settings: { workerQuota: 1_000_000 } });

const live = async () => (await service.state()).endpoints;

describe("a fleet", () => {
  /** Many that share a template, and two that stand apart. */
  const program = ({ count = 40, chat = {} } = {}) => `
    const pulumi = require("@pulumi/pulumi");
    const { ServerlessFleet, SmokeJob, Template } = require("pulumi-computecloud");
    const template = new Template("shared", { image: "emulator/echo:1", serverless: true });
    const members = Object.fromEntries(Array.from({ length: ${count} }, (_, index) => ["m" + index, { template }]));
    const fleet = new ServerlessFleet("models", {
      defaults: { gpuIds: "ADA_24", workersMax: 1, env: { TOKEN: ${JSON.stringify(TOKEN)} } },
      endpoints: {
        ...members,
        chat: { image: "emulator/echo:1", env: { MODE: pulumi.output("a"), TOKEN: undefined }, ...${JSON.stringify(chat)} },
      },
    });
    const smoke = new SmokeJob("smoke", { endpoint: fleet.endpoint("chat"), input: { prompt: "hi" } });
    exports.ids = fleet.ids;
    exports.chat = { id: fleet.endpoint("chat").id, run: fleet.endpoint("chat").requestUrls.run };
    exports.revisions = fleet.revisions;
    exports.job = smoke.jobId;
  `;

  const stack = stackForAll(() => ({ program: program(), emulator }));

  test("is previewed without a write, and made with few calls", async () => {
    expect((await stack.preview()).changes).toEqual({ create: 3 });
    expect(await service.writes()).toEqual([]);
    await service.forgetCalls();
    expect((await stack.up()).changes).toEqual({ create: 3 });
    expect(await service.count("saveEndpoint")).toBe(2);
    expect(await live()).toHaveLength(41);
    const { chat, ids } = await stack.outputs();
    expect(Object.keys(ids as object)).toHaveLength(41);
    const { id, run } = chat as { id: string; run: string };
    expect(run).toBe(`${emulator.serverlessUrl}/v2/${id}/run`);
  });

  test("gives its members, encrypted in the state, the defaults that they leave out", async () => {
    expect(await stack.stateText()).not.toContain(TOKEN);
    const templates = (await service.state()).templates.map(({ env }) => env);
    expect(templates).toContainEqual({ MODE: "a", TOKEN });
  });

  test("is unchanged by a second up and by a refresh", async () => {
    await staysUnchanged(stack, service);
    expect((await stack.refresh()).changes).toEqual({ same: 3 });
    expect((await service.log()).length).toBeLessThanOrEqual(6);
    expect(await service.writes()).toEqual([]);
  });

  test("runs a member's smoke job again when that member was changed, and only then", async () => {
    const before = await stack.outputs();
    await stack.edit(program({ count: 41 }));
    await stack.up();
    expect(await stack.outputs()).toMatchObject({ job: before.job, chat: before.chat });
    await stack.edit(program({ count: 41, chat: { idleTimeout: 60 } }));
    await stack.up();
    const after = await stack.outputs();
    expect(after.job).not.toBe(before.job);
    expect(after).toMatchObject({ chat: before.chat, revisions: { chat: 2, m0: 1, m40: 1 } });
  });

  test("is destroyed with nothing left", () => leavesNothing(stack, service));
});
