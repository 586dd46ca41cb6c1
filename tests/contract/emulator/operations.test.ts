import { beforeAll, expect, it } from "@jest/globals";
import { emulatorForAll } from "../../harness/account";
import { DEVIATIONS } from "../openapi/deviations";
import { Conversation } from "./conversation";
import { account } from "./scenarios/account";
import { catalog } from "./scenarios/catalog";
import { clusters } from "./scenarios/clusters";
import { nouns } from "./scenarios/nouns";
import { pods } from "./scenarios/pods";
import { serverless } from "./scenarios/serverless";
import { storage } from "./scenarios/storage";

const keys = [{ key: "nothing-allowed", kind: "restricted" } as const];
const { emulator } = emulatorForAll({ settings: { keys } });
let talk: Conversation;
let operationIds: string[];
beforeAll(async () => {
  talk = await Conversation.begin(emulator);
  operationIds = [...talk.ownDocument.operations.keys()];
});

it("every operation is a 401 without a key and a 403 with a key that does not allow it", async () => {
  for (const id of operationIds) {
    await talk.call(id, 401, { key: "" });
    await talk.call(id, 401, { key: "unknown" });
    await talk.call(id, 403, { key: "nothing-allowed" });
  }
});

it("every operation is a 429 that names the window, once a quota is used up", async () => {
  const { quotas } = await talk.control("GET", "/settings");
  await talk.control("PUT", "/settings", { quotas: { minute: 1 } });
  await talk.call("getSshKeys", 200);
  for (const id of operationIds) {
    const { detail } = await talk.call(id, 429);
    expect(detail).toBe("rate limit exceeded for the minute window");
  }
  await talk.control("PUT", "/settings", { quotas });
  await talk.advance(60_000);
});

it("every operation with a body is a 422 that names every property it does not know", async () => {
  const withBody = Array.from(talk.ownDocument.operations.values()).filter(({ body }) => body !== undefined);
  expect(withBody.length).toBeGreaterThan(10);
  for (const { id } of withBody) {
    const { errors } = await talk.call(id, 422, { body: { bogus: 1 } });
    expect(errors).toContain("$: additional properties 'bogus' not allowed");
  }
});

it("every operation has a path that refuses other methods with a 405 and says which are allowed", async () => {
  for (const { path, method } of talk.ownDocument.operations.values()) {
    const url = emulator.baseUrl + path.replace(/\{\w+\}/g, "nobody");
    const headers = { authorization: `Bearer ${emulator.apiKey}` };
    const response = await fetch(url, { method: "OPTIONS", headers });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")?.split(", ")).toContain(method);
    expect(await response.json()).toMatchObject({ title: "Method Not Allowed", status: 405 });
  }
});

const scenarios = { ...nouns, ...account, ...storage, ...pods, ...clusters, ...serverless, ...catalog };
it.each(Object.entries(scenarios))("the emulator keeps to the contract %s", (_, tell) => tell(talk));

it("afterwards every status that the emulator's own document names has been seen", () => {
  for (const { id, responses } of talk.ownDocument.operations.values())
    expect({ id, seen: [...(talk.seen.get(id) ?? [])].map(String).toSorted() }).toEqual({
      id,
      // The contract has a 404 for registries that are gone, which the service answers with 400.
      seen: [...responses.keys()].filter((status) => `${id} ${status}` !== "deleteRegistry 404").toSorted(),
    });
});

it("afterwards no deviation is listed that was not met", () => {
  if (talk.contract === undefined) return;
  expect([...talk.deviations].toSorted()).toEqual(DEVIATIONS.map(({ name }) => name).toSorted());
});
