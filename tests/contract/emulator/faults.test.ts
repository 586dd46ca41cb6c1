/* Every act that the emulator takes does something: what it does is told here, and the compiler asks for each. */
import { afterEach, expect, test } from "@jest/globals";
import type { FaultInput } from "../../../emulator";
import { accountForAll } from "../../harness/account";
import { until } from "../../harness/until";

type Act = FaultInput["act"];
/** The property that makes an act what it is. */
type NameOf<One> = One extends { status: number } ? "status" : keyof One;
type Name = Act extends infer One ? (One extends Act ? NameOf<One> : never) : never;

const GPU = "NVIDIA GeForce RTX 4090";

const cloud = accountForAll();
afterEach(() => cloud.service.clearFaults());

/** The outcome of a call, in a word or two. */
async function outcome(call: Promise<{ status: number; body: unknown }>): Promise<string> {
  return call.then(
    ({ status, body }) => `${status} ${JSON.stringify(body ?? "").slice(0, 40)}`,
    (error: Error) => (error instanceof SyntaxError || error.name === "SyntaxError" ? "unreadable" : "broken off"),
  );
}

const template = (name: string) => cloud.rest("POST", "/v2/templates", { name, image: "repo/base:1" });
const pod = () => cloud.rest("POST", "/v2/pods", { name: "p", image: "repo/base:1", gpu: { id: GPU } });
const list = () => cloud.rest("GET", "/v2/templates");
const templateCount = async () => (await list()).body.templates.length as number;
/** The answer is spoilt, whether the work is done or not. */
async function spoils(work: "done" | "not done", answer: string): Promise<void> {
  const before = await templateCount();
  expect(await outcome(template(`${work} ${before}`))).toBe(answer);
  expect(await templateCount()).toBe(work === "done" ? before + 1 : before);
}

interface Case<One> {
  readonly act: One;
  readonly match?: FaultInput["match"];
  /** Fails where the act has no effect. */
  readonly seen: () => Promise<void>;
}

const cases: { readonly [One in Name]: Case<Extract<Act, { [name in One]: unknown }>> } = {
  status: {
    act: { status: 418 },
    seen: async () => {
      expect((await list()).status).toBe(418);
      await cloud.service.fault({ act: { status: 200, body: "<html>" } });
      expect(await outcome(list())).toBe("unreadable");
    },
  },
  delayMs: {
    act: { delayMs: 60 },
    seen: async () => {
      // biome-ignore lint/plugin: the delay is one of real time; a busy machine makes it longer only
      const began = performance.now();
      await list();
      // A timer may be a millisecond early.
      // biome-ignore lint/plugin: as above
      expect(performance.now() - began).toBeGreaterThan(58);
    },
  },
  drop: {
    act: { drop: "before" },
    match: { method: "POST" },
    seen: async () => {
      await spoils("not done", "broken off");
      await cloud.service.fault({ match: { operation: "createTemplate" }, act: { drop: "after" } });
      await spoils("done", "broken off");
      const calls = (await cloud.service.log()).filter(({ operation }) => operation === "createTemplate");
      expect(calls.slice(-2)).toMatchObject([{ status: 0 }, { status: 0 }]);
    },
  },
  lateMs: {
    act: { lateMs: 1000 },
    match: { method: "POST" },
    seen: async () => {
      const before = await templateCount();
      await spoils("not done", "broken off");
      await cloud.advance(1000);
      await until(async () => (await templateCount()) === before + 1);
    },
  },
  truncate: { act: { truncate: true }, match: { method: "POST" }, seen: () => spoils("done", "broken off") },
  malformed: { act: { malformed: true }, match: { method: "POST" }, seen: () => spoils("done", "unreadable") },
  graphqlErrors: {
    act: { graphqlErrors: [{ message: "no" }] },
    seen: async () => {
      const { status, body } = await cloud.graphql("{ myself { id } }");
      expect([status, body]).toEqual([200, { data: null, errors: [{ message: "no" }] }]);
    },
  },
  capacity: {
    act: { capacity: { gpuTypeId: GPU } },
    // Of every data center.
    match: { times: 100 },
    seen: async () => expect((await pod()).status).toBe(400),
  },
  staleMs: {
    act: { staleMs: 1000 },
    match: { method: "POST" },
    seen: async () => {
      const before = await templateCount();
      const { id } = await cloud.create("/v2/templates", { name: "hidden", image: "repo/base:1" });
      const read = async () => (await cloud.rest("GET", `/v2/templates/${id}`)).status;
      expect([await templateCount(), await read()]).toEqual([before, 404]);
      await cloud.advance(1000);
      expect([await templateCount(), await read()]).toEqual([before + 1, 200]);
    },
  },
};

test.each(Object.entries(cases))("%s", async (_, { act, match, seen }) => {
  expect(await outcome(list())).toMatch(/^200 /);
  await cloud.service.fault({ ...(match && { match }), act });
  await seen();
  await cloud.service.clearFaults();
  expect(await outcome(list())).toMatch(/^200 /);
});
