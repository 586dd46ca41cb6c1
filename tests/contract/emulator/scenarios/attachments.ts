import { expect } from "@jest/globals";
import type { Conversation } from "../conversation";
import type { Scenario } from "./scenario";

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

export const attachments: readonly Scenario[] = [
  {
    name: "a tag has a key and a value, and is put on what the account has",
    async run(talk) {
      const body = { key: " team ", value: "research" };
      const tag = await talk.call("createTag", 201, { body });
      expect(tag).toMatchObject({ key: "team", value: "research" });
      const params = { id: tag.id };
      expect(await talk.call("getTag", 200, { params })).toEqual(tag);
      await talk.call("createTag", 201, { body });
      const first = await talk.call("listTags", 200, { query: { limit: "1" } });
      expect(first).toMatchObject({ tags: [tag], pagination: { hasNextPage: true } });
      for (const query of [{ limit: "0" }, { cursor: "bogus" }, { include: "pods" }])
        await talk.call("listTags", 422, { query });
      for (const wrong of [{ key: "" }, { key: "RunPod:team" }, { key: "k".repeat(192) }, { value: "v".repeat(192) }])
        await talk.call("createTag", 422, { body: { ...body, ...wrong } });
      await talk.call("createTag", 400, { body: { ...body, resources: [{ type: "POD", id: "nobody" }] } });
      expect(await talk.call("updateTag", 200, { params, body: { value: "" } })).toMatchObject({
        key: "team",
        value: "",
      });
      await talk.call("updateTag", 422, { params, body: {} });
      await talk.call("updateTag", 404, { body: { value: "" } });

      const include = { include: "resources" };
      await attachAndDetach(
        talk,
        "Tag",
        tag.id,
        async () => (await talk.call("getTag", 200, { params, query: include })).resources,
      );
      expect((await talk.call("listTags", 200, { query: include })).tags[0].resources).toEqual([]);
      await talk.control("PUT", "/settings", { tagsShowResources: false });
      const { status } = await talk.exchange("getTag", { params, query: include });
      expect(status).toBe(422);
      await talk.control("PUT", "/settings", { tagsShowResources: true });
      await talk.call("getTag", 422, { params, query: { include: "pods" } });
      await talk.call("deleteTag", 204, { params });
      await talk.call("deleteTag", 404, { params });
      await talk.call("getTag", 404, { params });
    },
  },
  {
    name: "a cost center has a value, shows what is attributed to it, and may be one that nobody can change",
    async run(talk) {
      const body = { value: " research " };
      const center = await talk.call("createCostCenter", 201, { body });
      expect(center).toEqual({ id: center.id, value: "research" });
      const params = { id: center.id };
      expect(await talk.call("getCostCenter", 200, { params })).toEqual(center);
      expect((await talk.call("listCostCenters", 200)).costCenters).toEqual([center]);
      await talk.call("listCostCenters", 422, { query: { limit: "0" } });
      for (const value of ["", " ", "v".repeat(51)]) await talk.call("createCostCenter", 422, { body: { value } });
      await talk.call("createCostCenter", 400, { body: { ...body, resources: [{ type: "POD", id: "nobody" }] } });
      await attachAndDetach(
        talk,
        "CostCenter",
        center.id,
        async () => (await talk.call("listCostCenterResources", 200, { params })).resources,
      );
      await talk.call("listCostCenterResources", 422, { params, query: { limit: "0" } });
      await talk.call("listCostCenterResources", 404);
      await talk.call("getCostCenter", 404);
      const rename = { body: { value: " training " } };
      expect(await talk.call("updateCostCenter", 200, { params, ...rename })).toEqual({ ...center, value: "training" });
      for (const wrong of [{}, { value: " " }]) await talk.call("updateCostCenter", 422, { params, body: wrong });
      await talk.call("updateCostCenter", 404, rename);
      await talk.control("PUT", "/settings", { changesCostCenters: false });
      await talk.call("updateCostCenter", 405, { params, ...rename });
      await talk.call("deleteCostCenter", 405, { params });
      await talk.control("PUT", "/settings", { changesCostCenters: true });
      await talk.call("deleteCostCenter", 204, { params });
      await talk.call("deleteCostCenter", 404, { params });
    },
  },
];
