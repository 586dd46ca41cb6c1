import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { certain, chosen, deleteOrphans, findOrphans, generatedIn, type Orphans } from "../../cli/drift/drift";
import type { Client } from "../../client";
import { Ledger } from "../../provider/memory/ledger";
import { contextOf } from "../harness/context";
import { folderForAll, leave } from "../harness/folder";
import { placeForAll } from "../harness/place";
import { cluster, endpoint, pod, registry, template, volume } from "../harness/requests";

const place = placeForAll();
let client: Client;
beforeEach(() => {
  client = place.client();
});
afterEach(() => place.reset());

test("an orphan of every kind that the account lists is found, and nothing with a name of somebody's own", async () => {
  for (const name of ["lost-0a1b2c3", "my-own"]) {
    await client.pods.create(pod(name));
    await client.clusters.create(cluster(name));
    await client.serverless.create(endpoint(name));
    await client.templates.create(template(name));
    await client.networkVolumes.create(volume(name));
    await client.registries.create(registry(name));
    await client.delegations.create({ name, resource: `arn:aws:ecr:eu-west-1:123456789012:repository/${name}` });
    await client.secrets.create({ name, value: "hunter2" });
  }
  const orphans = await generatedIn(client, new AbortController().signal);
  expect(orphans.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(
    ["Cluster", "EcrDelegation", "NetworkVolume", "Pod", "Registry", "Secret", "ServerlessEndpoint", "Template"].map(
      (kind) => `${kind} lost-0a1b2c3`,
    ),
  );
});

const DEFAULTS = { isCertain: false, wasAsked: true, mayComeUpUntil: undefined };
const LEFTOVER = { seed: "s", kind: "Pod", begun: new Date(0), stack: undefined, account: undefined, ...DEFAULTS };
const ORPHANS: Orphans = {
  left: [
    { ...LEFTOVER, name: "one", ids: ["a"], isCertain: true },
    { ...LEFTOVER, name: "several", ids: ["b", "c"] },
    { ...LEFTOVER, name: "one of several", ids: ["d"] },
    { ...LEFTOVER, name: "none", ids: [], mayComeUpUntil: new Date(1) },
  ],
  underWay: [{ kind: "Pod", name: "running" }],
  named: [{ kind: "Template", id: "t", name: "lost-0a1b2c3" }],
};

test("what is certain is what a killed run has left, exists, and can be told apart", () =>
  expect(certain(ORPHANS)).toEqual([{ kind: "Pod", id: "a", name: "one" }]));

const folder = folderForAll();

test("what was found beside another of its name is not certain once the other is deleted", async () => {
  const begun = { kind: "NetworkVolume", name: "data", begun: 1, before: [] };
  leave(folder.path, [{ is: "creating", place: "seed", ...begun }]);
  const create = () => client.networkVolumes.create(volume("data"));
  const [one, other] = [await create(), await create()];
  const find = () => findOrphans(contextOf(place.emulator), new Ledger({ folder: folder.path }), async () => []);
  expect(certain(await find())).toEqual([]);
  await client.networkVolumes.delete(one.id);
  const { left } = await find();
  expect(left).toMatchObject([{ ids: [other.id], isCertain: false }]);
});

test("what a run records while the account is listed is no orphan", async () => {
  const { id } = await client.networkVolumes.create(volume("data-0a1b2c3"));
  const readStates = async () => {
    expect(await place.sent()).toContain("GET /v2/network-volumes");
    return [[{ urn: "u", type: "t", id, outputs: {} }]];
  };
  const { named } = await findOrphans(contextOf(place.emulator), new Ledger({ folder: folder.path }), readStates);
  expect(named).toEqual([]);
});

test("the rest goes by its id alone, and nothing that is no orphan", () => {
  const [several, lost] = [{ kind: "Pod", id: "c", name: "several" }, ORPHANS.named[0]];
  expect(chosen(ORPHANS, ["c", "t"])).toEqual([several, lost]);
  expect(() => chosen(ORPHANS, ["a", "mine"])).toThrow(/^mine is not in this list/);
});

test("orphans go before what they use, and what is refused doesn't keep the others", async () => {
  const held = { kind: "NetworkVolume", id: (await client.networkVolumes.create(volume("kept"))).id, name: "kept" };
  const lost = { kind: "NetworkVolume", id: (await client.networkVolumes.create(volume("lost"))).id, name: "lost" };
  const user = { kind: "Pod", id: (await client.pods.create(pod("user"))).id, name: "user" };
  await place.fault({ method: "DELETE", path: `/v2/network-volumes/${held.id}` }, { status: 403 });
  const deleted: string[] = [];
  const failures = await deleteOrphans(contextOf(place.emulator), [held, lost, user], new Set(), ({ name }) =>
    deleted.push(name),
  );
  expect(deleted).toEqual(["user", "lost"]);
  expect([...failures.keys()]).toEqual([held.id]);
});
