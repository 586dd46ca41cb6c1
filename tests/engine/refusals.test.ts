/*
 * What the service would refuse is an error in the preview, with the way out; what looked like a refusal and can be done
 * is done.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Resources } from "../harness/program";
import { leavesNothing, said, scenarioForAll } from "../harness/scenario";

const L4 = { id: "NVIDIA L4" };

const fleet = (changed: Record<string, object> = {}, options: Record<string, object> = {}): Resources => {
  const resources: Resources = {
    token: { kind: "Secret", args: { name: "TOKEN", value: "$secret:hunter4" } },
    images: { kind: "Registry", args: { name: "images", username: "ci", password: "$secret:hunter2" } },
    models: { kind: "NetworkVolume", args: { size: 10, dataCenter: "US-KS-2" } },
    machine: {
      kind: "Template",
      args: {
        name: "machine",
        image: "example.com/machine:1",
        registry: "$images.id",
        env: { FROM: "template", BOTH: "template" },
        mounts: { persistent: { size: 20, path: "/data" } },
      },
    },
    worker: { kind: "Template", args: { image: "example.com/worker:1", serverless: true } },
    chat: { kind: "ServerlessEndpoint", args: { template: "$worker", gpuIds: "ADA_24" } },
    pulling: { kind: "Pod", args: { image: "example.com/private:1", registry: "$images.id", gpu: L4 } },
    made: { kind: "Pod", args: { templateId: "$machine.id", env: { BOTH: "program" }, gpu: L4 } },
    safe: { kind: "Pod", args: { image: "example.com/safe:1", gpu: L4, locked: true } },
    reading: {
      kind: "Pod",
      args: { image: "example.com/reading:1", gpu: L4, mounts: { network: [{ volumeId: "$models.id", path: "/m" }] } },
    },
  };
  return Object.fromEntries(
    Object.entries(resources).map(([name, each]) => [
      name,
      { ...each, args: { ...each.args, ...changed[name] }, options: options[name] ?? {} },
    ]),
  );
};

const { stack, service, declare } = scenarioForAll({ resources: fleet() });
beforeAll(async () => {
  await stack.up();
});

const idOf = async (name: string) => String((await stack.resource(name)).id);
const podRecord = async (name: string) => {
  const id = await idOf(name);
  return (await service.state()).pods.find((pod) => pod.id === id);
};

test("a preview says that a volume or template can't be deleted before its users have moved to the next one", async () => {
  const changed = { models: { dataCenter: "EU-RO-1" }, worker: { disk: 30 } };
  await declare(fleet(changed, { worker: { replaceOnChanges: ["disk"] } }));
  expect(said(await stack.preview())).not.toContain("deleteBeforeReplace");
  const options = { deleteBeforeReplace: true, replaceOnChanges: ["disk"] };
  await declare(fleet(changed, { models: options, worker: options }));
  const preview = said(await stack.preview());
  const warned = [
    ...preview.matchAll(/(\w+) "\w+": .*the service refuses that while an endpoint uses it. Remove the option/g),
  ];
  expect(warned.map(([, kind]) => kind).sort()).toEqual(["NetworkVolume", "Template"]);
});

test("--replace of what has a name that the service knows once is refused in the preview, with an option that allows it", async () => {
  await declare(fleet());
  const { urn } = await stack.resource("token");
  const preview = await stack.preview({ args: ["--replace", urn], fails: true });
  expect(said(preview)).toContain("is in this stack.");
  expect(said(preview)).toContain("set the option deleteBeforeReplace");
  await declare(fleet({}, { token: { deleteBeforeReplace: true } }));
  await service.forgetCalls();
  await stack.up({ args: ["--replace", urn] });
  expect(await service.writes()).toEqual(["deleteSecret", "createSecret"]);
});

describe("what can be done", () => {
  test("a template that is named no more takes its variables and its registry along", async () => {
    const changed = { made: { templateId: undefined, image: "example.com/own:1", env: { BOTH: "program", OWN: "1" } } };
    await declare(fleet(changed));
    await stack.up();
    expect(await podRecord("made")).toMatchObject({
      image: "example.com/own:1",
      env: { BOTH: "program", OWN: "1" },
      registry: null,
    });
    expect((await podRecord("made"))?.env).not.toHaveProperty("FROM");
  });

  test("--replace of a pod on a volume deletes it first, so that no two write to the volume", async () => {
    const { urn } = await stack.resource("reading");
    await service.forgetCalls();
    await stack.up({ args: ["--replace", urn] });
    expect((await service.calls()).filter((call) => /^(create|delete)Pod$/.test(call))).toEqual([
      "deletePod",
      "createPod",
    ]);
  });

  test("a minimum above the maximum that the service lowered raises the maximum with it", async () => {
    await service.rest("PATCH", `/v2/serverless/${await idOf("chat")}`, { workers: { min: 0, max: 1 } });
    await stack.refresh();
    await declare(fleet({ chat: { workersMin: 2 }, safe: { locked: false } }));
    await stack.up();
    expect((await service.state()).endpoints).toEqual([
      expect.objectContaining({ workers: expect.objectContaining({ min: 2, max: 2 }) }),
    ]);
  });

  test("what a gateway answers 200 for is not deleted: it stays in the state, and the next run deletes it", async () => {
    const before = await service.state();
    const urns = (await stack.resources()).map(({ urn }) => urn);
    const act = { status: 200, body: { status: "ok" } };
    await service.fault({ match: { interface: "rest", method: "DELETE", times: 1_000 }, act });
    await service.fault({ match: { operation: "deleteEndpoint", times: 1_000 }, act });
    const destroy = await stack.destroy({ fails: true, args: ["--continue-on-error"] });
    expect(said(destroy)).toMatch(
      /200 is not the service's answer to DELETE \/v2\/pods\/\w+: \{"status":"ok"\} .*Nothing is known to be deleted/,
    );
    expect(said(destroy)).toMatch(/the answer is not GraphQL: \{"status":"ok"\} .*Nothing is known to be done/);
    expect((await stack.resources()).map(({ urn }) => urn)).toEqual(urns);
    const { endpoints, ...after } = await service.state();
    expect(after).toMatchObject({ pods: before.pods, templates: before.templates, registries: before.registries });
    expect(endpoints).toHaveLength(1);
    await service.clearFaults();
    await leavesNothing(stack, service);
  });
});

test("a key that GraphQL takes in its address alone is refused in the preview, before anything is made", async () => {
  const worker = { kind: "Template", args: { image: "example.com/worker:1", serverless: true } } as const;
  await declare({ worker, chat: { kind: "ServerlessEndpoint", args: { template: "$worker", gpuIds: "ADA_24" } } });
  await service.settings({ graphqlKeyIn: "query" });
  const preview = await stack.preview({ fails: true });
  expect(said(preview)).toContain("set computecloud:graphqlKeyIn to query (COMPUTECLOUD_GRAPHQL_KEY_IN)");
  expect(await service.isEmpty()).toBe(true);

  await stack.setConfig("computecloud:graphqlKeyIn", "query");
  await stack.up();
  await leavesNothing(stack, service);
});
