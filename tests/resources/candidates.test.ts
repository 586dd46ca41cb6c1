import { expect, test } from "@jest/globals";
import { BadRequestError, PermissionError, ServiceError } from "../../client";
import { atCommit } from "../../emulator/graphql/draft";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { candidates, createWithFirst } from "../../provider/resources/pods/candidates";
import { sameModels } from "../../provider/resources/serverless/endpointArguments";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import { emulatorForAll } from "../harness/account";
import { contextOf, createResource, NOWHERE, up } from "../harness/context";
import { impatient } from "../harness/place";

const PLACES = candidates(["L4", "L40"], ["EU-RO-1", "US-KS-2"]);
const noRoom = () => new BadRequestError("no room", { status: 400, detail: "no instances" });

/** Tries all places, each of which answers with the error that is given for it; the first without one is taken. */
async function tried(errors: readonly Error[], places = PLACES, waiting = {}, clock = impatient()) {
  const tries: string[] = [];
  const outcome = await createWithFirst(
    contextOf(NOWHERE, { clock }),
    { subject: "Pod", ...waiting },
    places,
    async ({ gpuTypeId, dataCenterId }) => {
      tries.push([gpuTypeId, dataCenterId].join());
      const error = errors[tries.length - 1];
      if (error !== undefined) throw error;
      return "made";
    },
  ).catch((error: unknown) => error);
  return { tries, outcome };
}

test("what may be placed in several ways goes where there is room first: GPU types before data centers, in the program's order", async () => {
  const { tries, outcome } = await tried([noRoom(), new PermissionError("not here", { status: 403 })]);
  expect(outcome).toBe("made");
  expect(tries).toEqual(["L4,EU-RO-1", "L4,US-KS-2", "L40,EU-RO-1"]);
});

test("what may be placed in several ways and has room nowhere, is an error that names all that was tried", async () => {
  const { tries, outcome } = await tried(PLACES.map(noRoom));
  expect(tries).toHaveLength(4);
  expect(String(outcome)).toMatch(
    /Pod could not be placed\. Tried in order: L4 in EU-RO-1: no instances; L4 in US-KS-2: .*; L40 in US-KS-2: no instances\./,
  );
});

test.each([
  ["is too large", new BadRequestError("too large", { status: 413 })],
  ["may have been made", new ServiceError("lost", { status: 502 })],
])("what may be placed in several ways and %s, is tried nowhere else", async (_, error) =>
  expect(await tried([error])).toEqual({ tries: ["L4,EU-RO-1"], outcome: error }),
);

test("what may be placed in several ways and has no choice, ends in the service's own error", async () => {
  const error = noRoom();
  expect(await tried([error], candidates([]))).toEqual({ tries: [","], outcome: error });
});

const one = PLACES.slice(0, 1);

test("what waits for capacity is tried everywhere again after each pause, until one has room", async () => {
  let again = 0;
  const { tries, outcome } = await tried(Array.from({ length: 9 }, noRoom), PLACES, {
    waitForCapacity: "1h",
    onAgain: () => {
      again += 1;
    },
  });
  expect(outcome).toBe("made");
  expect(tries.slice(8)).toEqual(["L4,EU-RO-1", "L4,US-KS-2"]);
  expect(again).toBe(9);
});

test("what waits for capacity is an error once the time is over, after a last look, which says that nothing was created", async () => {
  const clock = impatient();
  const { tries, outcome } = await tried(Array.from({ length: 200 }, noRoom), one, { waitForCapacity: "10m" }, clock);
  expect(String(outcome)).toMatch(
    /could not be placed within waitForCapacity \(10m\).*nothing was created.*no instances/,
  );
  expect(clock.waits.reduce((sum, ms) => sum + ms)).toBeGreaterThanOrEqual(599_000);
  expect(tries.length).toBe(clock.waits.length + 1);
  expect(Math.max(...clock.waits)).toBe(120_000);
});

test("what waits for capacity is never sent again where the answer may mean that it was made", async () => {
  const lost = new ServiceError("lost", { status: 502 });
  const { tries, outcome } = await tried([noRoom(), lost], one, { waitForCapacity: "2h" });
  expect([tries, outcome]).toEqual([["L4,EU-RO-1", "L4,EU-RO-1"], lost]);
});

test("what waits for capacity and is allowed nowhere is refused at once, and not where one place has no room", async () => {
  const forbidden = () => new PermissionError("not here", { status: 403 });
  const { tries, outcome } = await tried(PLACES.map(forbidden), PLACES, { waitForCapacity: "2h" });
  expect(tries).toHaveLength(4);
  expect(String(outcome)).toMatch(
    /Pod is refused\. No candidate is allowed, so waiting would not help\. Tried .*not here/,
  );
  expect(await tried([forbidden(), noRoom()], PLACES.slice(0, 2), { waitForCapacity: "2h" })).toMatchObject({
    outcome: "made",
  });
});

const LLAMA = "https://huggingface.co/acme/llama";
const BERT = "https://huggingface.co/acme/bert";
const COMMIT = "0a1b2c3d".repeat(5);
const OTHER = "d3c2b1a0".repeat(5);

const COMMITS = [`${LLAMA}:${COMMIT}`, `${LLAMA}:${OTHER}`];

test.each<[string, string[], string[], boolean]>([
  ["as they are", [`${LLAMA}:main`], [`${LLAMA}:main`], true],
  ["with the commit that a branch named", [`${LLAMA}:main`], [`${LLAMA}:${COMMIT}`], true],
  ["without a revision", [`${LLAMA}:main`], [LLAMA], true],
  ["in another order", [`${LLAMA}:main`, `${BERT}:v2`], [`${BERT}:${COMMIT}`, `${LLAMA}:${OTHER}`], true],
  ["in two commits, in another order", COMMITS, COMMITS.toReversed(), true],
  ["in lower case", ["https://huggingface.co/Acme/Llama:main"], [`${LLAMA}:${COMMIT}`], true],
  ["where there are none", [], [], true],
  ["where another model is there", [`${LLAMA}:main`], [`${BERT}:${COMMIT}`], false],
  ["where one more is there", [`${LLAMA}:main`], [`${LLAMA}:${COMMIT}`, `${BERT}:${COMMIT}`], false],
  ["where none is there", [`${LLAMA}:main`], [], false],
  ["where another commit is there", [`${LLAMA}:${COMMIT}`], [`${LLAMA}:${OTHER}`], false],
  ["where another branch is there", [`${LLAMA}:main`], [`${LLAMA}:dev`], false],
])("the models that the service shows are the declared ones %s %j %j: %s", (_, declared, live, isSame) =>
  expect(sameModels(live, declared)).toBe(isSame),
);

const { emulator, service } = emulatorForAll();

test("models go with every save, are taken away once they are declared no more, and stay where they never were", async () => {
  const run = (endpointsThrough: "graphql" | "rest" = "graphql") =>
    new Lifecycle(serverlessEndpoint, async () => contextOf(emulator, { endpointsThrough }));
  const live = async () => (await service.state()).endpoints.map(({ modelReferences }) => modelReferences);
  const templateId = await service.create("/v2/templates", { name: "t", image: "example.com/a:1", serverless: true });
  const args = { name: "chat", templateId, gpuIds: "ADA_24" };
  const models = [`${LLAMA}:main`, `${BERT}:v2`];

  let endpoint = await createResource(run(), { ...args, models });
  expect(await live()).toEqual([models.map(atCommit)]);
  endpoint = await up(run(), endpoint, { ...args, models, idleTimeout: 60 });
  expect(await live()).toEqual([models.map(atCommit)]);
  endpoint = await up(run(), endpoint, args);
  expect(await live()).toEqual([[]]);
  const { endpoints } = await service.state();
  await service.setState({ endpoints: endpoints.map((each) => ({ ...each, modelReferences: COMMITS })) });
  await up(run(), endpoint, { ...args, idleTimeout: 60 });
  expect(await live()).toEqual([COMMITS]);
  // REST has no word for them.
  const { failures } = await run("rest").check({}, { ...args, models });
  expect(failures).toEqual([{ property: "models", reason: expect.stringContaining("is only known to GraphQL") }]);
});
