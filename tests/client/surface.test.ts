import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Client } from "../../client";
import { NotFoundError } from "../../client";
import { placeForAll } from "../harness/place";
import { cluster, endpoint, pod, registry, savedEndpoint, template, volume } from "../harness/requests";

describe("the typed surface against the emulator", () => {
  const place = placeForAll();
  let client: Client;
  beforeAll(async () => {
    client = place.client();
  });
  beforeEach(() => place.reset());

  test("a pod lives through create, read, update, stop, start and delete", async () => {
    const created = await client.pods.create(pod("one"));
    expect(await client.pods.get(created.id)).toMatchObject({ id: created.id, name: "one" });
    expect(await client.pods.update(created.id, { name: "two" })).toMatchObject({ name: "two" });
    expect(await client.pods.action(created.id, "stop")).toMatchObject({ id: created.id });
    expect(await client.pods.action(created.id, "start")).toMatchObject({ id: created.id });
    expect(await client.pods.action(created.id, "terminate")).toBeUndefined();
    expect(await client.pods.read(created.id)).toBeUndefined();
    await client.pods.delete(created.id);
    await expect(client.pods.get(created.id)).rejects.toThrow(NotFoundError);
  });

  test("a cluster shows its member pods, which the list of pods leaves out", async () => {
    const { id } = await client.clusters.create(cluster("ring"));
    // Members are placed one after the other.
    await place.service.advance(60_000);
    expect(await client.clusters.pods(id)).toHaveLength(2);
    expect(await client.pods.list()).toHaveLength(0);
    expect(await client.pods.list({ includeClusterPods: true })).toHaveLength(2);
    expect(await client.clusters.update(id, { name: "circle" })).toMatchObject({ name: "circle" });
    await client.clusters.delete(id);
    expect(await client.clusters.list()).toEqual([]);
  });

  test("a list of a thousand takes one call, and one more takes two", async () => {
    const volumes = Array.from({ length: 1001 }, (_, index) => ({
      id: `gsb_${index}`,
      name: `v${index}`,
      createdAt: 0,
      createdByUserId: null,
    }));
    for (const [count, calls] of [
      [1000, 1],
      [1001, 2],
    ] as const) {
      await place.service.setState({ globalVolumes: volumes.slice(0, count) });
      await place.service.forgetCalls();
      expect(await client.globalVolumes.list()).toHaveLength(count);
      expect(await place.service.calls()).toHaveLength(calls);
    }
    await place.service.setState({ globalVolumes: [] });
  });

  test("an endpoint over REST has workers and releases", async () => {
    const { id } = await client.serverless.create(endpoint("api-endpoint"));
    expect(await client.serverless.update(id, { timeout: 1000 })).toMatchObject({ timeout: 1000 });
    expect((await client.serverless.workers(id)).summary?.total).toBe(0);
    expect((await client.serverless.releases(id)).releases?.length).toBeGreaterThan(0);
    expect(await client.serverless.read(id)).toMatchObject({ id, name: "api-endpoint" });
    await client.serverless.delete(id);
    expect(await client.serverless.list()).toEqual([]);
  });

  test("an endpoint over GraphQL is created, replaced as a whole and deleted", async () => {
    const { id: templateId } = await client.templates.create({ ...template("t"), serverless: true });
    const input = savedEndpoint("saved", templateId);
    const { id } = await client.endpoints.save(input);
    const workers = { ...input.workers, idleTimeout: 42 };
    expect(await client.endpoints.save({ ...input, id, workers })).toMatchObject({ id, workers });
    expect(await client.endpoints.list()).toHaveLength(1);
    expect(await client.endpoints.get(id)).toMatchObject({ id, name: "saved" });
    await client.endpoints.delete(id);
    expect(await client.endpoints.read(id)).toBeUndefined();
    await client.endpoints.delete(id);
    await expect(client.endpoints.get(id)).rejects.toThrow(NotFoundError);
    expect(await client.endpoints.serverlessDiscount()).toBeNull();
  });

  test("templates, volumes and registries live through create, read, update and delete", async () => {
    const created = await client.templates.create(template("t"));
    expect(await client.templates.update(created.id, { disk: 20 })).toMatchObject({ disk: 20 });
    await client.templates.delete(created.id);
    expect(await client.templates.read(created.id)).toBeUndefined();

    const { id } = await client.networkVolumes.create(volume("v"));
    expect(await client.networkVolumes.update(id, { size: 20 })).toMatchObject({ size: 20 });
    await client.networkVolumes.delete(id);

    const credentials = await client.registries.create(registry("r"));
    expect(await client.registries.list()).toEqual([credentials]);
    await client.registries.delete(credentials.id);
  });

  test("a delegation is read from the list, for there is no read by id", async () => {
    const { id } = await client.delegations.create({
      resource: "arn:aws:ecr:us-east-1:123456789012:repository/app",
      name: "pull",
    });
    expect(await client.delegations.read(id)).toMatchObject({ id, name: "pull" });
    await client.delegations.delete(id);
    expect(await client.delegations.read(id)).toBeUndefined();
  });

  test("the account's ssh keys are put as a whole", async () => {
    expect(await client.sshKeys.put(["ssh-ed25519 AAAA me"])).toEqual(["ssh-ed25519 AAAA me"]);
    expect(await client.sshKeys.get()).toEqual(["ssh-ed25519 AAAA me"]);
    expect(await client.sshKeys.put([])).toEqual([]);
  });

  test("the catalog is read with and without availability", async () => {
    const gpus = await client.catalog.gpus({ include: ["AVAILABILITY"], product: ["POD", "SERVERLESS"] });
    expect(gpus[0]?.availability).toBeDefined();
    expect(await client.catalog.gpu("NVIDIA L4")).toMatchObject({ id: "NVIDIA L4" });
    const [cpu] = await client.catalog.cpus();
    expect(await client.catalog.cpu(cpu?.id ?? "")).toEqual(cpu);
    const [dataCenter] = await client.catalog.dataCenters({ regions: ["EUROPE"] });
    expect(await client.catalog.dataCenter(dataCenter?.id ?? "")).toMatchObject({ region: "EUROPE" });
    expect(Array.isArray(await client.catalog.templates({ source: "official" }))).toBe(true);
  });

  test.each(["summary", "pods", "serverless", "endpoints", "networkVolumes", "clusters"] as const)(
    "the bill of %s has records and totals",
    async (bill) => {
      const { metadata, records } = await client.billing[bill]({ lastN: 3, bucketSize: "day" });
      expect(metadata?.recordCount).toBe(records?.length);
      expect(metadata?.totals?.totalAmount).toBeGreaterThanOrEqual(0);
    },
  );

  test("a job runs, and the queue tells its health", async () => {
    const { id } = await client.serverless.create(endpoint("worker"));
    const queue = client.queue(id);
    const done = await queue.runSync({ input: { prompt: "hello" } });
    expect(done.status).toBe("COMPLETED");
    const { id: jobId } = await queue.run({ input: { n: 1 } });
    expect((await queue.status(jobId)).id).toBe(jobId);
    expect((await queue.health()).workers.running).toBeGreaterThanOrEqual(0);
    expect(await queue.purgeQueue()).toMatchObject({ removed: expect.any(Number) });
  });

  test("a pod's log is followed line by line until the reader leaves", async () => {
    const { id } = await client.pods.create(pod("talker"));
    const lines = [];
    for await (const line of client.pods.logs(id, { tail: 5 })) {
      lines.push(line);
      break;
    }
    expect(lines).toEqual([{ source: expect.any(String), line: expect.any(String), ts: expect.any(String) }]);
  });
});
