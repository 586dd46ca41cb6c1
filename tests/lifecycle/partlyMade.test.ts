/* Whatever has an id is recorded: a resource that is forgotten goes on being billed. */
import { expect, test } from "@jest/globals";
import { ContractError } from "../../client";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { PartlyMadeError } from "../../provider/lifecycle/state/partlyMade";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { emulatorForAll } from "../harness/account";
import { contextOf } from "../harness/context";
import { errorOf } from "../harness/until";

const VOLUME = { name: "models", size: 100, dataCenter: "EU-RO-1" };

const { emulator, service } = emulatorForAll();

// finds mutant partly-made-forgotten
test("a create whose answer makes no outputs is recorded as partly made", async () => {
  const unreadable = () => {
    throw new Error("no such tier");
  };
  const volumes = new Lifecycle({ ...networkVolume, computed: unreadable }, async () => contextOf(emulator));
  const { inputs } = await volumes.check({}, VOLUME);
  const error = await errorOf(volumes.create(inputs), PartlyMadeError);
  const [created] = (await service.state()).networkVolumes;
  expect(error).toMatchObject({ id: created?.id, reasons: ["no such tier"], properties: VOLUME });
});

// finds mutant half-understood-create-forgotten
test("a create whose answer can't be understood, but for its id, is recorded as partly made until an update ends it", async () => {
  const odd = () => Promise.reject(new ContractError("the volume's size is missing", { id: "odd", path: "size" }));
  const read = async () => ({ id: "odd", ...VOLUME, type: "STANDARD" as const });
  const volumes = new Lifecycle({ ...networkVolume, create: odd, read }, async () => contextOf(emulator));
  const { inputs } = await volumes.check({}, VOLUME);
  const error = await errorOf(volumes.create(inputs), PartlyMadeError);
  expect(error).toMatchObject({ id: "odd", properties: VOLUME, reasons: ["the volume's size is missing"] });
  const refreshed = (await volumes.read("odd", error.properties))?.state ?? {};
  for (const state of [error.properties, refreshed])
    expect(await volumes.diff("odd", state, inputs)).toMatchObject({ changes: true, replaces: [], differences: [] });
  const { changes } = await volumes.diff("odd", await volumes.update("odd", refreshed, inputs), inputs);
  expect(changes).toBe(false);
});

test("an adoption that fails on its way is recorded as it was found, and the next update ends it", async () => {
  const id = await service.create("/v2/network-volumes", VOLUME);
  const volumes = new Lifecycle(networkVolume, async () => contextOf(emulator));
  const { inputs } = await volumes.check({}, { ...VOLUME, size: 200, adoptId: id });
  await service.fault({ match: { operation: "updateNetworkVolume" }, act: { status: 403 } });
  const error = await errorOf(volumes.create(inputs), PartlyMadeError);
  expect(error).toMatchObject({ id, properties: { ...VOLUME, size: 100 } });
  expect(await volumes.diff(id, error.properties, inputs)).toMatchObject({ changes: true, replaces: [] });
  expect(await volumes.update(id, error.properties, inputs)).toMatchObject({ size: 200 });
});
