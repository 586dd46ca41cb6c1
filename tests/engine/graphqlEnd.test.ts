// @long: a life of its own: endpoints without GraphQL.
/* Resources of both hosts outlive GraphQL, on a real engine: nothing is replaced, nothing is lost, and destroy empties the account. */
import { beforeEach, expect, test } from "@jest/globals";
import { emulatorForAll } from "../harness/account";
import { said, stackForAll } from "../harness/scenario";

const DAY_MS = 86_400_000;

const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true, workerQuota: 1_000_000 } });
beforeEach(() => service.settings({ graphqlEndsAt: null }));

const endsIn = (ms: number) => service.settings({ graphqlEndsAt: new Date(Date.now() + ms).toISOString() });
const live = async () => (await service.state()).endpoints;
/** The calls of a step, by interface. */
async function during(step: () => Promise<unknown>): Promise<{ graphql: string[]; writes: string[] }> {
  await service.forgetCalls();
  await step();
  const log = await service.log();
  return {
    graphql: log.filter((call) => call.interface === "graphql").map(({ operation }) => operation),
    writes: log
      .filter(({ interface: to, method }) => to === "rest" && method !== "GET")
      .map(({ operation }) => operation),
  };
}

/** On each host a fleet of 50, with a single endpoint beside it. */
const program = ({ image = "emulator/echo:1", max = 1, locations = "RO" } = {}) => `
  const { Provider, ServerlessEndpoint, ServerlessFleet, Template } = require("pulumi-computecloud");
  for (const [host, options] of Object.entries({ dynamic: {}, native: { provider: new Provider("cloud") } })) {
    const template = new Template(host + "-shared", { image: "${image}", serverless: true }, options);
    const defaults = { template, gpuIds: "ADA_24,AMPERE_16", workersMax: ${max} };
    const members = Object.fromEntries(Array.from({ length: 49 }, (_, index) => ["m" + index, {}]));
    const own = { image: "${image}", env: { MODE: "a" } };
    new ServerlessFleet(host + "-models", { defaults, endpoints: { ...members, own } }, options);
    new ServerlessEndpoint(host + "-chat", { ...defaults, locations: "${locations}" }, options);
  }`;

const stack = stackForAll(() => ({ program: program(), emulator }));
const idsOf = async () => (await live()).map(({ id }) => id).sort();

test("a stack lives on where GraphQL ends between two runs, and in the middle of one", async () => {
  const first = await stack.up();
  for (const host of ["dynamic", "native"])
    expect(said(first)).toMatch(
      new RegExp(`ServerlessEndpoint "${host}-chat-\\w+" needs GraphQL, which the service ends early in 2027`),
    );
  const ids = await idsOf();
  expect(ids).toHaveLength(2 * 51);

  // In the middle of an `up`: of each host's three documents of saves, one at least meets the end.
  await stack.edit(program({ max: 2 }));
  await service.fault({ match: { operation: "saveEndpoint", nth: 3, times: 1_000 }, act: { status: 410 } });
  const middle = await during(async () => {
    const update = await stack.up();
    expect(update.changes).toEqual({ same: 2, update: 4 });
    expect(said(update).match(/GraphQL has ended: serverless endpoints are managed through REST/g)).toHaveLength(2);
  });
  expect(middle.graphql).toContain("saveEndpoint");
  expect(middle.writes).toContain("updateEndpoint");
  expect((await live()).map(({ workers }) => (workers as { max: number }).max)).toEqual(ids.map(() => 2));

  await service.clearFaults();
  await endsIn(-DAY_MS);
  const calm = await during(async () => {
    expect((await stack.refresh()).changes).toEqual({ same: 6 });
    expect((await stack.up()).changes).toEqual({ same: 6 });
  });
  // The run before has noted it.
  expect(calm).toEqual({ graphql: [], writes: [] });
  expect(await idsOf()).toEqual(ids);
});

test("a stack follows its templates over REST, and is refused other countries in the preview", async () => {
  const ids = await idsOf();
  await stack.edit(program({ max: 2, locations: "US" }));
  expect(said(await stack.preview({ fails: true }))).toMatch(
    /locations.*names countries \(US\), which only GraphQL has/,
  );
  await stack.edit(program({ max: 2, image: "emulator/echo:2", locations: "EU-RO-1" }));
  const followed = await during(() => stack.up());
  expect(followed.graphql).toEqual([]);
  expect((await live()).map(({ image }) => image)).toEqual(ids.map(() => "emulator/echo:2"));
  expect(await idsOf()).toEqual(ids);
  await stack.refresh();
  expect((await stack.up()).changes).toEqual({ same: 6 });
});

test("a stack is destroyed over REST with nothing left", async () => {
  const gone = await during(async () => {
    expect(said(await stack.destroy())).not.toContain("was not found");
  });
  expect(gone.graphql).toEqual([]);
  expect(gone.writes.filter((call) => call === "deleteEndpoint")).toHaveLength(2 * 51);
  expect(await service.isEmpty()).toBe(true);
});
