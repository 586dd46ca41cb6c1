/* One endpoint through two interfaces: what either was told, the other shows, and REST takes over where GraphQL ends. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { RetiredError, type SaveEndpointInput, UsageError } from "../../client";
import { placeForAll } from "../harness/forAll";
import { serverForEach } from "../harness/forEach";
import { savedEndpoint, template } from "../harness/requests";
import { json, Script, type Step } from "../harness/script";

const DAY_MS = 86_400_000;

const place = placeForAll({ settings: { rateLimitExempt: true, workerQuota: 1_000_000 } });
let templateId: string;
let volumeId: string;
beforeEach(async () => {
  await place.reset();
  await place.service.settings({ graphqlEndsAt: null });
  const client = place.client();
  templateId = (await client.templates.create({ ...template("t"), serverless: true })).id;
  volumeId = (await client.networkVolumes.create({ name: "models", size: 10, dataCenter: "EU-RO-1" })).id;
  await place.forgetCalls();
});

const end = () => place.service.settings({ graphqlEndsAt: new Date(Date.now() - DAY_MS).toISOString() });
const callsOf = async (name: "graphql" | "rest") =>
  (await place.service.log()).filter((call) => call.interface === name).map(({ operation }) => operation);

describe("an endpoint", () => {
  const inputs = fc
    .record({
      name: fc.stringMatching(/^[a-z]{3,12}$/),
      gpuIds: fc.constantFrom("AMPERE_16", "ADA_24,AMPERE_16", "AMPERE_16,ADA_24,-NVIDIA RTX A4500,-NVIDIA RTX A4000"),
      gpuCount: fc.integer({ min: 1, max: 4 }),
      type: fc.constantFrom("QB" as const, "LB" as const),
      places: fc.constantFrom("", "EU-RO-1", "EU-RO-1,US-KS-2"),
      hasVolume: fc.boolean(),
      idleTimeout: fc.integer({ min: 1, max: 3600 }),
      scalerType: fc.constantFrom("QUEUE_DELAY" as const, "REQUEST_COUNT" as const),
      scalerValue: fc.integer({ min: 1, max: 50 }),
      workersMin: fc.integer({ min: 0, max: 2 }),
      workersMax: fc.integer({ min: 2, max: 5 }),
      flashBootType: fc.constantFrom("OFF" as const, "FLASHBOOT" as const, "PRIORITY_FLASHBOOT" as const),
    })
    .map(({ places, hasVolume, ...input }) => ({
      ...input,
      ...(input.type === "LB" && { scalerType: "REQUEST_COUNT" as const }),
      locations: places,
      networkVolumeId: hasVolume,
    }));
  type Given = typeof inputs extends fc.Arbitrary<infer T> ? T : never;
  const inputOf = ({ networkVolumeId, ...given }: Given): SaveEndpointInput => ({
    ...given,
    templateId,
    networkVolumeId: networkVolumeId ? volumeId : null,
  });

  /** What GraphQL shows of an input; REST has no idle timeout for a queue that scales by its requests. */
  const expected = ({ templateId: _, idleTimeout, locations, ...input }: SaveEndpointInput) => ({
    ...input,
    locations: locations === "" ? null : locations,
    ...((input.type === "LB" || input.scalerType === "QUEUE_DELAY") && { idleTimeout }),
  });

  test("that REST has made shows over GraphQL what it was told", async () => {
    await fc.assert(
      fc.asyncProperty(inputs, async (given) => {
        const input = inputOf(given);
        const made = await place.client({ endpointsThrough: "rest" }).endpoints.save(input);
        expect(await place.client().endpoints.get(made.id)).toMatchObject(expected(input));
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
          ...(first.type === "LB" && { scalerType: "REQUEST_COUNT" }),
        });
        const graphql = place.client({ endpointsThrough: "graphql" });
        const rest = place.client({ endpointsThrough: "rest" });
        const { id } = await graphql.endpoints.save(before);
        const { locations, ...others } = expected(before);
        expect(await rest.endpoints.get(id)).toMatchObject({ ...others, locations: locations ?? "" });
        const fields = Object.keys(after) as (keyof SaveEndpointInput)[];
        const changed = new Set(fields.filter((field) => before[field] !== after[field]));
        expect(await rest.endpoints.save({ ...after, id }, { changed })).toMatchObject({ id });
        expect(await graphql.endpoints.get(id)).toMatchObject({ ...expected(after), templateId });
      }),
      { numRuns: 20 },
    );
  });

  test.each(["graphql", "rest"] as const)("that was read over %s is saved with changes", async (endpointsThrough) => {
    const { endpoints, globalVolumes } = place.client({ endpointsThrough });
    const { id: volumeId } = await globalVolumes.create({ name: "models" });
    const volumes = [{ volumeId, volumeType: "OBJECT_STORE_VOLUME" as const }];
    await fc.assert(
      fc.asyncProperty(inputs, async (given) => {
        const { id } = await endpoints.save({ ...inputOf(given), ...(!given.networkVolumeId && { volumes }) });
        const read = await endpoints.get(id);
        const saved = await endpoints.save({ ...read, workersMax: 7 });
        expect(await endpoints.get(id)).toEqual({ ...read, workersMax: 7 });
        await endpoints.save({ ...read, ...saved, workersMax: 8 });
        expect(await endpoints.get(id)).toEqual({ ...read, workersMax: 8 });
        expect((await place.client().serverless.get(id)).globalVolumes).toEqual(
          given.networkVolumeId ? [] : [volumeId],
        );
      }),
      { numRuns: 10 },
    );
  });

  test("that was read is not saved where a field is missing that GraphQL would reset", async () => {
    const { endpoints } = place.client();
    const { id } = await endpoints.save(savedEndpoint("chat", templateId));
    const { workersMax: _, ...read } = await endpoints.get(id);
    await place.forgetCalls();
    await expect(endpoints.save(read)).rejects.toThrow(/^Endpoint: workersMax: .*Nothing was sent/);
    expect(await callsOf("graphql")).toEqual([]);
  });

  test("shows its FlashBoot and its workers, and is read without them where GraphQL does not have them", async () => {
    const { endpoints } = place.client({ readWindowMs: 0 });
    const input = { ...savedEndpoint("chat", templateId), workersMin: 1, workersMax: 1, flashBootType: "FLASHBOOT" };
    const { id } = await endpoints.save(input as SaveEndpointInput);
    const shown = { flashBootType: "FLASHBOOT", pods: [{ desiredStatus: "RUNNING" }] };
    expect(await endpoints.get(id)).toMatchObject(shown);
    expect(await endpoints.list()).toMatchObject([shown]);

    await place.service.settings({ graphqlLacks: ["flashBootType"] });
    await place.forgetCalls();
    for (const read of [await endpoints.get(id), ...(await endpoints.list()), await endpoints.get(id)]) {
      expect(read).toMatchObject({ id, workersMax: 1 });
      expect(read).not.toHaveProperty("flashBootType");
      expect(read).not.toHaveProperty("pods");
    }
    // The first is refused and sent again; from then on the client knows.
    expect(await callsOf("graphql")).toHaveLength(4);
    await place.service.settings({ graphqlLacks: [] });
  });

  test("in countries keeps them over REST, which refuses to be told others", async () => {
    const graphql = place.client({ endpointsThrough: "graphql" });
    const rest = place.client({ endpointsThrough: "rest" });
    const input = { ...savedEndpoint("chat", templateId), locations: "RO,US" };
    const { id } = await graphql.endpoints.save(input);
    await rest.endpoints.save({ ...input, id, workersMax: 2 }, { changed: new Set(["workersMax"]) });
    expect(await graphql.endpoints.get(id)).toMatchObject({ locations: "RO,US", workersMax: 2 });
    await expect(rest.endpoints.save(input)).rejects.toThrow(UsageError);
    await expect(rest.endpoints.save({ ...input, id })).rejects.toThrow(
      "REST takes data centers, not countries (RO, US)",
    );
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
    const kept = await client.endpoints.save(savedEndpoint("chat", templateId));
    expect(client.endpoints.through()).toBe("graphql");
    await end();
    await place.forgetCalls();
    expect(await client.endpoints.find(kept.id)).toMatchObject({ id: kept.id, name: "chat", throughRest: true });
    expect(client.endpoints.through()).toBe("rest");
    const made = await client.endpoints.save(savedEndpoint("embed", templateId));
    await client.endpoints.save({ ...savedEndpoint("embed", templateId), id: made.id, workersMax: 3 });
    expect((await client.endpoints.list()).map(({ workersMax }) => workersMax).sort()).toEqual([0, 3]);
    await client.endpoints.delete(kept.id);
    expect(await client.endpoints.read(kept.id)).toBeUndefined();
    expect(await callsOf("graphql")).toEqual(["myself"]);
    expect(graphqlEnd.log).toEqual(["asked", "noted"]);
  });

  test("each of many that were sent together is made once, a few at a time", async () => {
    await end();
    const client = place.client().gathering();
    const all = Array.from({ length: 30 }, (_, index) => savedEndpoint(`endpoint-${index}`, templateId));
    const made = await Promise.all(all.map((input) => client.endpoints.save(input, { uniqueName: true })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(30);
    expect((await place.state()).endpoints).toHaveLength(30);
    expect(await callsOf("graphql")).toEqual(["saveEndpoint", "saveEndpoint"]);
    await place.forgetCalls();
    expect(await Promise.all(made.map(({ id }) => client.endpoints.find(id)))).toHaveLength(30);
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
    ["a web page", (_, response) => void response.writeHead(410, { "content-type": "text/html" }).end("<p>Gone</p>")],
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
