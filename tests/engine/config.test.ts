import { describe, expect, test } from "@jest/globals";
import { type ConfigError, readSettings } from "../../provider/engine/config";

const read = (config: Record<string, string>, environment: Record<string, string> = {}) =>
  readSettings((key) => config[key], environment);

describe("settings", () => {
  test("come from a preset, with the key from the environment", () => {
    expect(read({ "computecloud:cloud": "runpod" }, { COMPUTECLOUD_API_KEY: "k" })).toEqual({
      apiKey: "k",
      apiKeySource: expect.stringContaining("COMPUTECLOUD_API_KEY"),
      baseUrl: "https://api.runpod.io",
      serverlessUrl: "https://api.runpod.ai",
      graphqlUrl: "https://api.runpod.io/graphql",
      proxyDomain: "proxy.runpod.net",
      catalogChecks: true,
      graphqlKeyIn: "query",
      retryBudgetMs: 120_000,
    });
  });

  test("of the configuration win over the environment, and single ones over the preset", () => {
    const config = {
      "computecloud:cloud": "runpod",
      "computecloud:apiKey": "mine",
      "computecloud:baseUrl": "https://a.example.com",
    };
    const environment = {
      COMPUTECLOUD_API_KEY: "other",
      COMPUTECLOUD_BASE_URL: "https://b.example.com",
      COMPUTECLOUD_GRAPHQL_URL: "https://c.example.com",
    };
    expect(read(config, environment)).toMatchObject({
      apiKey: "mine",
      apiKeySource: expect.stringContaining("--run-program"),
      baseUrl: "https://a.example.com",
      graphqlUrl: "https://c.example.com",
    });
  });

  test.each([
    ["false", "computecloud:catalogChecks", { catalogChecks: false }],
    ["90s", "computecloud:retryTimeout", { retryBudgetMs: 90_000 }],
    ["header", "computecloud:graphqlKeyIn", { graphqlKeyIn: "header" }],
    ["pods.example.com", "computecloud:proxyDomain", { proxyDomain: "pods.example.com" }],
  ])("take %s for %s", (value, key, expected) => {
    expect(read({ "computecloud:cloud": "runpod", "computecloud:apiKey": "k", [key]: value })).toMatchObject(expected);
  });

  test("of an address that can't be used name it", () => {
    const config = { "computecloud:cloud": "runpod", "computecloud:graphqlUrl": "http://example.com/graphql" };
    expect(() => read(config, { COMPUTECLOUD_API_KEY: "k" })).toThrow(
      expect.objectContaining({ property: "computecloud:graphqlUrl" }) as unknown as ConfigError,
    );
  });

  test.each([
    ["computecloud:apiKey", { "computecloud:cloud": "runpod" }],
    ["computecloud:cloud", { "computecloud:apiKey": "k", "computecloud:cloud": "nocloud" }],
    ["computecloud:baseUrl", { "computecloud:apiKey": "k" }],
    // Python's and a tired person's false, which must not be taken for true.
    [
      "computecloud:catalogChecks",
      { "computecloud:apiKey": "k", "computecloud:cloud": "runpod", "computecloud:catalogChecks": "False" },
    ],
    [
      "computecloud:retryTimeout",
      { "computecloud:apiKey": "k", "computecloud:cloud": "runpod", "computecloud:retryTimeout": "5" },
    ],
  ])("that are missing or malformed name %s", (property, config) => {
    expect(() => read(config)).toThrow(
      expect.objectContaining({ name: "ConfigError", property }) as unknown as ConfigError,
    );
  });
});
