// @long: a life of its own: ECR delegations.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { newScenario, type Resources, type Scenario, said } from "../harness/scenario";

const arn = (repository: string) => `arn:aws:ecr:us-east-2:418399314813:repository/${repository}`;
const delegations = (models: object, training: object = { resource: arn("team/training"), name: "training" }) =>
  ({
    models: { kind: "EcrDelegation", args: models },
    training: { kind: "EcrDelegation", args: training },
  }) satisfies Resources;
const MODELS = { resource: arn("team/models") };

let scenario: Scenario;
beforeAll(async () => {
  scenario = await newScenario({ resources: delegations(MODELS) });
});
afterAll(() => scenario[Symbol.asyncDispose]());

const path = "/v2/registries/delegations";

describe("ECR delegations", () => {
  test("are registered with one call each, and left alone by a second up", async () => {
    const { service, stack, watch } = scenario;
    const { update, writes } = await watch(stack.up());
    expect(update.changes).toEqual({ create: 2 });
    expect(writes.map(({ body }) => body)).toEqual(
      expect.arrayContaining([
        { resource: arn("team/models"), name: expect.stringMatching(/^models-[0-9a-f]{7}$/) },
        { resource: arn("team/training"), name: "training" },
      ]),
    );
    expect((await stack.resource("models")).outputs).toMatchObject({
      repository: "team/models",
      tag: "latest",
      awsRegion: "us-east-2",
    });
    await service.forgetCalls();
    expect((await stack.up()).changes).toEqual({ same: 2 });
    expect(await service.log()).toEqual([]);
  });

  test("keep the account's numbers encrypted in the state", async () => {
    expect(await scenario.stack.stateText()).not.toContain("418399314813");
    expect(await scenario.stack.stateText()).not.toContain("user_emulated");
  });

  test("are read back with one list, unchanged", async () => {
    const { service, stack } = scenario;
    await service.forgetCalls();
    expect((await stack.refresh()).changes).toEqual({ same: 2 });
    expect(await service.calls()).toEqual(["getAccount", "listDelegations"]);
    expect((await stack.up()).changes).toEqual({ same: 2 });
  });

  test("are replaced by a change, for nothing of them changes in place", async () => {
    const { service, stack, declare } = scenario;
    await declare(delegations({ ...MODELS, name: "models" }));
    await service.forgetCalls();
    const { steps } = await stack.up();
    expect(steps.find(({ op }) => op === "replace")).toMatchObject({ name: "models", replaceKeys: ["name"] });
    expect((await service.calls()).filter((call) => call !== "getAccount")).toEqual([
      "listDelegations",
      "createDelegation",
      "revokeDelegation",
    ]);
  });

  test("are registered anew after they were revoked in the console", async () => {
    const { service, stack } = scenario;
    const { id } = await stack.resource("training");
    await service.removed(`${path}/${id}`);
    expect((await stack.refresh()).changes).toEqual({ same: 1, delete: 1 });
    expect((await stack.up()).changes).toEqual({ same: 1, create: 1 });
  });

  test("say what is wrong before and after the service was asked", async () => {
    const { stack, declare } = scenario;
    await declare(delegations({ resource: "team/models", name: "models" }));
    expect(said(await stack.preview({ fails: true }))).toContain("must be the ARN of an ECR repository");
    await declare({
      ...delegations({ ...MODELS, name: "models" }),
      closed: { kind: "EcrDelegation", args: { resource: arn("no-pull-permission") } },
    });
    expect(said(await stack.up({ fails: true }))).toContain("does not allow the service to pull");
    expect(await stack.resources()).toHaveLength(2);
  });

  test("are taken over by id, but not one of another repository", async () => {
    const { service, stack, declare } = scenario;
    const made = (await service.rest("POST", path, { resource: arn("team/tools"), name: null })) as { id: string };
    const tools = (repository: string) => ({
      ...delegations({ ...MODELS, name: "models" }),
      tools: { kind: "EcrDelegation", args: { resource: arn(repository), adoptId: made.id } },
    });
    await declare(tools("team/other"));
    expect(said(await stack.preview({ fails: true }))).toContain("resource (secret)");
    await declare(tools("team/tools"));
    await service.forgetCalls();
    expect((await stack.up()).changes).toEqual({ same: 2, create: 1 });
    expect(new Set(await service.calls())).toEqual(new Set(["getAccount", "listDelegations"]));
    expect((await stack.resource("tools")).id).toBe(made.id);
  });

  test("are revoked with the stack, whether they are still there or not", async () => {
    const { service, stack } = scenario;
    await service.removed(`${path}/${(await stack.resource("models")).id}`);
    await stack.destroy();
    expect(await service.isEmpty()).toBe(true);
  });
});
