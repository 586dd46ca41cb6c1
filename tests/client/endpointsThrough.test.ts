/* One endpoint through two interfaces: what either was told, the other shows, and REST takes over where GraphQL ends. */
import { isDeepStrictEqual } from "node:util";
import { beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { RetiredError, type SaveEndpointInput, UsageError } from "../../client";
import { placeForAll } from "../harness/place";
import { savedEndpoint, template } from "../harness/requests";
import { json, Script, type Step, serverForEach, text } from "../harness/script";

const DAY_MS = 86_400_000;

const place = placeForAll({ settings: { rateLimitExempt: true, workerQuota: 1_000_000 } });
let templateId: string;
let volumeIds: string[];
beforeEach(async () => {
  await place.reset();
  await place.service.settings({ graphqlEndsAt: null });
  const client = place.client();
  templateId = (await client.templates.create({ ...template("t"), serverless: true })).id;
  const volumes = ["EU-RO-1", "US-KS-2"].map((dataCenter) => ({ name: "models", size: 10, dataCenter }));
  volumeIds = await Promise.all(volumes.map(async (each) => (await client.networkVolumes.create(each)).id));
  await place.forgetCalls();
});

const end = () => place.service.settings({ graphqlEndsAt: new Date(Date.now() - DAY_MS).toISOString() });
const callsOf = async (name: "graphql" | "rest") =>
  (await place.service.log()).filter((call) => call.interface === name).map(({ operation }) => operation);

describe("an endpoint", () => {
  const inputs = fc
    .record({
      name: fc.stringMatching(/^[a-z]{3,12}$/),
      gpu: fc.record({
        pools: fc.constantFrom<string[]>(["AMPERE_16"], ["ADA_24", "AMPERE_16"]),
        excludedTypes: fc.constantFrom<string[] | undefined>(undefined, ["NVIDIA RTX A4500", "NVIDIA RTX A4000"]),
        count: fc.integer({ min: 1, max: 4 }),
      }),
      type: fc.constantFrom("QUEUE" as const, "LOAD_BALANCER" as const),
      dataCenterIds: fc.constantFrom<string[]>([], ["EU-RO-1"], ["EU-RO-1", "US-KS-2"]),
      volumes: fc.integer({ min: 0, max: 2 }),
      workers: fc.record({
        min: fc.integer({ min: 0, max: 2 }),
        max: fc.integer({ min: 2, max: 5 }),
        idleTimeout: fc.integer({ min: 1, max: 3600 }),
      }),
      isDelay: fc.boolean(),
      scalerValue: fc.integer({ min: 1, max: 50 }),
      flashboot: fc.constantFrom("OFF" as const, "FLASHBOOT" as const, "PRIORITY_FLASHBOOT" as const),
    })
    .map(({ isDelay, scalerValue, ...input }) => ({ ...input, scaling: scalingBy(isDelay, scalerValue, input.type) }));
  const scalingBy = (isDelay: boolean, value: number, type: "QUEUE" | "LOAD_BALANCER") =>
    isDelay && type === "QUEUE"
      ? { type: "QUEUE_DELAY" as const, queueDelay: value }
      : { type: "REQUEST_COUNT" as const, requestCount: value };
  type Drawn = typeof inputs extends fc.Arbitrary<infer T> ? T : never;
  const inputOf = ({ volumes, gpu: { pools, excludedTypes, count }, ...fields }: Drawn): SaveEndpointInput => ({
    ...fields,
    gpu: { pools, count, ...(excludedTypes && { excludedTypes }) },
    templateId,
    // Workers can't reach the second volume from the first data center alone.
    networkVolumes: volumeIds.slice(0, fields.dataCenterIds.length === 1 ? Math.min(volumes, 1) : volumes),
  });

  /** What is shown of an input; REST has no idle timeout for a queue that scales by its requests. */
  const expected = ({ templateId: _, workers: { idleTimeout, ...workers }, ...input }: SaveEndpointInput) => ({
    ...input,
    workers: {
      ...workers,
      ...((input.type === "LOAD_BALANCER" || input.scaling.type === "QUEUE_DELAY") && { idleTimeout }),
    },
  });

  test("that REST has made shows over GraphQL what it was told", async () => {
    await fc.assert(
      fc.asyncProperty(inputs, async (drawn) => {
        const input = inputOf(drawn);
        const created = await place.client({ endpointsThrough: "rest" }).endpoints.save(input);
        expect(await place.client().endpoints.get(created.id)).toMatchObject(expected(input));
      }),
      { numRuns: 20 },
    );
  });

  test("that GraphQL has made shows the same over REST, and is changed there field by field", async () => {
    await fc.assert(
      fc.asyncProperty(inputs, inputs, async (first, second) => {
        const before = inputOf(first);
        const after = inputOf({
          ...second,
          type: first.type,
          ...(first.type === "LOAD_BALANCER" && { scaling: { type: "REQUEST_COUNT", requestCount: 3 } }),
        });
        const graphql = place.client({ endpointsThrough: "graphql" });
        const rest = place.client({ endpointsThrough: "rest" });
        const { id } = await graphql.endpoints.save(before);
        expect(await rest.endpoints.get(id)).toMatchObject(expected(before));
        const fields = Object.keys(after) as (keyof SaveEndpointInput)[];
        const changed = new Set(fields.filter((field) => !isDeepStrictEqual(before[field], after[field])));
        expect(await rest.endpoints.save({ ...after, id }, { changed })).toMatchObject({ id });
        expect(await graphql.endpoints.get(id)).toMatchObject({ ...expected(after), templateId });
      }),
      { numRuns: 20 },
    );
  });

  test.each(["graphql", "rest"] as const)("that was read over %s is saved with changes", async (endpointsThrough) => {
    const { endpoints, globalVolumes } = place.client({ endpointsThrough });
    const { id: volumeId } = await globalVolumes.create({ name: "models" });
    await fc.assert(
      fc.asyncProperty(inputs, async (drawn) => {
        const mounts = drawn.volumes > 0 ? {} : { globalVolumes: [volumeId] };
        const { id } = await endpoints.save({ ...inputOf(drawn), ...mounts });
        const read = await endpoints.get(id);
        const withMost = (max: number) => ({ ...read, workers: { ...read.workers, max } });
        const saved = await endpoints.save(withMost(7));
        expect(await endpoints.get(id)).toEqual(withMost(7));
        await endpoints.save({ ...read, ...saved, workers: { ...saved.workers, max: 8 } });
        expect(await endpoints.get(id)).toEqual(withMost(8));
        const { mounts: live } = await place.client().serverless.get(id);
        expect(live?.global).toEqual(drawn.volumes > 0 ? [] : [{ volumeId }]);
        await endpoints.save({ ...withMost(8), networkVolumes: [] });
        expect(await endpoints.get(id)).toEqual({ ...withMost(8), networkVolumes: [] });
      }),
      { numRuns: 10 },
    );
  });

  test("that was read is not saved where a field is missing that GraphQL would reset", async () => {
    const { endpoints } = place.client();
    const { id } = await endpoints.save(savedEndpoint("chat", templateId));
    const { workers, ...read } = await endpoints.get(id);
    await place.forgetCalls();
    const saving = endpoints.save({ ...read, workers: { ...workers, max: undefined } });
    await expect(saving).rejects.toThrow(/^Endpoint: workers\.max: .*Nothing was sent/);
    expect(await callsOf("graphql")).toEqual([]);
  });

  test.each([
    ["GraphQL does not have it", { graphqlLacks: ["flashBootType"] }],
    ["the key may not read it", { graphqlForbids: ["flashBootType"] }],
  ])("shows its FlashBoot, and is read without it where %s", async (_, settings) => {
    const { endpoints } = place.client({ readWindowMs: 0 });
    const setting = { flashboot: "FLASHBOOT" } as const;
    const { id } = await endpoints.save({ ...savedEndpoint("chat", templateId), ...setting });
    expect(await endpoints.get(id)).toMatchObject(setting);
    expect(await endpoints.list()).toMatchObject([setting]);

    await place.service.settings(settings);
    await place.forgetCalls();
    for (const read of [await endpoints.get(id), ...(await endpoints.list()), await endpoints.get(id)]) {
      expect(read).toMatchObject({ id, workers: { max: 0 } });
      expect(read).not.toHaveProperty("flashboot");
    }
    // The first is refused and sent again; from then on the client knows.
    expect(await callsOf("graphql")).toHaveLength(4);
    await place.service.settings({ graphqlLacks: [], graphqlForbids: [] });
  });

  test.each([
    ["graphql", "saveEndpoint"],
    ["rest", "createEndpoint"],
  ] as const)(
    "that is made over %s is not taken for a deleted one of its name, which is still shown",
    async (through, operation) => {
      const { endpoints } = place.client({ endpointsThrough: through, clock: place.sharedClock() });
      const { id } = await place.client().endpoints.save(savedEndpoint("chat", templateId));
      await place.service.advance(60_000);
      await place.service.settings({ listLagMs: 8_000, readLagMs: 8_000, restDeletesTemplate: "never" });
      await endpoints.delete(id);
      await place.service.fault({ match: { operation }, act: { drop: "after" } });
      const saved = await endpoints.save(savedEndpoint("chat", templateId), { uniqueName: true });
      await place.service.settings({ listLagMs: 0, readLagMs: 0, restDeletesTemplate: "unlessUsed" });
      expect((await place.state()).endpoints).toMatchObject([{ id: saved.id }]);
    },
  );

  test("in countries keeps them over REST, which refuses to be told others", async () => {
    const graphql = place.client({ endpointsThrough: "graphql" });
    const rest = place.client({ endpointsThrough: "rest" });
    const input = { ...savedEndpoint("chat", templateId), dataCenterIds: ["RO", "US"] };
    const { id } = await graphql.endpoints.save(input);
    const workers = { ...input.workers, max: 2 };
    await rest.endpoints.save({ ...input, id, workers }, { changed: new Set(["workers"]) });
    expect(await graphql.endpoints.get(id)).toMatchObject({ dataCenterIds: ["RO", "US"], workers });
    await expect(rest.endpoints.save(input)).rejects.toThrow(UsageError);
    const saving = rest.endpoints.save({ ...input, id });
    await expect(saving).rejects.toThrow("REST takes data centers, not countries (RO, US)");
  });
});

describe("where GraphQL has ended", () => {
  const script = serverForEach(new Script());
  const notes = (noted = false) => {
    const log: string[] = [];
    const isNoted = () => {
      log.push("asked");
      return noted;
    };
    return { log, isNoted, note: () => void log.push("noted") };
  };

  test("every call goes on over REST, the first to meet it included, and the end is noted once", async () => {
    const graphqlEnd = notes();
    const client = place.client({ graphqlEnd });
    const stored = await client.endpoints.save(savedEndpoint("chat", templateId));
    expect(client.endpoints.through()).toBe("graphql");
    await end();
    await place.forgetCalls();
    expect(await client.endpoints.find(stored.id)).toMatchObject({ id: stored.id, name: "chat", throughRest: true });
    expect(client.endpoints.through()).toBe("rest");
    const created = await client.endpoints.save(savedEndpoint("embed", templateId));
    const workers = { min: 0, max: 3, idleTimeout: 5 };
    await client.endpoints.save({ ...savedEndpoint("embed", templateId), id: created.id, workers });
    expect((await client.endpoints.list()).map((each) => each.workers?.max).sort()).toEqual([0, 3]);
    await client.endpoints.delete(stored.id);
    expect(await client.endpoints.read(stored.id)).toBeUndefined();
    expect(await callsOf("graphql")).toEqual(["myself"]);
    expect(graphqlEnd.log).toEqual(["asked", "noted"]);
  });

  test("each of many that were sent together is made once, a few at a time", async () => {
    await end();
    const client = place.client().gathering();
    const all = Array.from({ length: 30 }, (_, index) => savedEndpoint(`endpoint-${index}`, templateId));
    const created = await Promise.all(all.map((input) => client.endpoints.save(input, { uniqueName: true })));
    expect(new Set(created.map(({ id }) => id)).size).toBe(30);
    expect((await place.state()).endpoints).toHaveLength(30);
    expect(await callsOf("graphql")).toEqual(["saveEndpoint", "saveEndpoint"]);
    await place.forgetCalls();
    expect(await Promise.all(created.map(({ id }) => client.endpoints.find(id)))).toHaveLength(30);
    expect(await callsOf("rest")).toEqual(["listEndpoints"]);
  });

  test("nobody is asked again where that is noted", async () => {
    await end();
    const client = place.client({ graphqlEnd: notes(true) });
    await client.endpoints.save(savedEndpoint("chat", templateId));
    expect(await callsOf("graphql")).toEqual([]);
  });

  test("it is an error, with the way out, for those who chose GraphQL", async () => {
    await end();
    const list = place.client({ endpointsThrough: "graphql" }).endpoints.list();
    await expect(list).rejects.toThrow(RetiredError);
    await expect(list).rejects.toThrow("set computecloud:endpointsThrough to auto or rest");
  });

  test.each<[string, Step]>([
    ["nothing", (_, response) => void response.writeHead(410).end()],
    ["a web page", text("<p>Gone</p>", 410, "text/html")],
    ["GraphQL's errors", json({ errors: [{ message: "retired" }] }, 410)],
    ["data", json({ data: { myself: null } }, 410)],
  ])("is told by the status, whatever the body is: %s", async (_, gone) => {
    script.play(gone, json({ endpoints: [] }));
    expect(await script.client().endpoints.list()).toEqual([]);
    expect(script.received.map(({ url }) => url)).toEqual(["/graphql", "/v2/serverless"]);
  });

  test("a create whose answer was lost before is looked for, and not made a second time", async () => {
    const clock = place.sharedClock();
    // It ends while the create is being looked for.
    const sleep = async (ms: number, signal?: AbortSignal) => {
      await end();
      await clock.sleep(ms, signal);
    };
    const client = place.client({ clock: { now: () => clock.now(), sleep } });
    await place.service.fault({ match: { operation: "saveEndpoint" }, act: { drop: "after" } });
    const saving = client.endpoints.save(savedEndpoint("chat", templateId), { uniqueName: true });

    expect(await saving).toMatchObject({ name: "chat", throughRest: true });
    expect((await place.state()).endpoints).toHaveLength(1);
  });
});
