/*
 * Taking over what exists: the engine can't import dynamic resources, so that `adoptId` is an argument, and the preview
 * says in `check` what it would change.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { emulatorForAll } from "../harness/account";
import { said, stackForAll, staysUnchanged } from "../harness/scenario";

const { emulator, service } = emulatorForAll();
const stack = stackForAll(() => ({ program: "", emulator }));
let template: string;
let volume: string;

beforeAll(async () => {
  const body = { name: "by-hand", image: "example.com/a:1", env: { TOKEN: "hunter2" }, startSsh: false };
  template = await service.create("/v2/templates", body);
  volume = await service.create("/v2/network-volumes", { name: "data", size: 40, dataCenter: "EU-RO-1" });
});

const VOLUME = { size: 50, dataCenter: "EU-RO-1" };

/** Both are declared, and adopted unless that is over. */
const program = (adopts = true) => `
  const { NetworkVolume, Template } = require("pulumi-computecloud");
  const [template, volume] = ${JSON.stringify(adopts ? [{ adoptId: template }, { adoptId: volume }] : [{}, {}])};
  new Template("adopted", { image: "example.com/a:2", env: { TOKEN: "hunter3" }, ...template });
  new NetworkVolume("data", { ...${JSON.stringify(VOLUME)}, ...volume });
`;

test("adopting says in the preview what it would change, secrets aside, and writes nothing", async () => {
  await stack.edit(program());
  await service.forgetCalls();
  const preview = said(await stack.preview());
  expect(preview).toContain(`Template ${template} (by-hand) is adopted: changes`);
  expect(preview).toContain('image "example.com/a:1" -> "example.com/a:2"');
  expect(preview).toContain("startSsh false -> true");
  expect(preview).toContain("env (secret)");
  expect(preview).toContain(`NetworkVolume ${volume} (data) is adopted: changes size 40 -> 50`);
  expect(preview).not.toContain("hunter");
  expect(await service.writes()).toEqual([]);
});

test("adopting creates nothing, changes what differs, and keeps the name that was not declared", async () => {
  await service.forgetCalls();
  expect((await stack.up()).changes).toEqual({ create: 2 });
  expect((await service.writes()).sort()).toEqual(["updateNetworkVolume", "updateTemplate"]);
  const { templates, networkVolumes } = await service.state();
  expect(templates).toEqual([
    expect.objectContaining({ id: template, name: "by-hand", image: "example.com/a:2", startSsh: true }),
  ]);
  expect(networkVolumes).toEqual([expect.objectContaining({ id: volume, name: "data", size: 50 })]);
});

test("adopting changes nothing in a second up, nor when adoptId is removed later", async () => {
  expect((await stack.up()).changes).toEqual({ same: 2 });
  await stack.edit(program(false));
  await staysUnchanged(stack, service);
});

test("adopting under another name keeps what the engine deletes under the old one", async () => {
  await stack.edit(`
    const { NetworkVolume } = require("pulumi-computecloud");
    new NetworkVolume("renamed", ${JSON.stringify({ ...VOLUME, adoptId: volume })});
  `);
  const update = await stack.up({ args: ["--target", "**::data", "--target", "**::renamed"] });
  expect(update.changes).toMatchObject({ create: 1, delete: 1 });
  expect(said(update)).toContain(`NetworkVolume "${volume}" is not deleted: another resource of this program has it`);
  expect((await service.state()).networkVolumes).toEqual([expect.objectContaining({ id: volume, size: 50 })]);
});

test("what is left to the service stays as it was found; FlashBoot goes off when it is declared no more", async () => {
  const templateId = await service.create("/v2/templates", { name: "for-endpoint", image: "i", serverless: true });
  const theirs = { name: "by-hand", gpuIds: "ADA_24", templateId, workersMax: 7, flashBootType: "FLASHBOOT" };
  const id = await service.saveEndpoint(theirs);
  const declared = { adoptId: id, templateId, gpuIds: "ADA_24", idleTimeout: 30 };
  const upWith = async (args: Record<string, unknown>) => {
    await stack.edit(`
      const { ServerlessEndpoint } = require("pulumi-computecloud");
      new ServerlessEndpoint("e", ${JSON.stringify({ ...declared, ...args })});
    `);
    return said(await stack.up({ args: ["--target", "**::e"] }));
  };
  const live = () => service.rest("GET", `/v2/serverless/${id}`);
  expect(await upWith({})).toContain(`ServerlessEndpoint ${id} (by-hand) is adopted: changes idleTimeout 10 -> 30`);
  const expected = { flashboot: "FLASHBOOT", workers: { max: 7, idleTimeout: 30 } };
  expect(await live()).toMatchObject(expected);
  await upWith({ idleTimeout: 40 });
  expect(await live()).toMatchObject({ ...expected, workers: { max: 7, idleTimeout: 40 } });
  await upWith({ flashBootType: "PRIORITY_FLASHBOOT" });
  expect(await live()).toMatchObject({ flashboot: "PRIORITY_FLASHBOOT" });
  await upWith({});
  expect(await live()).toMatchObject({ flashboot: "OFF" });
});
