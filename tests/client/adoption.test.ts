import { beforeEach, describe, expect, test } from "@jest/globals";
import { type Client, MayExistError } from "../../client";
import { errorOf } from "../harness/errorOf";
import { placeForAll } from "../harness/forAll";
import { pod, savedEndpoint, template, volume } from "../harness/requests";

/** Longer than the tolerance between the service's clock and ours. */
const longAgoMs = 60_000;

describe("a create whose answer is lost", () => {
  const place = placeForAll();
  let client: Client;
  beforeEach(async () => {
    await place.reset();
    client = place.client({ clock: place.sharedClock() });
  });
  const lose = (path: string) => place.fault({ method: "POST", path }, { drop: "after" });
  const backdate = async () => {
    const { pods = [] } = await place.state();
    const aged = pods.map((kept) => ({ ...kept, createdAt: Date.now() - longAgoMs }));
    await place.put({ pods: aged });
  };

  // finds mutant older-one-taken-over
  test("is not mistaken for an older pod of the same name", async () => {
    const older = await place.client().pods.create(pod("twin"));
    await backdate();
    await lose("/v2/pods");
    const { id } = await client.pods.create(pod("twin"));
    expect(id).not.toBe(older.id);
    expect((await place.state()).pods).toHaveLength(2);
  });

  test("is not mistaken for the pod that the same client made a moment before", async () => {
    const first = await client.pods.create(pod("twin"));
    await lose("/v2/pods");
    const second = await client.pods.create(pod("twin"));
    expect(second.id).not.toBe(first.id);
    expect((await place.state()).pods).toHaveLength(2);
  });

  // finds mutant creates-of-one-name-at-once
  test("is told apart from others of the same name that are made at the same time", async () => {
    await place.fault({ method: "POST", path: "/v2/pods", times: 3 }, { drop: "after" });
    const made = await Promise.all(Array.from({ length: 5 }, () => client.pods.create(pod("twin"))));
    expect(new Set(made.map(({ id }) => id)).size).toBe(5);
    expect((await place.state()).pods).toHaveLength(5);
  });

  test("ends in an error that names the candidates when somebody else made one of that name just now", async () => {
    const others = await place.client().pods.create(pod("twin"));
    await lose("/v2/pods");
    const error = await errorOf(client.pods.create(pod("twin")), MayExistError);
    const ids = (await place.state()).pods?.map(({ id }) => id) ?? [];
    expect(ids).toContain(others.id);
    expect([...error.candidates].sort()).toEqual([...ids].sort());
    expect(error.message).toMatch(/Adopt the right one by its id/);
  });

  test("ends in an error when a volume of that name may be older: nothing tells its age", async () => {
    const older = await place.client().networkVolumes.create(volume("twin"));
    await place.fault({ method: "POST" }, { drop: "before" });
    const error = await errorOf(client.networkVolumes.create(volume("twin")));
    expect(error).toMatchObject({ name: "MayExistError", candidates: [older.id] });
    expect((await place.state()).networkVolumes).toHaveLength(1);
  });

  test("is looked for even when the budget is spent", async () => {
    await lose("/v2/pods");
    const { id } = await place.client({ retryBudgetMs: 0 }).pods.create(pod("new"));
    expect((await place.state()).pods).toMatchObject([{ id }]);
  });

  test("is not sent again because the list lags behind", async () => {
    await place.fault({ method: "POST", path: "/v2/pods" }, { staleMs: 2_500 });
    await lose("/v2/pods");
    const { id } = await place.client({ clock: place.sharedClock() }).pods.create(pod("late"));
    expect((await place.state()).pods).toMatchObject([{ id }]);
  });

  test("is found by its time alone when it has no name", async () => {
    const delegate = (repository: string) =>
      client.delegations.create({ resource: `arn:aws:ecr:us-east-1:123456789012:repository/${repository}` });
    await delegate("first");
    await lose("/v2/registries/delegations");
    const { id } = await delegate("second");
    const { delegations } = await place.state();
    expect(delegations).toHaveLength(2);
    expect(delegations?.[1]).toMatchObject({ id });
  });

  test("over GraphQL is found beyond the cap of GraphQL's list", async () => {
    await place.service.settings({ endpointListCap: 1 });
    const { id: templateId } = await client.templates.create({ ...template("t"), serverless: true });
    await client.endpoints.save(savedEndpoint("first", templateId));
    await place.fault({ operation: "saveEndpoint" }, { drop: "after" });
    const saved = await client.endpoints.save(savedEndpoint("second", templateId));
    expect((await place.state()).endpoints).toMatchObject([{ name: "first" }, { id: saved.id, name: "second" }]);
    await place.service.settings({ endpointListCap: 400 });
  });
});
