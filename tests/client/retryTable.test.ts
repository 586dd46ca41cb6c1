import { beforeEach, describe, expect, test } from "@jest/globals";
import { type Client, ComputeCloudError, ConnectionError } from "../../client";
import type { FaultInput } from "../../emulator";
import { impatient, placeForAll } from "../harness/place";
import { cluster, endpoint, pod, registry, savedEndpoint, template, volume } from "../harness/requests";
import { until } from "../harness/until";

type Fault = readonly [name: string, act: FaultInput["act"]];
const status = (code: number): Fault => [`an answer of ${code}`, { status: code }];

/** The service did nothing. */
const untouched: Fault[] = [status(429), ["429 with Retry-After", { status: 429, headers: { "retry-after": "7" } }]];
/** The service did nothing, but the client cannot know. */
const doubtfulUndone: Fault[] = [
  ...[408, 500, 502, 503, 504].map(status),
  ["a reset before the work", { drop: "before" }],
];
/** The service did the work, but the client cannot know. */
const doubtfulDone: Fault[] = [
  ["a reset after the work", { drop: "after" }],
  ["an answer cut off", { truncate: true }],
  ["an answer that is not JSON", { malformed: true }],
];
const refused: Fault[] = [400, 401, 402, 403, 404, 409, 422].map(status);

interface Ids {
  volume: string;
  template: string;
  endpoint: string;
  stoppedPod: string;
  runningPod: string;
}

const place = placeForAll();
let client: Client;
let ids: Ids;
let clock: ReturnType<typeof impatient>;

beforeEach(async () => {
  await place.reset();
  clock = impatient();
  client = place.client({ clock });
  const { id: templateId } = await client.templates.create({ ...template("base"), serverless: true });
  const running = await client.pods.create(pod("running"));
  const stopped = await client.pods.create(pod("stopped"));
  await client.pods.action(stopped.id, "stop");
  ids = {
    template: templateId,
    volume: (await client.networkVolumes.create(volume("base"))).id,
    endpoint: (await client.endpoints.save(savedEndpoint("base", templateId))).id,
    runningPod: running.id,
    stoppedPod: stopped.id,
  };
  await reaches("runningPod", "RUNNING");
  // A restart shows in the time of the start.
  const { pods = [] } = await place.state();
  await place.service.setState({ pods: pods.map((each) => ({ ...each, startedAt: Date.now() - 60_000 })) });
  await place.forgetCalls();
  clock.waits.length = 0;
});

/** A boot takes turns, even one of no time. */
const reaches = (who: "stoppedPod" | "runningPod", status: string) =>
  until(async () => (await client.pods.read(ids[who]))?.status === status);

const repeatable: Record<string, { run: () => Promise<unknown>; match: NonNullable<FaultInput["match"]> }> = {
  "GET of a list": { run: () => client.networkVolumes.list(), match: { method: "GET" } },
  "GET by id": { run: () => client.networkVolumes.get(ids.volume), match: { method: "GET" } },
  PATCH: { run: () => client.networkVolumes.update(ids.volume, { name: "new" }), match: { method: "PATCH" } },
  PUT: { run: () => client.sshKeys.put([]), match: { method: "PUT" } },
  "GraphQL query": { run: () => client.endpoints.list(), match: { interface: "graphql" } },
  "saveEndpoint with an id": {
    run: () => client.endpoints.save({ ...savedEndpoint("new", ids.template), id: ids.endpoint }),
    match: { operation: "saveEndpoint" },
  },
};

/** Deletes answer 404 or an error when repeated after the work, which is success. */
const deletes: typeof repeatable = {
  DELETE: { run: () => client.networkVolumes.delete(ids.volume), match: { method: "DELETE" } },
  "a pod's terminate": { run: () => client.pods.action(ids.runningPod, "terminate"), match: { method: "POST" } },
  deleteEndpoint: { run: () => client.endpoints.delete(ids.endpoint), match: { operation: "deleteEndpoint" } },
};

/** Each of these calls with each of these faults. */
const meeting = (calls: typeof repeatable, faults: readonly Fault[]) =>
  Object.entries(calls).flatMap(([name, call]) =>
    faults.map(([fault, act]) => [name, fault, { ...call, act }] as const),
  );

test.each([
  ...meeting({ ...repeatable, ...deletes }, [...untouched, ...doubtfulUndone]),
  ...meeting(repeatable, doubtfulDone),
])("a call that may be repeated %s is sent again after %s", async (_, __, { run, match, act }) => {
  await place.fault(match, act);
  await run();
  expect(await place.calls()).toHaveLength(2);
  expect(clock.waits.length).toBeGreaterThan(0);
});

test.each(meeting(deletes, doubtfulDone))(
  "a call that may be repeated %s that was done is a success after %s",
  async (name, _, { run, match, act }) => {
    // 204 has no body that could break off.
    if (name !== "deleteEndpoint" && !("drop" in act)) return;
    await place.fault(match, act);
    await run();
    const { networkVolumes = [], endpoints = [], pods = [] } = await place.state();
    const left = [...networkVolumes, ...endpoints, ...pods.filter(({ id }) => id !== ids.stoppedPod)];
    expect(left).toHaveLength(2);
  },
);

/** Creates: where the state keeps what they make, where it is listed, and how it is made over REST, or over GraphQL. */
const creates: Record<string, [kind: string, path: string, run: () => Promise<{ id: string }>, mutation?: string]> = {
  pod: ["pods", "/v2/pods", () => client.pods.create(pod("new"))],
  cluster: ["clusters", "/v2/clusters", () => client.clusters.create(cluster("new"))],
  endpoint: ["endpoints", "/v2/serverless", () => client.serverless.create(endpoint("new"))],
  template: ["templates", "/v2/templates", () => client.templates.create(template("new"))],
  registry: ["registries", "/v2/registries", () => client.registries.create(registry("new"))],
  "auto-named volume": [
    "networkVolumes",
    "/v2/network-volumes",
    () => client.networkVolumes.create(volume("new"), { uniqueName: true }),
  ],
  "endpoint over GraphQL": [
    "endpoints",
    "/v2/serverless",
    () => client.endpoints.save(savedEndpoint("new", ids.template)),
    "saveEndpoint",
  ],
};
/** Each create with each of these faults. */
const creating = (faults: readonly Fault[]) =>
  Object.entries(creates).flatMap(([name, [kind, path, run, mutation]]) =>
    faults.map(([fault, act]) => {
      const match: FaultInput["match"] = mutation === undefined ? { method: "POST", path } : { operation: mutation };
      const listNew = async () => (await place.state())[kind]?.filter((each) => each.name === "new");
      return [
        name,
        fault,
        { act, match, run, listNew, post: mutation ?? `POST ${path}`, list: `GET ${path}` },
      ] as const;
    }),
  );

test.each(creating(untouched))(
  "a create of a %s is sent again after %s",
  async (_, __, { act, match, run, listNew, post }) => {
    await place.fault(match, act);
    const { id } = await run();
    expect(await place.sent()).toEqual([post, post]);
    expect(await listNew()).toMatchObject([{ id }]);
  },
);

// finds mutant create-again
test.each(creating(doubtfulUndone))(
  "a create of a %s is looked for, and never sent again, after %s",
  async (_, __, { act, match, run, post, list }) => {
    await place.fault(match, act);
    await expect(run()).rejects.toMatchObject({ name: "MayExistError", candidates: [] });
    const [first, ...looks] = await place.sent();
    expect(first).toBe(post);
    expect(new Set(looks)).toEqual(new Set([list]));
    expect(looks.length).toBeGreaterThan(5);
    // As long as an origin goes on behind an edge that has given up.
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(85_000);
  },
);

// finds mutant lost-create-not-looked-for
test.each(creating(doubtfulDone))(
  "a create of a %s is found by its name and adopted after %s",
  async (_, __, { act, match, run, listNew, post, list }) => {
    await place.fault(match, act);
    const { id } = await run();
    const sent = await place.sent();
    expect(sent.slice(0, 2)).toEqual([post, list]);
    expect(sent.filter((call) => call === post)).toHaveLength(1);
    expect(await listNew()).toMatchObject([{ id }]);
  },
);

test("a create without a name is found by its time when its answer is lost", async () => {
  const delegate = (repository: string) =>
    client.delegations.create({ resource: `arn:aws:ecr:us-east-1:123456789012:repository/${repository}` });
  const first = await delegate("first");
  await place.fault({ method: "POST" }, { drop: "after" });
  const second = await delegate("second");
  expect((await place.state()).delegations?.map(({ id }) => id)).toEqual([first.id, second.id]);
});

/** Actions: the pod they suit and the state they lead to. */
const actions = [
  ["start", "stoppedPod", "RUNNING"],
  ["stop", "runningPod", "EXITED"],
  ["restart", "runningPod", "RUNNING"],
] as const;

describe("an action", () => {
  const run = (action: (typeof actions)[number][0], who: keyof Ids) => client.pods.action(ids[who], action);
  const post = (who: keyof Ids) => `POST /v2/pods/${ids[who]}/action`;
  const get = (who: keyof Ids) => `GET /v2/pods/${ids[who]}`;

  test.each(actions.flatMap((row) => untouched.map((fault) => [...row, ...fault] as const)))(
    "%s of the %s (to be %s) is sent again after %s",
    async (action, who, reached, _, act) => {
      await place.fault({ method: "POST" }, act);
      await run(action, who);
      expect(await place.sent()).toEqual([post(who), post(who)]);
      await reaches(who, reached);
    },
  );

  test.each(doubtfulUndone)("restart is looked for before it is sent again, after %s", async (_, act) => {
    await place.fault({ method: "POST" }, act);
    await run("restart", "runningPod");
    const sent = await place.sent();
    expect([sent[0], sent.at(-1)]).toEqual([post("runningPod"), post("runningPod")]);
    expect(new Set(sent.slice(1, -1))).toEqual(new Set([get("runningPod")]));
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(25_000);
  });

  test.each(
    actions
      .filter(([action]) => action !== "restart")
      .flatMap((row) => doubtfulUndone.map((fault) => [...row, ...fault] as const)),
  )("%s of the %s (to be %s) reads the state and is sent again after %s", async (action, who, reached, _, act) => {
    await place.fault({ method: "POST" }, act);
    await run(action, who);
    expect(await place.sent()).toEqual([post(who), get(who), post(who)]);
    await reaches(who, reached);
  });

  test.each(actions)("%s of the %s (to be %s) that took effect is not sent again", async (action, who, reached) => {
    await place.fault({ method: "POST" }, { drop: "after" });
    await run(action, who);
    expect(await place.sent()).toEqual([post(who), get(who)]);
    await reaches(who, reached);
  });
});

/** Creates and actions, by name, as the calls above. */
const onlyOnce: typeof repeatable = Object.fromEntries([
  ...Object.entries(creates).map(([name, [, , run, operation]]) => [
    name,
    { run, match: { operation, method: "POST" } },
  ]),
  ...actions.map(([name, who]) => [name, { run: () => client.pods.action(ids[who], name), match: { method: "POST" } }]),
]);

test.each(meeting({ ...repeatable, ...onlyOnce }, refused))(
  "%s is sent once when it meets %s",
  async (name, _, { run, match, act }) => {
    // An older service answers 400 to a query with newer fields, which is sent again without them, and at once.
    const calls = name === "GraphQL query" && "status" in act && act.status === 400 ? 2 : 1;
    await place.fault({ ...match, times: calls }, act);
    await expect(run()).rejects.toThrow(ComputeCloudError);
    expect(await place.calls()).toHaveLength(calls);
    expect(clock.waits).toEqual([]);
  },
);

/** The last one, because the clock stays so. */
test("a restart is not sent again where a clock is wrong, so that no time tells whether it took effect", async () => {
  await place.service.advance(3_600_000);
  await place.fault({ method: "POST" }, { drop: "before" });
  await expect(client.pods.restart(ids.runningPod)).rejects.toThrow(ConnectionError);
  expect((await place.sent()).filter((each) => each.startsWith("POST"))).toHaveLength(1);
});
