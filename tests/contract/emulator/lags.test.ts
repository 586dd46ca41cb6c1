/* Reads and lists that lag behind writes, by the settings `readLagMs` and `listLagMs`. */
import { expect, test } from "@jest/globals";
import { accountForAll } from "../../harness/account";
import * as requests from "../../harness/requests";
import { openEndpoint } from "./jobPlane";

const READ_MS = 2_500;
const LIST_MS = 8_000;

const cloud = accountForAll({ settings: { readLagMs: READ_MS, listLagMs: LIST_MS } });

test.each<[string, string, (name: string) => object]>([
  ["pods", "/v2/pods", requests.pod],
  ["templates", "/v2/templates", requests.template],
  ["networkVolumes", "/v2/network-volumes", requests.volume],
  ["endpoints", "/v2/serverless", requests.endpoint],
])("%s are created, changed and deleted at once, and shown late", async (key, path, of) => {
  const names = async () => (await cloud.rest("GET", path)).body[key].map((each: { name: string }) => each.name);
  const { id } = await cloud.create(path, of("before"));
  const read = async () => {
    const { status, body } = await cloud.rest("GET", `${path}/${id}`);
    return status === 200 ? body.name : status;
  };
  const visible = async () => [await read(), await names()];
  expect(await visible()).toEqual([404, []]);
  await cloud.advance(READ_MS);
  expect(await visible()).toEqual(["before", []]);
  await cloud.advance(LIST_MS - READ_MS);
  expect(await visible()).toEqual(["before", ["before"]]);

  expect((await cloud.rest("PATCH", `${path}/${id}`, { name: "after" })).body.name).toBe("after");
  expect(await visible()).toEqual(["before", ["before"]]);
  await cloud.advance(READ_MS);
  expect(await visible()).toEqual(["after", ["before"]]);
  await cloud.advance(LIST_MS - READ_MS);
  expect(await visible()).toEqual(["after", ["after"]]);

  expect((await cloud.rest("DELETE", `${path}/${id}`)).status).toBe(204);
  expect((await cloud.rest("DELETE", `${path}/${id}`)).status).toBe(404);
  expect(await visible()).toEqual(["after", ["after"]]);
  await cloud.advance(READ_MS);
  expect(await visible()).toEqual([404, ["after"]]);
  await cloud.advance(LIST_MS - READ_MS);
  expect(await visible()).toEqual([404, []]);
});

test("a new endpoint is unknown to its queue, and to GraphQL's reads, for as long", async () => {
  const { id } = await openEndpoint(cloud);
  const health = async () => (await cloud.queue("GET", `${id}/health`)).status;
  const read = `{ myself { endpoint(id: "${id}") { id } } }`;
  expect(await health()).toBe(404);
  expect((await cloud.graphql(read)).body.errors).toHaveLength(1);
  expect((await cloud.graphql("{ myself { endpoints { id } } }")).body.data.myself.endpoints).toEqual([]);
  await cloud.advance(LIST_MS);
  expect(await health()).toBe(200);
  expect((await cloud.graphql(read)).body.errors).toBeUndefined();
  expect((await cloud.graphql("{ myself { endpoints { id } } }")).body.data.myself.endpoints).toEqual([{ id }]);
});

test("answers carry the emulator's time as their date", async () => {
  await cloud.advance(3_600_000);
  const { headers } = await cloud.rest("GET", "/v2/pods");
  const now = Date.parse((await cloud.control("GET", "/clock")).body.now);
  expect(Math.abs(Date.parse(headers.get("date") ?? "") - now)).toBeLessThan(2_000);
});
