import { describe, expect, test } from "@jest/globals";
import { BadRequestError, ConflictError, PermissionError } from "../../provider/client";
import { InterruptedError } from "../../provider/lifecycle/wait";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { usersOfRegistry, usersOfTemplate, usersOfVolume } from "../../provider/resources/storage/users";
import { whileInUse } from "../../provider/resources/storage/whileInUse";
import { contextOf, NOWHERE } from "../harness/context";
import { emulatorForAll } from "../harness/forAll";
import { until } from "../harness/until";

const context = contextOf(NOWHERE);

const nobody = async () => [];

/** Deletes that are refused so often. */
function refusing(...errors: readonly Error[]) {
  const refusals = errors.values();
  return {
    delete: async () => {
      const { value } = refusals.next();
      if (value !== undefined) throw value;
      return true;
    },
  };
}

test("what is still in use is tried again until it is free, and the run says so", async () => {
  const told: string[] = [];
  const log = { ...context.log, status: (what: string, text: string) => told.push(`${what}: ${text}`) };
  const remove = refusing(new BadRequestError("in use", { status: 400 }), new ConflictError("in use", { status: 409 }));
  expect(await whileInUse({ ...context, log }, "Template", "t", remove, nobody)).toBe(true);
  expect(told).toEqual([
    "Template t: still in use; trying again for 180 s",
    expect.stringMatching(/^Template t: still in use; trying again for 1(80|79) s$/),
  ]);
});

test("another refusal is an error at once", async () => {
  const error = new PermissionError("not yours", { status: 403 });
  await expect(whileInUse(context, "Template", "t", refusing(error), nobody)).rejects.toBe(error);
});

test("an interrupt ends the wait", async () => {
  const signal = AbortSignal.abort();
  const remove = refusing(new BadRequestError("in use", { status: 400 }));
  await expect(whileInUse({ ...context, signal }, "Template", "t", remove, nobody)).rejects.toThrow(InterruptedError);
});

describe("when the patience is over", () => {
  const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true } });

  const made = async (path: string, body: Record<string, unknown>) =>
    String(Object(await service.rest("POST", path, body)).id);
  const pod = (use: Record<string, unknown>) =>
    made("/v2/pods", { name: "train", image: "registry.example.com/a:1", gpu: { id: "NVIDIA L4" }, ...use });

  test("the error of a template names the endpoints that use it, and the way out", async () => {
    const live = contextOf(emulator);
    const id = await made("/v2/templates", {
      name: "chat",
      image: "registry.example.com/a:1",
      disk: 5,
      serverless: true,
    });
    const scaling = { idleTimeout: 5, scalerType: "QUEUE_DELAY", scalerValue: 4, workersMin: 0, workersMax: 1 };
    const kind = {
      type: "QB" as const,
      flashBootType: "OFF" as const,
      networkVolumeId: null,
      locations: "",
      gpuCount: 1,
    };
    const input = { name: "chat", gpuIds: "ADA_24", templateId: id, ...kind, ...scaling };
    const endpoint = await live.client.endpoints.save(input as Parameters<typeof live.client.endpoints.save>[0]);
    const deleted = whileInUse(live, "Template", id, live.client.templates, usersOfTemplate, 0);
    await expect(deleted).rejects.toThrow(
      `Template ${id} is used by endpoint "${endpoint.name}" (${endpoint.id}). Delete what uses it, or keep it: set retainOnDelete`,
    );
  });

  test("volumes name their pods and endpoints, registries their pods", async () => {
    const live = contextOf(emulator);
    const volume = await made("/v2/network-volumes", { name: "models", size: 10, dataCenter: "EU-RO-1" });
    const registry = await made("/v2/registries", { name: "images", username: "ci", password: "change-me" });
    const mounts = { network: [{ volumeId: volume, path: "/workspace" }] };
    const user = await pod({ mounts, registry, dataCenterIds: ["EU-RO-1"] });
    const train = { id: user, label: `pod "train" (${user})` };
    expect(await usersOfVolume(live, volume)).toEqual([train]);
    expect(await usersOfRegistry(live, registry)).toEqual([train]);
  });

  test("is long before that where a user stays, and not where this run deletes all of them", async () => {
    const live = contextOf(emulator);
    const volume = await made("/v2/network-volumes", { name: "shared", size: 10, dataCenter: "EU-RO-1" });
    const mounts = { network: [{ volumeId: volume, path: "/workspace" }] };
    const user = await pod({ mounts, dataCenterIds: ["EU-RO-1"] });
    const remove = () => networkVolume.delete(live, volume, {});
    await expect(remove()).rejects.toThrow(
      `NetworkVolume ${volume} is used by pod "train" (${user}). Delete what uses it`,
    );

    live.holders.deletes(user);
    const before = (await service.calls()).filter((call) => call === "listPods").length;
    const removed = remove();
    const looked = async () => (await service.calls()).filter((call) => call === "listPods").length > before;
    await until(looked);
    await service.rest("DELETE", `/v2/pods/${user}`);
    expect(await removed).toBe(true);
  });

  test.each([
    ["nobody is found", async () => []],
    ["nobody can be looked for", async () => Promise.reject(new Error("no connection"))],
  ])("the service's refusal is the error where %s", async (_, users) => {
    const refusal = new ConflictError("in use", { status: 409 });
    await expect(whileInUse(context, "Template", "t", refusing(refusal), users, 0)).rejects.toBe(refusal);
  });

  test("five users are named, and the others counted", async () => {
    const users = async () => [..."abcdefg"].map((label) => ({ id: label, label }));
    const refused = refusing(new ConflictError("in use", { status: 409 }));
    await expect(whileInUse(context, "Template", "t", refused, users, 0)).rejects.toThrow(
      "Template t is used by a, b, c, d, e, 2 more.",
    );
  });
});
