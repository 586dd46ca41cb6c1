import { expect } from "@jest/globals";
import type { Conversation, Scenarios } from "../conversation";

export const account: Scenarios = {
  async "the account tells its id and e-mail address"(talk) {
    expect(await talk.call("getAccount", 200)).toEqual({ id: "user_emulated", email: "user@emulator.invalid" });
  },
  async "the account tells its limits and its balance"(talk) {
    const limits = { spendRate: { limit: 10_000 }, serverlessWorkers: { limit: 1000 } };
    expect(await talk.call("getAccountLimits", 200)).toEqual(limits);
    expect(await talk.call("getBalance", 200)).toEqual({ balanceAmount: 10_000, billingMode: "PREPAID" });
  },
  async "SSH keys are replaced as a whole and refused when one is not a key"(talk) {
    const keys = ["ssh-ed25519 AAAAC3NzaC1 me@laptop", "ecdsa-sha2-nistp256 AAAAE2VjZHNh"];
    expect(await talk.call("updateSshKeys", 200, { body: { keys } })).toEqual({ keys });
    expect(await talk.call("getSshKeys", 200)).toEqual({ keys });
    await talk.call("updateSshKeys", 422, { body: { keys: ["not a key"] } });
    await talk.call("updateSshKeys", 422, { body: { keys: [], note: "unknown" } });
    expect(await talk.call("updateSshKeys", 200, { body: { keys: [] } })).toEqual({ keys: [] });
  },
  async "a secret keeps its value to itself, and its name for good"(talk) {
    const body = { name: "hf/token", value: "hush", description: "of the team" };
    const secret = await talk.call("createSecret", 201, { body });
    expect(secret).toMatchObject({ name: "hf/token", description: "of the team" });
    expect(JSON.stringify(secret)).not.toContain("hush");
    const params = { id: secret.id };
    expect((await talk.call("listSecrets", 200, { query: { name: "HF/Token" } })).secrets).toEqual([secret]);
    expect((await talk.call("listSecrets", 200, { query: { name: "hf" } })).secrets).toEqual([]);
    await talk.call("listSecrets", 422, { query: { name: "" } });
    await talk.call("createSecret", 409, { body: { ...body, name: "HF/token" } });
    await talk.call("createSecret", 400, { body: { ...body, name: "runpod_token" } });
    for (const wrong of [{ name: "1st" }, { name: "a b" }, { value: "" }])
      await talk.call("createSecret", 422, { body: { ...body, ...wrong } });

    await talk.advance(1_000);
    const described = await talk.call("updateSecret", 200, { params, body: { description: "" } });
    expect(described).toEqual({ ...secret, description: null });
    const rotated = await talk.call("updateSecret", 200, { params, body: { value: "new" } });
    expect(rotated.createdAt).toBe(secret.createdAt);
    expect(Date.parse(rotated.valueLastUpdatedAt)).toBeGreaterThan(Date.parse(secret.valueLastUpdatedAt));
    await talk.call("updateSecret", 422, { params, body: { name: "other" } });
    await talk.call("deleteSecret", 204, { params });
  },
  async "a tag has a key and a value, and is put on what the account has"(talk) {
    const body = { key: " team ", value: "research" };
    const tag = await talk.call("createTag", 201, { body });
    expect(tag).toMatchObject({ key: "team", value: "research" });
    const params = { id: tag.id };
    await talk.call("listTags", 422, { query: { include: "pods" } });
    for (const wrong of [{ key: "" }, { key: "RunPod:team" }, { value: "v".repeat(192) }])
      await talk.call("createTag", 422, { body: { ...body, ...wrong } });
    await talk.call("createTag", 400, { body: { ...body, resources: [{ type: "POD", id: "nobody" }] } });
    const renamed = await talk.call("updateTag", 200, { params, body: { key: " crew " } });
    expect(renamed).toMatchObject({ key: "crew", value: "research" });
    const include = { include: "resources" };
    const listTagged = async () => (await talk.call("getTag", 200, { params, query: include })).resources;
    await attachAndDetach(talk, "Tag", tag.id, listTagged);
    expect((await talk.call("listTags", 200, { query: include })).tags[0].resources).toEqual([]);
    await talk.control("PUT", "/settings", { tagsShowResources: false });
    const { status } = await talk.exchange("getTag", { params, query: include });
    expect(status).toBe(422);
    await talk.control("PUT", "/settings", { tagsShowResources: true });
    await talk.call("getTag", 422, { params, query: { include: "pods" } });
    await talk.call("deleteTag", 204, { params });
  },
  async "a cost center has a value, shows what is attributed to it, and may be one that nobody can change"(talk) {
    const body = { value: " research " };
    const center = await talk.call("createCostCenter", 201, { body });
    expect(center).toEqual({ id: center.id, value: "research" });
    const params = { id: center.id };
    for (const value of ["", " "]) await talk.call("createCostCenter", 422, { body: { value } });
    await talk.call("createCostCenter", 400, { body: { ...body, resources: [{ type: "POD", id: "nobody" }] } });
    const listAttributed = async () => (await talk.call("listCostCenterResources", 200, { params })).resources;
    await attachAndDetach(talk, "CostCenter", center.id, listAttributed);
    await talk.call("listCostCenterResources", 422, { params, query: { limit: "0" } });
    await talk.call("listCostCenterResources", 404);
    const rename = { body: { value: " training " } };
    expect(await talk.call("updateCostCenter", 200, { params, ...rename })).toEqual({ ...center, value: "training" });
    await talk.call("updateCostCenter", 422, { params, body: { value: " " } });
    await talk.control("PUT", "/settings", { changesCostCenters: false });
    // Whatever the id.
    await talk.call("updateCostCenter", 405, rename);
    await talk.call("deleteCostCenter", 405);
    await talk.control("PUT", "/settings", { changesCostCenters: true });
    await talk.call("deleteCostCenter", 204, { params });
  },
};

/** Attaches and detaches at both addresses that the service's pages can be read as. */
async function attachAndDetach(
  talk: Conversation,
  noun: "Tag" | "CostCenter",
  id: string,
  listAttached: () => Promise<unknown>,
) {
  const volume = await talk.call("createNetworkVolume", 201, { body: { name: "v", size: 10, dataCenter: "EU-RO-1" } });
  const resource = { type: "NETWORK_VOLUME", id: volume.id };
  const params = { id, type: resource.type, resourceId: volume.id };
  for (const [attachmentPaths, suffix, other] of [
    ["plain", "Plainly", ""],
    ["resources", "", "Plainly"],
  ] as const) {
    await talk.control("PUT", "/settings", { attachmentPaths });
    for (const act of ["attach", "detach"]) await talk.call(`${act}${noun}${other}`, 404, { params });
    for (let times = 0; times < 2; times++) await talk.call(`attach${noun}${suffix}`, 204, { params });
    expect(await listAttached()).toEqual([resource]);
    for (let times = 0; times < 2; times++) await talk.call(`detach${noun}${suffix}`, 204, { params });
    expect(await listAttached()).toEqual([]);
  }
  for (const wrong of [{ resourceId: "nobody" }, { type: "POD" }, { type: "TEMPLATE" }, { id: "nobody" }])
    await talk.call(`attach${noun}`, 404, { params: { ...params, ...wrong } });
  await talk.call(`attach${noun}`, 204, { params });
  await talk.call("deleteNetworkVolume", 204, { params: { id: volume.id } });
  expect(await listAttached()).toEqual([]);
}
