/*
 * What goes wrong in the middle: lost answers, a failing service, a key that was rotated.
 * Nothing is lost, nothing is made twice, and only a 404 means gone.
 */
import { afterEach, describe, expect, test } from "@jest/globals";
import { nameOfUrn } from "../../common/urn";
import { hurried } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { leavesNothing, said, stackForAll } from "../harness/scenario";
import { until } from "../harness/until";

const { emulator, service } = emulatorForAll({ settings: { restDeletesTemplate: "never" } });
const stack = stackForAll(() => ({ program: program(), emulator }));

afterEach(() => service.clearFaults());

function program({ image = "example.com/a:1", workersMax = 2 } = {}): string {
  return `
    const { NetworkVolume, ServerlessEndpoint, Template } = require("pulumi-computecloud");
    const models = new NetworkVolume("models", { size: 40, dataCenter: "EU-RO-1" });
    const template = new Template("chat", { image: "${image}", serverless: true }, { dependsOn: models });
    new ServerlessEndpoint("chat", { templateId: template.id, gpuIds: "ADA_24", workersMax: ${workersMax}, networkVolumeId: models.id });
  `;
}

describe("in the middle of a create", () => {
  test("an answer that is lost after the work is looked for by name, and what was made is taken", async () => {
    await service.fault({ match: { operation: "createNetworkVolume" }, act: { drop: "after" } });
    await service.fault({ match: { operation: "createTemplate" }, act: { truncate: true } });
    await service.fault({ match: { operation: "saveEndpoint" }, act: { drop: "after" } });
    expect((await stack.up({ env: hurried(45) })).changes).toEqual({ create: 3 });
    const { networkVolumes, templates, endpoints } = await service.state();
    expect([networkVolumes, templates, endpoints].map((records) => records.length)).toEqual([1, 1, 1]);
    const ids = (await stack.resources()).map(({ id }) => id);
    expect(ids).toEqual([networkVolumes, templates, endpoints].map(([record]) => record?.id));
    expect((await stack.up()).changes).toEqual({ same: 3 });
  });

  test("a failure after which nobody knows is an error that says so, and the next run makes it once", async () => {
    await stack.destroy();
    await service.fault({ match: { operation: "createNetworkVolume" }, act: { status: 503 } });
    await service.fault({ match: { operation: "createTemplate" }, act: { drop: "before" } });
    const env = hurried(45);
    for (const kind of ["NetworkVolume", "Template"]) {
      const up = await stack.up({ fails: true, env });
      expect(said(up)).toMatch(new RegExp(`${kind} \\S+ may exist: its create was sent, the answer was lost`));
    }
    await stack.up({ env });
    const { networkVolumes, templates, endpoints } = await service.state();
    expect([networkVolumes, templates, endpoints].map((records) => records.length)).toEqual([1, 1, 1]);
  });
});

test("in the middle of an update, a lost answer is followed by the same update again", async () => {
  await service.fault({ match: { operation: "updateTemplate" }, act: { drop: "after" } });
  await service.fault({ match: { operation: "saveEndpoint" }, act: { status: 502 } });
  await stack.edit(program({ image: "example.com/a:2", workersMax: 5 }));
  expect((await stack.up()).changes).toEqual({ same: 1, update: 2 });
  const { templates, endpoints } = await service.state();
  expect(templates).toEqual([expect.objectContaining({ image: "example.com/a:2" })]);
  expect(JSON.stringify(endpoints)).toContain('"max":5');
});

test("a refresh takes nothing as gone that answers with a broken body", async () => {
  await service.fault({ match: { method: "GET", times: 1000 }, act: { malformed: true } });
  const before = await recorded();
  const refresh = await stack.refresh({ fails: true, env: { COMPUTECLOUD_RETRY_TIMEOUT: "1s" } });
  expect(refresh.changes.delete).toBeUndefined();
  expect(await recorded()).toEqual(before);
});

describe("in the middle of a destroy", () => {
  test("a failure leaves what is not known to be gone, and the next destroy ends it", async () => {
    await service.fault({ match: { operation: "deleteNetworkVolume", times: 1000 }, act: { status: 403 } });
    await stack.destroy({ fails: true });
    expect((await stack.resources()).map(({ urn }) => nameOfUrn(urn))).toEqual(["models"]);
    await service.clearFaults();
    await service.fault({ match: { operation: "deleteNetworkVolume" }, act: { drop: "after" } });
    // A volume as young as this one may only not be shown yet: its delete looks again, for 90 s.
    await leavesNothing(stack, service, { env: hurried(45) });
  });

  test("what was deleted in the console is no obstacle, and a template is deleted once the service counts it as free", async () => {
    await stack.up();
    await service.settings({ templateReleaseMs: 90_000 });
    const { endpoints, networkVolumes } = await service.state();
    await service.advance(100_000);
    await service.rest("DELETE", `/v2/serverless/${endpoints[0]?.id}`);
    // A worker that was about to stop holds the volume a moment longer.
    const isDeleted = () => service.rest("DELETE", `/v2/network-volumes/${networkVolumes[0]?.id}`);
    await until(() =>
      isDeleted()
        .then(() => true)
        .catch(() => false),
    );
    await service.forgetCalls();
    const deletes = () => service.count("deleteTemplate");
    const destroying = stack.destroy();
    await until(async () => (await deletes()) > 0);
    await service.advance(90_000);
    const destroy = await destroying;
    expect(destroy.changes).toEqual({ delete: 3 });
    for (const id of [endpoints[0]?.id, networkVolumes[0]?.id])
      expect(said(destroy)).toContain(`"${id}" was not found and is removed from the state.`);
    expect(await deletes()).toBeGreaterThan(1);
    expect(await service.isEmpty()).toBe(true);
  });
});

test("credentials that are gone are deleted, on both hosts, also after the lost answer of the run's own delete", async () => {
  await stack.edit(`
    const { Provider, Registry } = require("pulumi-computecloud");
    const native = { provider: new Provider("native") };
    for (const name of ["gone", "lost"]) {
      new Registry(name, { username: "ci", password: "p" });
      new Registry(name + "Native", { username: "ci", password: "p" }, native);
    }
  `);
  await stack.up();
  await service.advance(100_000);
  for (const name of ["gone", "goneNative"])
    await service.rest("DELETE", `/v2/registries/${(await stack.resource(name)).id}`);
  for (const name of ["lost", "lostNative"]) {
    const path = `/v2/registries/${(await stack.resource(name)).id}`;
    await service.fault({ match: { method: "DELETE", path, times: 1 }, act: { drop: "after" } });
  }
  const destroy = await stack.destroy();
  expect(destroy.changes).toEqual({ delete: 4 });
  expect(said(destroy)).not.toContain("still in use");
  expect(await service.isEmpty()).toBe(true);
});

/** The state without ciphertexts, which are new whenever it is written. */
async function recorded() {
  return (await stack.resources()).map(({ urn, id, outputs = {} }) => {
    const { env: _, ...rest } = outputs;
    return { urn, id, ...rest };
  });
}
