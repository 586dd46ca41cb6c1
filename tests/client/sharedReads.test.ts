import { beforeEach, describe, expect, test } from "@jest/globals";
import { type Client, NotFoundError, ServiceError } from "../../client";
import { countTo } from "../harness/jobServer";
import { impatient, placeForAll } from "../harness/place";
import { pod, savedEndpoint, template, volume } from "../harness/requests";

describe("reads by id", () => {
  const place = placeForAll();
  let client: Client;
  let clock: ReturnType<typeof impatient>;
  beforeEach(async () => {
    await place.reset();
    await place.service.settings({ endpointListCap: 400 });
    clock = impatient();
    client = place.client({ clock });
  });

  const volumes = async (count: number) => {
    const creates = Array.from({ length: count }, (_, index) => client.networkVolumes.create(volume(`v${index}`)));
    const ids = (await Promise.all(creates)).map(({ id }) => id);
    await place.forgetCalls();
    return ids;
  };
  const readAll = (ids: string[]) => Promise.all(ids.map((id) => client.networkVolumes.read(id)));
  const list = "GET /v2/network-volumes";

  test("asked alone are a read by id, and from the second within the window on a list", async () => {
    const [a = "", b = "", c = ""] = await volumes(3);
    for (const id of [a, b, c, a]) expect(await client.networkVolumes.read(id)).toMatchObject({ id });
    expect(await place.sent()).toEqual([`${list}/${a}`, list]);
  });

  test("after the window see the service anew", async () => {
    const ids = await volumes(2);
    await readAll(ids);
    await clock.sleep(2_001);
    await readAll(ids);
    expect(await place.sent()).toEqual([list, list]);
  });

  test("of hundreds that take longer than the window, as in a refresh, need one list for each", async () => {
    const ids = await volumes(20);
    await readAll(ids.slice(0, 2));
    for (const id of ids.slice(2)) {
      await clock.sleep(500);
      expect(await client.networkVolumes.read(id)).toMatchObject({ id });
      expect(await client.networkVolumes.read(id)).toMatchObject({ id });
    }
    expect(await place.sent()).toEqual([list]);
  });

  test("of one thing again and again see what changes, however many others the list could still answer", async () => {
    const [a = "", b = ""] = await volumes(2);
    await readAll([a, b]);
    await place.service.rest("PATCH", `/v2/network-volumes/${a}`, { name: "renamed" });
    const seen: unknown[] = [];
    while (!seen.includes("renamed")) {
      expect(seen.length).toBeLessThan(4);
      await clock.sleep(1_000);
      seen.push((await client.networkVolumes.read(a))?.name);
    }
  });

  test("long after the list see the service anew", async () => {
    const [a = "", b = "", c = ""] = await volumes(3);
    await readAll([a, b]);
    await clock.sleep(30_001);
    expect(await client.networkVolumes.read(c)).toMatchObject({ id: c });
    expect(await place.sent()).toEqual([list, `${list}/${c}`]);
  });

  test("after a write to their kind see the service anew", async () => {
    const [a = "", b = ""] = await volumes(2);
    await readAll([a, b]);
    await client.networkVolumes.update(a, { name: "renamed" });
    expect((await readAll([a, b]))[0]).toMatchObject({ name: "renamed" });
    expect((await place.sent()).filter((sent) => sent === list)).toHaveLength(2);
  });

  test("after a write to one are read anew for it alone: the list still answers the others", async () => {
    const [a = "", b = "", c = ""] = await volumes(3);
    await readAll([a, b]);
    await client.networkVolumes.update(a, { name: "renamed" });
    await place.forgetCalls();
    expect(await client.networkVolumes.read(c)).toMatchObject({ id: c });
    expect(await place.sent()).toEqual([]);
    expect(await client.networkVolumes.read(a)).toMatchObject({ name: "renamed" });
    expect(await place.sent()).toEqual([`${list}/${a}`]);
  });

  test("after a write to another kind stay within their window", async () => {
    const ids = await volumes(2);
    await readAll(ids);
    await client.sshKeys.put([]);
    await readAll(ids);
    expect((await place.sent()).filter((sent) => sent === list)).toHaveLength(1);
  });

  test("of pods see a change that a cluster's delete made", async () => {
    const pods = await Promise.all([client.pods.create(pod("a")), client.pods.create(pod("b"))]);
    const read = () => Promise.all(pods.map(({ id }) => client.pods.read(id)));
    await read();
    await place.forgetCalls();
    await client.clusters.delete("unknown");
    await read();
    expect(await place.sent()).toContain("GET /v2/pods?includeClusterPods=true");
  });

  test("missing from the list are gone only when a read of their own says so", async () => {
    const [a = "", b = ""] = await volumes(2);
    expect(await readAll([a, "gone", b])).toMatchObject([{ id: a }, undefined, { id: b }]);
    // Once a kind, a list has to prove that the address is right.
    expect(await place.sent()).toEqual([list, `${list}/gone`, list]);
  });

  test.each([401, 403, 500])("are an error, not gone, when the list answers %i", async (status) => {
    const ids = await volumes(2);
    await place.fault({ path: "/v2/network-volumes", times: 100 }, { status });
    await expect(readAll(ids)).rejects.toMatchObject({ status });
  });

  test("after a list that failed ask again", async () => {
    const ids = await volumes(2);
    const hasty = place.client({ retryBudgetMs: 0 });
    await place.fault({ path: "/v2/network-volumes" }, { status: 503 });
    await expect(Promise.all(ids.map((id) => hasty.networkVolumes.read(id)))).rejects.toThrow(ServiceError);
    expect(await Promise.all(ids.map((id) => hasty.networkVolumes.read(id)))).toMatchObject(ids.map((id) => ({ id })));
  });

  test("fail one by one when their confirmations fail", async () => {
    const ids = await volumes(2);
    await place.fault({ path: "/v2/network-volumes/lost", times: 100 }, { status: 403 });
    const reads = await Promise.allSettled([...ids, "lost"].map((id) => client.networkVolumes.read(id)));
    expect(reads.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  });

  test("that are aborted leave the others alone", async () => {
    const [a = "", b = ""] = await volumes(2);
    const abort = new AbortController();
    const aborted = client.networkVolumes.read(a, { signal: abort.signal });
    const other = client.networkVolumes.read(b);
    abort.abort(new Error("no longer wanted"));
    await expect(aborted).rejects.toThrow("no longer wanted");
    expect(await other).toMatchObject({ id: b });
  });

  const savedEndpoints = async (count: number) => {
    await place.service.settings({ workerQuota: 100_000 });
    const { id: templateId } = await client.templates.create({ ...template("t"), serverless: true });
    const saved = countTo(count).map((n) => client.endpoints.save(savedEndpoint(`endpoint-${n}`, templateId)));
    const ids = (await Promise.all(saved)).map(({ id }) => id);
    await place.forgetCalls();
    return ids;
  };

  test.each([
    [400, 1],
    [1000, 7],
  ])("refresh %i endpoints over GraphQL in %i calls, though the list is capped at 400", async (count, calls) => {
    const ids = await savedEndpoints(count);
    const reads = await Promise.all(ids.map((id) => client.endpoints.read(id)));
    expect(reads.map((read) => read?.id)).toEqual(ids);
    expect(await place.calls()).toHaveLength(calls);
  });

  test("eight at a time, as by an engine, refresh 1000 endpoints over GraphQL in 30 calls, one of them REST's list", async () => {
    const ids = await savedEndpoints(1000);
    const [left, reads] = [ids.toReversed(), new Map<string, string | undefined>()];
    const engine = async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) reads.set(id, (await client.endpoints.read(id))?.id);
    };
    await Promise.all(Array.from({ length: 8 }, engine));
    expect([...reads]).toEqual(ids.map((id) => [id, id]));
    const calls = await place.sent();
    expect(calls.filter((call) => call === "GET /v2/serverless")).toHaveLength(1);
    expect(calls.length).toBeLessThanOrEqual(30);
  });

  test("of endpoints over GraphQL trust REST's 404, not GraphQL's words", async () => {
    const [a = "", b = ""] = await savedEndpoints(2);
    await place.service.settings({ endpointListCap: 1 });
    const reads = await Promise.all([a, b, "gone"].map((id) => client.endpoints.read(id)));
    expect(reads).toMatchObject([{ id: a }, { id: b }, undefined]);
    expect(await place.sent()).toEqual(["myself", "myself", "GET /v2/serverless/gone", "GET /v2/serverless"]);
    await expect(client.endpoints.get("gone")).rejects.toThrow(NotFoundError);
  });

  test("of an endpoint that GraphQL refuses and REST knows are an error", async () => {
    const [a = ""] = await savedEndpoints(1);
    const errors = [{ message: "endpoint not found", path: ["myself", "e0"] }];
    await place.fault({ interface: "graphql" }, { graphqlErrors: errors });
    await expect(client.endpoints.read(a)).rejects.toMatchObject({ name: "GraphqlError", id: a });
  });
});
