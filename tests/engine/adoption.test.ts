/*
 * Taking over what exists: the engine can't import dynamic resources, so that `adoptId` is an argument, and the preview
 * says in `check` what it would change.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newStack, type Stack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/forAll";
import { said } from "../harness/scenario";

const { emulator, service } = emulatorForAll();
let stack: Stack;
let template: string;
let volume: string;

beforeAll(async () => {
  template = await service.create("/v2/templates", {
    name: "by-hand",
    image: "example.com/a:1",
    env: { TOKEN: "hunter2" },
    startSsh: false,
  });
  volume = await service.create("/v2/network-volumes", { name: "data", size: 40, dataCenter: "EU-RO-1" });
  stack = await newStack({
    program: program({ image: "example.com/a:1", startSsh: false, env: { TOKEN: "hunter2" } }),
    emulator,
  });
});

afterAll(() => stack?.remove());

function program(
  args: Record<string, unknown>,
  volumeArgs: Record<string, unknown> = { size: 40, dataCenter: "EU-RO-1" },
): string {
  return `
    const { NetworkVolume, Template } = require("pulumi-computecloud");
    new Template("adopted", ${JSON.stringify({ adoptId: template, ...args })});
    new NetworkVolume("data", ${JSON.stringify({ adoptId: volume, ...volumeArgs })});
  `;
}

test("adopting is refused, in the preview, where a replacement would be needed, with the list", async () => {
  await stack.edit(program({ image: "example.com/a:1", startSsh: false }, { size: 40, dataCenter: "US-KS-2" }));
  const preview = said(await stack.preview({ fails: true }));
  expect(preview).toContain(`NetworkVolume "${volume}" can't be brought to these arguments in place`);
  expect(preview).toContain('dataCenter "EU-RO-1" -> "US-KS-2"');
});

test("adopting says in the preview what it would change, secrets aside, and writes nothing", async () => {
  await stack.edit(
    program({ image: "example.com/a:2", env: { TOKEN: "hunter3" } }, { size: 50, dataCenter: "EU-RO-1" }),
  );
  await service.forgetCalls();
  const preview = said(await stack.preview());
  expect(preview).toContain(`Template ${template} (by-hand) is adopted: changes`);
  expect(preview).toContain('image "example.com/a:1" -> "example.com/a:2"');
  expect(preview).toContain("startSsh false -> true");
  expect(preview).toContain("env (secret)");
  expect(preview).toContain(`NetworkVolume ${volume} (data) is adopted: changes size 40 -> 50`);
  expect(preview).not.toContain("hunter");
  expect((await service.log()).filter(({ method }) => method !== "GET")).toEqual([]);
});

test("adopting creates nothing, changes what differs, and keeps the name that was not declared", async () => {
  await service.forgetCalls();
  expect((await stack.up()).changes).toEqual({ create: 2 });
  const writes = (await service.log()).filter(({ method }) => method !== "GET").map(({ operation }) => operation);
  expect(writes.sort()).toEqual(["updateNetworkVolume", "updateTemplate"]);
  const { templates, networkVolumes } = await service.state();
  expect(templates).toEqual([
    expect.objectContaining({ id: template, name: "by-hand", image: "example.com/a:2", startSsh: true }),
  ]);
  expect(networkVolumes).toEqual([expect.objectContaining({ id: volume, name: "data", size: 50 })]);
});

test("adopting changes nothing in a second up, nor when adoptId is removed later", async () => {
  const declared: [Record<string, unknown>, Record<string, unknown>] = [
    { image: "example.com/a:2", env: { TOKEN: "hunter3" } },
    { size: 50, dataCenter: "EU-RO-1" },
  ];
  expect((await stack.up()).changes).toEqual({ same: 2 });
  await stack.edit(program({ ...declared[0], adoptId: null }, { ...declared[1], adoptId: null }));
  await service.forgetCalls();
  expect((await stack.up()).changes).toEqual({ same: 2 });
  expect(await service.log()).toEqual([]);
});

test("adopting under another name keeps what the engine deletes under the old one", async () => {
  await stack.edit(`
      const { NetworkVolume } = require("pulumi-computecloud");
      new NetworkVolume("renamed", { adoptId: "${volume}", size: 50, dataCenter: "EU-RO-1" });
    `);
  const update = await stack.up({ args: ["--target", "**::data", "--target", "**::renamed"] });
  expect(update.changes).toMatchObject({ create: 1, delete: 1 });
  expect(said(update)).toContain(`NetworkVolume "${volume}" is not deleted: another resource of this program has it`);
  expect((await service.state()).networkVolumes).toEqual([expect.objectContaining({ id: volume, size: 50 })]);
  await stack.edit(
    program({ image: "example.com/a:2", env: { TOKEN: "hunter3" } }, { size: 50, dataCenter: "EU-RO-1" }),
  );
  await stack.up();
  expect((await service.state()).networkVolumes).toHaveLength(1);
});

test("adopting guards what was adopted against a replacement until adoptId is removed", async () => {
  await stack.edit(
    program({ image: "example.com/a:2", env: { TOKEN: "hunter3" } }, { size: 50, dataCenter: "US-KS-2" }),
  );
  expect(said(await stack.preview({ fails: true }))).toContain("remove adoptId to allow that");
  expect((await service.state()).networkVolumes).toHaveLength(1);
});

test("what is left to the service stays as it was found; FlashBoot goes off when it is declared no more", async () => {
  const templateId = await service.create("/v2/templates", { name: "for-endpoint", image: "i", serverless: true });
  const saved = await service.graphql(
    'mutation { saveEndpoint(input: { name: "by-hand", gpuIds: "ADA_24", templateId: "TEMPLATE", workersMax: 7, flashBootType: FLASHBOOT }) { id } }'.replace(
      "TEMPLATE",
      templateId,
    ),
  );
  const { id } = (saved as { data: { saveEndpoint: { id: string } } }).data.saveEndpoint;
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
  await stack.destroy({ args: ["--target", "**::e"] });
  await service.removed(`/v2/templates/${templateId}`);
});

test("what is protected or retained follows Pulumi's own rules", async () => {
  await stack.edit(`
    const { NetworkVolume, Template } = require("pulumi-computecloud");
    new Template("adopted", { image: "example.com/a:2", env: { TOKEN: "hunter3" } }, { protect: true });
    new NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" }, { retainOnDelete: true });
  `);
  await stack.up();
  expect(said(await stack.destroy({ fails: true }))).toContain("protect");
  await stack.pulumi(["state", "unprotect", "--all", "--yes"]);
  await stack.destroy();
  const { templates, networkVolumes } = await service.state();
  expect(templates).toEqual([]);
  expect(networkVolumes).toEqual([expect.objectContaining({ id: volume })]);
});
