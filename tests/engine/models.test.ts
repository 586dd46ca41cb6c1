// @long: a life of its own: cached models.
/* Cached models of an endpoint on a real engine: sent with every save, compared, kept, taken back, adopted, and refused where only REST is asked. */
import { expect, test } from "@jest/globals";
import { atCommit } from "../../emulator/graphql/draft";
import { emulatorForAll } from "../harness/account";
import { said, stackForAll } from "../harness/scenario";

const LLAMA = "https://huggingface.co/acme/llama:main";
const BERT = `https://huggingface.co/acme/bert:${"0a1b2c3d".repeat(5)}`;

const MISTRAL = `https://huggingface.co/acme/mistral:${"d3c2b1a0".repeat(5)}`;

const { emulator, service } = emulatorForAll();
const stack = stackForAll(() => ({ program: program(JSON.stringify([LLAMA, BERT])), emulator }));

const program = (models: string | undefined, idleTimeout = 10) => `
  const { Provider, ServerlessEndpoint, ServerlessFleet, Template } = require("pulumi-computecloud");
  const template = new Template("worker", { image: "emulator/echo:1", serverless: true });
  const models = ${models};
  const endpoint = { template, gpuIds: "AMPERE_16", idleTimeout: ${idleTimeout}, models };
  new ServerlessEndpoint("alone", { name: "alone", ...endpoint });
  new ServerlessEndpoint("native", { name: "native", ...endpoint }, { provider: new Provider("cloud") });
  new ServerlessFleet("fleet", {
    defaults: { image: "emulator/echo:1", gpuIds: "AMPERE_16", models },
    endpoints: { member: { name: "member", idleTimeout: ${idleTimeout} } },
  });
`;

/** Of all endpoints, as the service keeps them. */
async function liveModels(): Promise<unknown> {
  const { endpoints } = await service.state();
  return Object.fromEntries(endpoints.map(({ name, modelReferences }) => [name, modelReferences]));
}
const all = (...models: string[]) =>
  Object.fromEntries(["alone", "native", "member"].map((name) => [name, models.map(atCommit)]));

test("models go with the create and with every save, and no difference is left", async () => {
  await stack.up();
  expect(await liveModels()).toEqual(all(LLAMA, BERT));
  expect((await stack.refresh()).changes).toEqual({ same: 4 });
  expect((await stack.preview()).changes).toEqual({ same: 4 });

  await stack.edit(program(JSON.stringify([BERT])));
  expect(said(await stack.preview())).toMatch(/models/);
  await stack.up();
  expect(await liveModels()).toEqual(all(BERT));

  // What somebody changed is found and put back.
  const { endpoints } = await service.state();
  await service.setState({ endpoints: endpoints.map((each) => ({ ...each, modelReferences: [MISTRAL] })) });
  expect((await stack.up({ args: ["--refresh"] })).changes).toEqual({ same: 1, update: 3 });
  expect(await liveModels()).toEqual(all(BERT));
  await stack.edit(program(JSON.stringify([BERT]), 20));
  await stack.up();
});

test("models that are no longer declared are taken away; those that never were stay", async () => {
  await stack.edit(program(undefined, 20));
  expect((await stack.preview()).changes).toEqual({ same: 1, update: 3 });
  await stack.up();
  expect(await liveModels()).toEqual(all());

  const { endpoints } = await service.state();
  await service.setState({ endpoints: endpoints.map((each) => ({ ...each, modelReferences: [MISTRAL] })) });
  await stack.edit(program(undefined, 30));
  await stack.up();
  expect(await liveModels()).toEqual(all(MISTRAL));
});

test("REST has no word for models: a preview says so before any change", async () => {
  await stack.edit(program(JSON.stringify([BERT]), 30));
  await stack.setConfig("computecloud:endpointsThrough", "rest");
  expect(said(await stack.preview({ fails: true }))).toMatch(/models[\s\S]*is only known to GraphQL/);
  await stack.edit(program(undefined, 40));
  await stack.up();
  expect(await liveModels()).toEqual(all(MISTRAL));
});
