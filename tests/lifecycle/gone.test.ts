/* What is gone is removed from the state, and never without a word: another account's key sees nothing of what there is. */
import { beforeEach, expect, test } from "@jest/globals";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { emulatorForAll } from "../harness/account";
import { contextOf, createResource, withMessages } from "../harness/context";

const DOUBT = "If it belongs to an account other than the key's, it still exists.";

const { emulator, service } = emulatorForAll();
let id: string;
let state: Properties;
beforeEach(async () => {
  const { run } = newRun();
  ({ id, state } = await createResource(run, { name: "models", size: 100, dataCenter: "EU-RO-1" }));
  await service.removed(`/v2/network-volumes/${id}`);
});

function newRun() {
  const { context, said } = withMessages(contextOf(emulator));
  return { run: new Lifecycle(networkVolume, async () => context), warnings: said };
}

const removalWarning = () => `NetworkVolume "${id}" was not found and is removed from the state.`;

test("a refresh warns of it", async () => {
  const { run, warnings } = newRun();
  expect(await run.read(id, state)).toBeUndefined();
  expect(warnings).toEqual([`${removalWarning()} ${DOUBT}`]);
});

test("a delete warns of it, and is done", async () => {
  const { run, warnings } = newRun();
  await run.delete(id, state);
  expect(warnings).toEqual([`${removalWarning()} ${DOUBT}`]);
});

test("an update says so, and makes nothing", async () => {
  const { run } = newRun();
  const { inputs } = await run.check(state, { name: "models", size: 200, dataCenter: "EU-RO-1" });
  await expect(run.update(id, state, inputs)).rejects.toMatchObject({
    message: `NetworkVolume "${id}" was deleted outside this program. Run \`pulumi refresh\`, then \`pulumi up\` to create it again.`,
    cause: { status: 404 },
  });
  expect((await service.state()).networkVolumes).toEqual([]);
});

test("a refresh that is refused is an error", async () => {
  const { run } = newRun();
  const created = await createResource(run, { name: "kept", size: 100, dataCenter: "EU-RO-1" });
  await service.fault({ match: { path: "/v2/network-volumes*" }, act: { status: 403 } });
  await expect(run.read(created.id, created.state)).rejects.toThrow("403");
  await service.clearFaults();
  await run.delete(created.id, created.state);
});

// finds mutant failed-delete-is-done
test("a delete that is refused is an error, and what is there stays in the state", async () => {
  const { run, warnings } = newRun();
  const created = await createResource(run, { name: "kept", size: 100, dataCenter: "EU-RO-1" });
  await service.fault({ match: { operation: "deleteNetworkVolume" }, act: { status: 403 } });
  await expect(run.delete(created.id, created.state)).rejects.toThrow("403");
  expect(warnings).toEqual([]);
  await service.clearFaults();
  await run.delete(created.id, created.state);
});
