import { expect } from "@jest/globals";
import type { Scenario } from "./scenario";

export const account: readonly Scenario[] = [
  {
    name: "the account tells its id and e-mail address",
    async run(talk) {
      expect(await talk.call("getAccount", 200)).toEqual({ id: "user_emulated", email: "user@emulator.invalid" });
    },
  },
  {
    name: "the account tells its limits and its balance",
    async run(talk) {
      expect(await talk.call("getAccountLimits", 200)).toEqual({
        spendRate: expect.any(Object),
        serverlessWorkers: expect.any(Object),
      });
      expect(await talk.call("getBalance", 200)).toEqual({ balanceAmount: 10_000, billingMode: "PREPAID" });
    },
  },
  {
    name: "lists come in pages, and a cursor belongs to its list",
    async run(talk) {
      const checkPages = async (noun: string, key: string, body: (name: string) => object) => {
        const operation = `list${noun}s`;
        const ids = [];
        for (const name of ["page-1", "page-2", "page-3"])
          ids.push((await talk.call(`create${noun}`, 201, { body: body(name) })).id);
        const all = (await talk.call(operation, 200))[key];
        const seen = [];
        let query: Record<string, string> = { limit: "2" };
        for (;;) {
          const page = await talk.call(operation, 200, { query });
          seen.push(...page[key]);
          if (!page.pagination.hasNextPage) break;
          query = { limit: "2", cursor: page.pagination.nextCursor };
        }
        expect(seen).toEqual(all);
        await talk.call("listTags", 422, { query: { cursor: query.cursor ?? "none" } });
        for (const wrong of [{ limit: "1001" }, { cursor: "bogus" }]) await talk.call(operation, 422, { query: wrong });
        for (const id of ids) await talk.call(`delete${noun}`, 204, { params: { id } });
      };
      const image = "repo/page:1";
      await checkPages("Template", "templates", (name) => ({ name, image }));
      await checkPages("Pod", "pods", (name) => ({ name, image, cpu: { id: "cpu5c", vcpuCount: 2 } }));
      const endpoint = (name: string) => ({
        name,
        image,
        type: "QUEUE",
        gpu: { pools: ["ADA_24"] },
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      });
      await checkPages("Endpoint", "endpoints", endpoint);
    },
  },
  {
    name: "SSH keys are replaced as a whole and refused when one is not a key",
    async run(talk) {
      const keys = ["ssh-ed25519 AAAAC3NzaC1 me@laptop", "ecdsa-sha2-nistp256 AAAAE2VjZHNh"];
      expect(await talk.call("updateSshKeys", 200, { body: { keys } })).toEqual({ keys });
      expect(await talk.call("getSshKeys", 200)).toEqual({ keys });
      await talk.call("updateSshKeys", 422, { body: { keys: ["not a key"] } });
      await talk.call("updateSshKeys", 422, { body: { keys: [], note: "unknown" } });
      expect(await talk.call("updateSshKeys", 200, { body: { keys: [] } })).toEqual({ keys: [] });
    },
  },
  {
    name: "a secret keeps its value to itself, and its name for good",
    async run(talk) {
      const body = { name: "hf/token", value: "hush", description: "of the team" };
      const secret = await talk.call("createSecret", 201, { body });
      expect(secret).toMatchObject({ name: "hf/token", description: "of the team" });
      expect(JSON.stringify(secret)).not.toContain("hush");
      const params = { id: secret.id };
      expect(await talk.call("getSecret", 200, { params })).toEqual(secret);
      expect((await talk.call("listSecrets", 200, { query: { name: "HF/Token" } })).secrets).toEqual([secret]);
      expect((await talk.call("listSecrets", 200, { query: { name: "hf" } })).secrets).toEqual([]);
      await talk.call("listSecrets", 422, { query: { name: "" } });
      await talk.call("createSecret", 409, { body: { ...body, name: "HF/token" } });
      await talk.call("createSecret", 400, { body: { ...body, name: "runpod_token" } });
      for (const wrong of [{ name: "1st" }, { name: "a b" }, { name: "n".repeat(192) }, { value: "" }])
        await talk.call("createSecret", 422, { body: { ...body, ...wrong } });

      await talk.advance(1_000);
      const described = await talk.call("updateSecret", 200, { params, body: { description: "" } });
      expect(described).toEqual({ ...secret, description: null });
      const rotated = await talk.call("updateSecret", 200, { params, body: { value: "new" } });
      expect(rotated.createdAt).toBe(secret.createdAt);
      expect(Date.parse(rotated.valueLastUpdatedAt)).toBeGreaterThan(Date.parse(secret.valueLastUpdatedAt));
      await talk.call("updateSecret", 422, { params, body: {} });
      await talk.call("updateSecret", 422, { params, body: { name: "other" } });
      await talk.call("updateSecret", 404, { body: { value: "new" } });

      await talk.call("deleteSecret", 204, { params });
      await talk.call("deleteSecret", 404, { params });
      await talk.call("getSecret", 404, { params });
    },
  },
];
