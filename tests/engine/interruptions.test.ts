/* Answers that are lost, and what others delete meanwhile: nothing is lost, and nothing is made twice. */
import { afterEach, expect, test } from "@jest/globals";
import { hurried } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { said, stackForAll } from "../harness/scenario";
import { until } from "../harness/until";

const { emulator, service } = emulatorForAll({ settings: { restDeletesTemplate: "never" } });
const stack = stackForAll(() => ({ program, emulator }));

afterEach(() => service.clearFaults());

const program = `
  const { NetworkVolume, ServerlessEndpoint, Template } = require("pulumi-computecloud");
  const models = new NetworkVolume("models", { size: 40, dataCenter: "EU-RO-1" });
  const template = new Template("chat", { image: "example.com/a:1", serverless: true }, { dependsOn: models });
  new ServerlessEndpoint("chat", { templateId: template.id, gpuIds: "ADA_24", workersMax: 2, networkVolumeId: models.id });
`;

test("in the middle of a create, an answer that is lost after the work is looked for by name, and what was made is taken", async () => {
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

test("in the middle of a destroy, what was deleted in the console is no obstacle, and a template is deleted once the service counts it as free", async () => {
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
