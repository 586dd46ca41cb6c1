// @long: a life of its own: templates.
/*
 * Templates that change: whatever was made from one follows it, or the run says that it does not. The service itself
 * tells no copy of a change.
 */
import { expect, test } from "@jest/globals";
import { nameOfUrn } from "../../common/urn";
import type { Update } from "../../tools/run/update";
import type { Resources } from "../harness/program";
import { leavesNothing, said, scenarioForAll } from "../harness/scenario";

const OLD = "example.com/old:1";
const NEW = "example.com/new:2";
const QUEUE = { type: "QUEUE", gpu: { pools: ["ADA_24"] }, scaling: { type: "QUEUE_DELAY", queueDelay: 4 } };
const AFTER = { dependsOn: ["$worker", "$machine"] };

/** Every kind that a template may be given to, in every way. */
const fleet = (image: string, ids: { worker?: string; machine?: string } = {}): Resources => ({
  worker: { kind: "Template", args: { image, serverless: true, env: { MODE: image } } },
  machine: { kind: "Template", args: { image } },
  whole: { kind: "ServerlessEndpoint", args: { template: "$worker", gpuIds: "ADA_24" } },
  byId: { kind: "ServerlessEndpoint", args: { templateId: "$worker.id", gpuIds: "ADA_24" } },
  container: { kind: "ServerlessContainer", args: { ...QUEUE, template: "$worker" } },
  containerById: { kind: "ServerlessContainer", args: { ...QUEUE, templateId: "$worker.id" } },
  pod: { kind: "Pod", args: { template: "$machine", gpu: { id: "NVIDIA L4" } } },
  ...(ids.worker !== undefined && {
    text: { kind: "ServerlessEndpoint", args: { templateId: ids.worker, gpuIds: "ADA_24" }, options: AFTER },
    containerText: { kind: "ServerlessContainer", args: { ...QUEUE, templateId: ids.worker }, options: AFTER },
    podText: { kind: "Pod", args: { templateId: ids.machine, gpu: { id: "NVIDIA L4" } }, options: AFTER },
  }),
});

const { stack, service, declare } = scenarioForAll({ resources: fleet(OLD) });
let ids: { worker: string; machine: string };

const idOf = async (name: string) => String((await stack.resource(name)).id);

/** Which image each runs, by its logical name. */
async function images(): Promise<Record<string, unknown>> {
  const { endpoints, pods } = await service.state();
  const rows = (await stack.resources()).map(({ id, urn }) => [nameOfUrn(urn), id]);
  const running = [...endpoints, ...pods].map(({ id, image }) => [rows.find(([, each]) => each === id)?.[0], image]);
  return Object.fromEntries(running);
}

const updated = ({ steps }: Update) => steps.flatMap(({ op, name }) => (op === "update" ? [name] : [])).sort();

const FOLLOWERS = ["byId", "container", "containerById", "machine", "pod", "whole", "worker"];

test("a template that changes is taken over, in the same run and in its preview, by all that a program made from it", async () => {
  await stack.up();
  ids = { worker: await idOf("worker"), machine: await idOf("machine") };
  await declare(fleet(NEW));
  expect(updated(await stack.preview())).toEqual(FOLLOWERS);
  expect(updated(await stack.up())).toEqual(FOLLOWERS);
  expect(new Set(Object.values(await images()))).toEqual(new Set([NEW]));
  expect(updated(await stack.up())).toEqual([]);
});

test("a template that changes is taken over by the next run when this one could not", async () => {
  await declare(fleet(OLD));
  await service.fault({ match: { operation: "saveEndpoint", times: 100 }, act: { status: 400 } });
  await service.fault({ match: { operation: "updateEndpoint", times: 100 }, act: { status: 400 } });
  await stack.up({ fails: true });
  await service.clearFaults();
  expect(updated(await stack.up())).toEqual(expect.arrayContaining(["byId", "container", "containerById", "whole"]));
  expect(new Set(Object.values(await images()))).toEqual(new Set([OLD]));
});

test("a template that changes reaches endpoints that know it by the text of its id in the same run; a pod keeps its copy", async () => {
  await declare(fleet(OLD, ids));
  expect((await stack.up()).changes).toMatchObject({ create: 3 });
  await declare(fleet(NEW, ids));
  await stack.up();
  expect(await images()).toMatchObject({ text: NEW, containerText: NEW, pod: NEW, podText: OLD });
});

test("a template that changes in the console is seen by a refresh, said in its preview, and mended by the next up", async () => {
  await service.rest("PATCH", `/v2/templates/${ids.worker}`, { image: OLD });
  await service.rest("PATCH", `/v2/serverless/${await idOf("byId")}`, { image: "example.com/hacked:1" });
  const preview = await stack.preview({ args: ["--refresh"] });
  expect(updated(preview)).toEqual(expect.arrayContaining(["worker", "byId", "text", "containerText", "whole"]));
  expect(said(preview)).toMatch(/differs from its template .* \(image\)/);
  await stack.preview({ args: ["--refresh", "--expect-no-changes"], fails: true });
  await stack.up({ args: ["--refresh"] });
  expect(await images()).toMatchObject({ whole: NEW, byId: NEW, text: NEW, containerText: NEW });
  expect(updated(await stack.up({ args: ["--refresh"] }))).toEqual([]);
});

test("a template that changes waits where ignoreChanges names it, refreshes or not", async () => {
  const declared = (image: string, options: object) => {
    const endpoint = { kind: "ServerlessEndpoint", args: { template: "$worker", gpuIds: "ADA_24" } };
    return declare({
      ...fleet(image, ids),
      cloud: { kind: "Provider", args: {} },
      waiting: { ...endpoint, options },
      native: { ...endpoint, options: { ...options, provider: "$cloud" } },
    });
  };
  await declared(NEW, {});
  await stack.up();
  await declared(OLD, { ignoreChanges: ["template"] });
  await stack.up();
  expect(await images()).toMatchObject({ whole: OLD, waiting: NEW, native: NEW });
  expect(updated(await stack.up({ args: ["--refresh"] }))).toEqual([]);
  await declared(OLD, {});
  expect(updated(await stack.up())).toEqual(["native", "waiting"]);
  expect(await images()).toMatchObject({ waiting: OLD, native: OLD });
});

test("a template that changes can't be given twice over", async () => {
  const twice = { template: "$worker", templateId: ids.worker, gpuIds: "ADA_24" };
  await declare({ ...fleet(NEW, ids), twice: { kind: "ServerlessEndpoint", args: twice } });
  expect(said(await stack.preview({ fails: true }))).toContain(
    'ServerlessEndpoint "twice": template brings its id and revision; remove templateId and templateRevision.',
  );
});

test("a template that changes leaves nothing behind", () => leavesNothing(stack, service));
