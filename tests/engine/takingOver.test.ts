// @long: adoptions between a program's processes, followed to the letter; tests/lifecycle/holders.test.ts holds what is spared.
/*
 * A message that names a way out is followed to the letter, and nothing is lost. The engine runs a process for each
 * Provider, and one for dynamic resources: what one of them takes over, another deletes under its old name.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { Resources } from "../harness/program";
import { leavesNothing, said, scenarioForAll } from "../harness/scenario";
import { until } from "../harness/until";

const SPARED = /is not deleted: another resource of this program has it now/;

const providers: Resources = { a: { kind: "Provider", args: {} }, b: { kind: "Provider", args: {} } };
/** The options of a resource; without a provider it is dynamic. */
const under = (provider?: string, more: object = {}) => ({ ...(provider && { provider: `$${provider}` }), ...more });
const VOLUME = { size: 10, dataCenter: "EU-RO-1" };
const volume = (args: object = {}, options?: object): Resources[string] => ({
  kind: "NetworkVolume",
  args: { name: "data", ...VOLUME, ...args },
  ...(options && { options }),
});

type Ids = Readonly<Record<string, string>>;

const { stack, service, declare, up } = scenarioForAll({ resources: {} });
afterEach(async () => {
  await leavesNothing(stack, service);
});

const volumes = async () => (await service.state()).networkVolumes.map(({ id }) => id);

/** Makes a volume as this resource; answers its id. */
async function createVolume(name: string, options?: object): Promise<string> {
  await up({ ...providers, [name]: volume({}, options) });
  const [id = ""] = await volumes();
  return id;
}

/** The next preview has nothing to do. */
async function expectUnchanged(count: number): Promise<void> {
  expect((await stack.preview()).changes).toEqual({ same: count });
}

describe("what one process of a run adopts, another spares", () => {
  interface Move {
    /** A provider; without one the process is that of dynamic resources. */
    readonly from?: string;
    readonly to?: string;
    readonly isImport?: true;
  }
  const moves: readonly Move[] = [
    { from: "a", to: "b" },
    { to: "b" },
    { from: "a" },
    { from: "a", to: "b", isImport: true },
  ];
  const nameOf = (at: number) => `data${at}`;
  const old: Resources = Object.fromEntries(
    moves.map(({ from }, at) => [`old${at}`, volume({ name: nameOf(at) }, under(from))]),
  );
  const adoptions = (ids: Ids): Resources =>
    Object.fromEntries(
      moves.map(({ to, isImport }, at) => {
        const name = nameOf(at);
        const id = ids[name];
        const adopted = volume({ name, adoptId: id }, under(to));
        return [`new${at}`, isImport ? volume({ name }, under(to, { import: id })) : adopted];
      }),
    );
  const byName = async (): Promise<Ids> =>
    Object.fromEntries((await service.state()).networkVolumes.map(({ id, name }) => [name, id]));

  test("where the one that adopted it leaves, and the other one has always declared it, on the way back as well", async () => {
    const template = { kind: "Template", args: { name: "t", image: "example.com/b:1", serverless: true } };
    const endpoint = { name: "chat", templateId: "$template.id", gpuIds: "ADA_24" };
    const first = { template, ...old, chat: { kind: "ServerlessEndpoint", args: endpoint } };
    await up({ ...providers, ...first });
    const ids = await byName();
    const [chat] = (await service.state()).endpoints;
    const member = { kind: "ServerlessFleet", args: { endpoints: { chat: { ...endpoint, adoptId: chat?.id } } } };
    const second = { ...adoptions(ids), fleet: { ...member, options: under("a") } };
    await up({ ...providers, ...first, ...second });
    const update = await up({ ...providers, ...first });
    expect(said(update).match(new RegExp(SPARED.source, "g"))).toHaveLength(5);
    const all = async () => [await byName(), (await service.state()).endpoints.map(({ id }) => id)];
    expect(await all()).toEqual([ids, [chat?.id]]);
    await expectUnchanged(6);
    await up({ ...providers, ...first, ...second });
    await up({ ...providers, template, ...second });
    expect(await all()).toEqual([ids, [chat?.id]]);
    const back = Object.fromEntries(
      Object.entries(old).map(([name, each]) => [
        name,
        { ...each, args: { ...each.args, adoptId: ids[nameOf(Number(name.slice(3)))] } },
      ]),
    );
    await up({
      ...providers,
      ...first,
      ...back,
      chat: { kind: "ServerlessEndpoint", args: { ...endpoint, adoptId: chat?.id } },
    });
    expect(await all()).toEqual([ids, [chat?.id]]);
    await expectUnchanged(6);
  });

  test("volumes by an adoption or an import, a fleet's members, whose own templates are created again, and an endpoint that leaves with its whole fleet", async () => {
    const member = { image: "example.com/a:1", gpuIds: "ADA_24" };
    const leaving = { templateId: "$template.id", gpuIds: "ADA_24", name: "leaving" };
    const fleet = (args: object, options: object = {}): Resources[string] => ({
      kind: "ServerlessFleet",
      args: { endpoints: { chat: args } },
      options,
    });
    const template = { kind: "Template", args: { name: "t", image: "example.com/b:1", serverless: true } };
    const models = fleet(member, under("a"));
    await up({ ...providers, ...old, template, models, single: fleet(leaving, under("a")) });
    const ids = await byName();
    const before = (await service.state()).endpoints;
    const idOf = (image: string) => before.find((each) => each.image === image)?.id;
    const update = await up({
      ...providers,
      ...adoptions(ids),
      template,
      models: fleet({ ...member, adoptId: idOf(member.image) }),
      chat: {
        kind: "ServerlessEndpoint",
        args: { ...leaving, adoptId: idOf(template.args.image) },
        options: under("b"),
      },
    });
    expect(said(update).match(new RegExp(`NetworkVolume "\\w+" ${SPARED.source}`, "g"))).toHaveLength(4);
    expect(await byName()).toEqual(ids);
    const { endpoints, templates } = await service.state();
    const idsAndImages = (of: typeof endpoints) => of.map(({ id, image }) => ({ id, image }));
    expect(idsAndImages(endpoints)).toEqual(idsAndImages(before));
    expect(templates.map(({ id }) => id).sort()).toEqual(endpoints.map(({ templateId }) => templateId).sort());
    await expectUnchanged(7);
  });
});

test("a name that was taken during the run: the adoptId that the error names", async () => {
  const worker = (args: object = {}): Resources => ({
    worker: { kind: "Template", args: { name: "worker", image: "example.com/a:1", ...args } },
  });
  await declare(worker());
  await service.forgetCalls();
  await service.fault({ match: { operation: "createTemplate", times: 1 }, act: { delayMs: 2_000 } });
  const failed = stack.up({ fails: true });
  await until(async () => (await service.calls()).includes("createTemplate"));
  const id = await service.create("/v2/templates", { name: "worker", image: "example.com/a:1" });
  expect(said(await failed)).toContain(`Template "worker" exists already. Set adoptId: "${id}" to adopt it`);
  await up(worker({ adoptId: id }));
  expect((await service.state()).templates.map((each) => each.id)).toEqual([id]);
  await expectUnchanged(1);
});

test("several of one name, where all that the state lacks is adopted: the adoptId of the right one", async () => {
  for (const _ of [1, 2]) await service.rest("POST", "/v2/network-volumes", { name: "data", ...VOLUME });
  const both = await volumes();
  await declare({ data: volume() });
  const refused = said(await stack.preview({ fails: true, env: { COMPUTECLOUD_EXISTING: "adopt" } }));
  const [, id = ""] =
    /have the name of this NetworkVolume, "data"\. Set adoptId .*adoptId: "([^"]+)"/.exec(refused) ?? [];
  expect(both).toContain(id);
  await up({ data: volume({ adoptId: id }) });
  expect(await volumes()).toEqual(both);
  await expectUnchanged(1);
  for (const other of both.filter((each) => each !== id)) await service.removed(`/v2/network-volumes/${other}`);
});

test("an adoption that nobody can be told of: a PULUMI_HOME that can be written to", async () => {
  const id = await createVolume("data", under("a"));
  const home = join(stack.folder, "a-home-without-room");
  await mkdir(home);
  await writeFile(join(home, "computecloud"), "");
  await declare({ ...providers, vol: volume({ adoptId: id }, under("b")) });
  const refused = said(await stack.up({ fails: true, env: { PULUMI_HOME: home } }));
  expect(refused).toContain("Set PULUMI_HOME to a folder that can be written to.");
  await stack.up();
  expect(await volumes()).toEqual([id]);
  await expectUnchanged(1);
});
