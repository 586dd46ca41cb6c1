import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Client } from "../../client";
import { placeForAll } from "../harness/place";
import { pod, savedEndpoint, template } from "../harness/requests";

// Through the emulator; what tells such a create from others of its name is in creator.test.ts.
describe("a create whose answer is lost", () => {
  const place = placeForAll();
  let client: Client;
  beforeEach(async () => {
    await place.reset();
    client = place.client({ clock: place.sharedClock() });
  });
  const lose = (path: string) => place.fault({ method: "POST", path }, { drop: "after" });
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
