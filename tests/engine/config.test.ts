import { expect, test } from "@jest/globals";
import { readSettings } from "../../provider/engine/config";
import { connect } from "../../provider/engine/connect";
import { environmentForEach } from "../harness/environment";

/** Of a stack, without their namespace. */
type Config = Readonly<Record<string, string>>;
const VALID: Config = { cloud: "runpod", apiKey: "k" };

const setEnvironment = environmentForEach();
const settingIn = (config: Config) => (key: string) => config[/^computecloud:(\w+)$/.exec(key)?.[1] ?? ""];
const read = (config: Config, environment: Record<string, string> = {}) => readSettings(settingIn(config), environment);

/** What reading these settings throws. */
function thrownBy(config: Config, environment?: Record<string, string>): unknown {
  try {
    return read(config, environment);
  } catch (error) {
    return error;
  }
}

test("settings come from a preset, with the key from the environment", () => {
  expect(read({ cloud: "runpod" }, { COMPUTECLOUD_API_KEY: "k" })).toEqual({
    apiKey: "k",
    apiKeySource: expect.stringContaining("COMPUTECLOUD_API_KEY"),
    baseUrl: "https://api.runpod.io",
    serverlessUrl: "https://api.runpod.ai",
    graphqlUrl: "https://api.runpod.io/graphql",
    proxyDomain: "proxy.runpod.net",
    catalogChecks: true,
    graphqlKeyIn: "header",
    endpointsThrough: "auto",
    retryBudgetMs: 120_000,
    allowedAccounts: [],
    allowEmptyRefresh: false,
    existing: "refuse",
    howToSetExisting: expect.any(Function),
  });
});

test("settings of the configuration win over the environment, and single ones over the preset", () => {
  const config = { cloud: "runpod", apiKey: "mine", baseUrl: "https://a.example.com" };
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
  ["false", "catalogChecks", { catalogChecks: false }],
  ["90s", "retryTimeout", { retryBudgetMs: 90_000 }],
  ["query", "graphqlKeyIn", { graphqlKeyIn: "query" }],
  ["header", "graphqlKeyIn", { graphqlKeyIn: "header" }],
  ['["user_a","user_b"]', "allowedAccounts", { allowedAccounts: ["user_a", "user_b"] }],
  ["user_a, user_b", "allowedAccounts", { allowedAccounts: ["user_a", "user_b"] }],
  ["true", "allowEmptyRefresh", { allowEmptyRefresh: true }],
  ["adopt", "existing", { existing: "adopt" }],
  ["pods.example.com", "proxyDomain", { proxyDomain: "pods.example.com" }],
])("settings take %s for %s", (value, key, expected) => {
  expect(read({ ...VALID, [key]: value })).toMatchObject(expected);
});

test.each([
  ["apiKey", { cloud: "runpod" }, "there is no API key. Set COMPUTECLOUD_API_KEY"],
  ["cloud", { apiKey: "k", cloud: "runpot" }, '"runpot" is not a known cloud; known: runpod'],
  ["baseUrl", { apiKey: "k" }, "pulumi config set computecloud:cloud runpod"],
  ["graphqlUrl", { ...VALID, graphqlUrl: "http://example.com/graphql" }, "https"],
  // Python's and a tired person's false, which must not be taken for true.
  ["catalogChecks", { ...VALID, catalogChecks: "False" }, "must be true or false"],
  ["retryTimeout", { ...VALID, retryTimeout: "5" }, "must be a duration"],
])("settings that are missing or malformed name %s, and say what to set", (setting, config, reason) => {
  const [property, message] = [`computecloud:${setting}`, expect.stringContaining(reason)];
  expect(thrownBy(config)).toMatchObject({ name: "ConfigError", property, message });
});

// finds mutant no-allowed-account-is-any
test.each([
  ["retryTimeout", "COMPUTECLOUD_RETRY_TIMEOUT", "oops", "90s"],
  ["catalogChecks", "COMPUTECLOUD_CATALOG_CHECKS", "oops", "false"],
  ["graphqlKeyIn", "COMPUTECLOUD_GRAPHQL_KEY_IN", "oops", "header"],
  ["endpointsThrough", "COMPUTECLOUD_ENDPOINTS_THROUGH", "oops", "auto"],
  ["allowedAccounts", "COMPUTECLOUD_ALLOWED_ACCOUNTS", '[{"id":1}]', "user_a"],
  ...["", ",", "[]"].map((none) => ["allowedAccounts", "COMPUTECLOUD_ALLOWED_ACCOUNTS", none, "user_a"] as const),
  ["baseUrl", "COMPUTECLOUD_BASE_URL", "oops", "https://api.example.com"],
  ["apiKey", "COMPUTECLOUD_API_KEY", "two words", "k"],
  ["cloud", "COMPUTECLOUD_CLOUD", "oops", "runpod"],
  ["proxyDomain", "COMPUTECLOUD_PROXY_DOMAIN", "https://oops", "pods.example.com"],
])(
  "settings of %s: a malformed variable is named with the way out, and is nothing to a stack that sets its own",
  async (setting, variable, bad, good) => {
    const { [setting]: _, ...others } = VALID;
    expect(thrownBy(others, { [variable]: bad })).toMatchObject({
      property: `computecloud:${setting}`,
      message: expect.stringMatching(
        new RegExp(`^${variable}\\b.*[Cc]orrect or unset it, or run \`pulumi config set.*computecloud:${setting}`),
      ),
    });
    if (setting === "apiKey") expect(() => read(others, { [variable]: bad })).not.toThrow(bad);

    setEnvironment({ [variable]: bad });
    const { client } = connect(settingIn({ ...VALID, [setting]: good }));
    await client.close();
  },
);

test("settings lead to an emulator's pods where its queues are, unless a domain is set", () => {
  const emulator = { ...VALID, serverlessUrl: "http://127.0.0.1:4011/" };
  expect(read(emulator)).toMatchObject({ proxyDomain: "http://127.0.0.1:4011/pod-proxy" });
  const proxyDomain = "pods.example.com";
  expect(read({ ...emulator, proxyDomain })).toMatchObject({ proxyDomain });
});

test("settings of a cloud that nobody knows are nothing to a stack that sets the addresses", () => {
  const url = "https://api.example.com";
  const addresses = { baseUrl: url, serverlessUrl: url, graphqlUrl: url };
  const environment = { COMPUTECLOUD_API_KEY: "k", COMPUTECLOUD_CLOUD: "nowhere" };
  expect(read(addresses, environment)).toMatchObject({ proxyDomain: undefined });
  expect(() => read({ ...addresses, cloud: "nowhere" }, environment)).toThrow(/"nowhere"/);
});
