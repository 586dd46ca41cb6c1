/* Cached models of an endpoint: which are the declared ones, and what becomes of them. */
import { expect, test } from "@jest/globals";
import { atCommit } from "../../emulator/graphql/draft";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { sameModels } from "../../provider/resources/serverless/endpointArguments";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import { emulatorForAll } from "../harness/account";
import { contextOf, createResource, up } from "../harness/context";

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
