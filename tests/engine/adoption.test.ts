/*
 * Taking over what exists: the engine can't import dynamic resources, so that `adoptId` is an argument, and the preview
 * says in `check` what it would change.
 */
import { expect, test } from "@jest/globals";
import type { Resources } from "../harness/program";
import { said, scenarioForAll, staysUnchanged } from "../harness/scenario";

const { stack, service, declare, up } = scenarioForAll({ resources: {} });

test("adopting says what it would change, secrets aside, creates nothing, and keeps what is not declared", async () => {
  const [image, gpu] = ["example.com/a:2", { id: "NVIDIA L4" }];
  const mounts = (volumeId: string) => ({ network: [{ volumeId, path: "/d" }] });
  const data = await service.create("/v2/network-volumes", { name: "data", size: 40, dataCenter: "EU-RO-1" });
  const body = { name: "by-hand", image: "example.com/a:1", args: "hunter4", env: { A: "hunter5" }, startSsh: false };
  const template = await service.create("/v2/templates", body);
  const pod = await service.create("/v2/pods", { name: "p", image, gpu, mounts: mounts(data) });
  /** All three are declared, and adopted unless that is over. */
  const program = ({ adopts = true, volume = "data" } = {}): Resources => {
    const adopting = (adoptId: string) => (adopts ? { adoptId } : {});
    return {
      [volume]: { kind: "NetworkVolume", args: { size: 50, dataCenter: "EU-RO-1", ...adopting(data) } },
      byHand: {
        kind: "Template",
        args: { image, args: "$secret:hunter6", env: { TOKEN: "hunter7" }, ...adopting(template) },
      },
      p: { kind: "Pod", args: { image, gpu, mounts: mounts(`$${volume}.id`), ...adopting(pod) } },
    };
  };

  await declare(program());
  await service.forgetCalls();
  const preview = said(await stack.preview());
  expect(preview).toContain(`Template ${template} (by-hand) is adopted: changes`);
  for (const change of ['image "example.com/a:1" -> "example.com/a:2"', "startSsh false -> true", "args (secret)"])
    expect(preview).toContain(change);
  expect(preview).toContain("env (secret)");
  expect(preview).toContain("keeps undeclared variables: A");
  expect(preview).toContain(`NetworkVolume ${data} (data) is adopted: changes size 40 -> 50`);
  expect(preview).not.toMatch(/hunter|04da6b54/);
  expect(await service.writes()).toEqual([]);

  expect((await stack.up()).changes).toEqual({ create: 3 });
  expect((await service.writes()).sort()).toEqual(["updateNetworkVolume", "updateTemplate"]);
  const { templates, networkVolumes, pods } = await service.state();
  expect(templates).toEqual([expect.objectContaining({ id: template, name: "by-hand", image, startSsh: true })]);
  expect(templates[0]?.env).toEqual({ A: "hunter5", TOKEN: "hunter7" });
  expect(networkVolumes).toEqual([expect.objectContaining({ id: data, name: "data", size: 50 })]);
  expect(pods).toEqual([expect.objectContaining({ id: pod, name: "p" })]);
  expect((await stack.up()).changes).toEqual({ same: 3 });
  await declare(program({ adopts: false }));
  await staysUnchanged(stack, service);

  // Under another name it stays, too, when the engine deletes it under the old one.
  const update = await up(program({ volume: "renamed" }));
  expect(update.changes).toEqual({ same: 2, create: 1, delete: 1 });
  expect(said(update)).toContain(`NetworkVolume "${data}" is not deleted: another resource of this program has it`);
  expect((await service.state()).networkVolumes).toEqual([expect.objectContaining({ id: data, size: 50 })]);
});

test("what is left to the service stays as it was found; FlashBoot goes off when it is declared no more", async () => {
  const templateId = await service.create("/v2/templates", { name: "for-endpoint", image: "i", serverless: true });
  const theirs = { name: "by-hand", gpuIds: "ADA_24", templateId, workersMax: 7, flashBootType: "FLASHBOOT" };
  const id = await service.saveEndpoint(theirs);
  const declared = { adoptId: id, templateId, gpuIds: "ADA_24", idleTimeout: 30 };
  const upWith = async (args: object) => {
    const update = await up({ e: { kind: "ServerlessEndpoint", args: { ...declared, ...args } } });
    return { words: said(update), live: await service.rest("GET", `/v2/serverless/${id}`) };
  };
  const { words, live } = await upWith({});
  expect(words).toContain(`ServerlessEndpoint ${id} (by-hand) is adopted: changes idleTimeout 10 -> 30`);
  const expected = { flashboot: "FLASHBOOT", workers: { max: 7, idleTimeout: 30 } };
  expect(live).toMatchObject(expected);
  const changed = { ...expected, workers: { max: 7, idleTimeout: 40 } };
  expect((await upWith({ idleTimeout: 40 })).live).toMatchObject(changed);
  expect((await upWith({ flashBootType: "PRIORITY_FLASHBOOT" })).live).toMatchObject({
    flashboot: "PRIORITY_FLASHBOOT",
  });
  expect((await upWith({})).live).toMatchObject({ flashboot: "OFF" });
});
