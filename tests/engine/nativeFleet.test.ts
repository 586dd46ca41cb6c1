// @long: a life of its own: a native fleet.
/* A fleet that the plugin makes, through its life on a real engine: one stack, one step after another. */
import { expect, test } from "@jest/globals";
import { emulatorForAll, stackForAll } from "../harness/forAll";
import { said } from "../harness/scenario";

const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true, workerQuota: 100 } });
const stack = stackForAll(() => ({ program: single, emulator }));

const shared = `
  const { Provider, ServerlessEndpoint, ServerlessFleet, Template } = require("pulumi-computecloud");
  const options = { provider: new Provider("cloud") };
  const template = new Template("shared", { image: "emulator/echo:1", serverless: true }, options);
  const defaults = { template, gpuIds: "ADA_24", workersMax: 1 };
`;
const single = `${shared}
  exports.ids = { chat: new ServerlessEndpoint("chat", defaults, options).id };`;

/** Members by what they say besides the defaults. */
const fleet = (endpoints: Record<string, object>) => `${shared}
  const fleet = new ServerlessFleet("models", { defaults, endpoints: ${JSON.stringify(endpoints)} }, options);
  exports.ids = fleet.ids;
  exports.revisions = fleet.revisions;`;

const own = { image: "emulator/echo:1", env: { MODE: "a" } };
const ids = async () => (await stack.outputs()).ids as Record<string, string>;
const live = async () => (await service.state()).endpoints.map(({ id }) => id).sort();
/** The writes of one step. */
async function writesOf(step: () => Promise<unknown>): Promise<string[]> {
  await service.forgetCalls();
  await step();
  const writes = (await service.log()).filter(({ method, operation }) => method !== "GET" && operation !== "myself");
  return writes.map(({ operation }) => operation ?? "");
}

let chat: string;

test("takes a single endpoint over, and keeps what was made when a member fails", async () => {
  await stack.up();
  chat = (await ids()).chat ?? "";
  const greedy = { workersMax: 1_000 };
  await stack.edit(fleet({ chat: { adoptId: chat }, embed: own, greedy, rank: {} }));
  const failed = await stack.up({ fails: true });
  expect(said(failed)).toMatch(/endpoints\.greedy: .*worker quota exceeded/);
  expect(await live()).toHaveLength(3);
});

test("makes the one that failed in the next run, which forgets the single endpoint and doesn't delete it", async () => {
  await stack.edit(fleet({ chat: { adoptId: chat }, embed: own, greedy: {}, rank: {} }));
  const writes = await writesOf(async () => {
    expect(said(await stack.up())).toContain(`ServerlessEndpoint "${chat}" is not deleted`);
  });
  expect(writes).toEqual(["saveEndpoint"]);
  const made = await ids();
  expect(made).toMatchObject({ chat, embed: expect.any(String), greedy: expect.any(String), rank: expect.any(String) });
  expect(await live()).toEqual(Object.values(made).sort());
});

test("shows drift at the member's path, and changes, renames and removes members in one update", async () => {
  const before = await ids();
  await service.rest("PATCH", `/v2/serverless/${before.rank}`, { workers: { min: 0, max: 9, idleTimeout: 10 } });
  await stack.refresh();
  await stack.edit(fleet({ chat: { idleTimeout: 60 }, vectors: { ...own, adoptId: before.embed }, rank: {} }));
  const preview = await stack.preview({ args: ["--diff"] });
  expect(preview.stdout).toMatch(/~ rank *: \{[^}]*~ workersMax *: 9 => 1/);
  for (const told of [
    "endpoints.rank: workersMax 9 -> 1",
    "endpoints.chat: idleTimeout 10 -> 60",
    "endpoints.vectors: was endpoints.embed",
    "endpoints.greedy: is no longer a member",
  ])
    expect(said(preview)).toContain(told);
  const writes = await writesOf(() => stack.up());
  // Two are changed; one is scaled to 0 and deleted.
  expect([...new Set(writes)].sort()).toEqual(["saveEndpoint", "saveEndpoint+deleteEndpoint"]);
  expect(await ids()).toEqual({ chat, vectors: before.embed, rank: before.rank });
  expect((await stack.outputs()).revisions).toEqual({ chat: 2, vectors: 1, rank: 2 });
  expect((await stack.up()).changes).toEqual({ same: 2 });
});

test("is destroyed with nothing left", async () => {
  await stack.destroy();
  expect(await service.isEmpty()).toBe(true);
});
