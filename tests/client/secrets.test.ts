import { inspect } from "node:util";
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Client, ClientOptions } from "../../client";
import type { FaultInput } from "../../emulator";
import { placeForAll } from "../harness/place";
import { pod, registry, savedEndpoint } from "../harness/requests";
import { json, Script, serverForEach } from "../harness/script";

const apiKey = "cc-key-do-not-show-me";
const password = "registry-password";
const username = "somebody";
const environmentValue = "token-in-the-environment";
const accessSecret = "s3-access-secret";

/** Everything that a program could print of a failure. */
function printedForms(...things: unknown[]): string {
  const forms = things.flatMap((thing) => {
    const error = thing instanceof Error ? [thing.message, thing.stack, String(thing.cause)] : [];
    return [
      inspect(thing, { depth: 12, showHidden: true, getters: true }),
      JSON.stringify(thing),
      String(thing),
      ...error,
    ];
  });
  return forms.join("\n");
}

const env = { TOKEN: environmentValue };
const value = accessSecret;
const body = { name: "hf", value };
const s3Config = { accessId: username, accessSecret, bucketName: "b", endpointUrl: "https://s3" };

/** Writes and GraphQL calls, with the credentials that each of them sends besides the key. */
const calls: [string, string[], (client: Client) => Promise<unknown>][] = [
  ["a registry", [username, password], ({ registries }) => registries.create({ ...registry("r"), username, password })],
  ["a pod", [environmentValue], ({ pods }) => pods.create({ ...pod("p"), env })],
  ["a template's update", [environmentValue], ({ templates }) => templates.update("unknown", { env })],
  ["a secret", [value], ({ secrets }) => secrets.create(body)],
  ["a secret's update", [value], ({ secrets }) => secrets.update("unknown", { value })],
  ["a secret by hand", [value], (client) => client.request("POST", "/v2/account/secrets", { body })],
  ["a GraphQL save", [], ({ endpoints }) => endpoints.save(savedEndpoint("s", "unknown"))],
  ["a GraphQL list", [], ({ endpoints }) => endpoints.list()],
  ["a job", [username, accessSecret], (client) => client.queue("endpoint").run({ input: { n: 1 }, s3Config })],
];

/** Faults of a service that quotes what it was sent. */
const faults: [string, (quoting: string) => FaultInput["act"]][] = [
  ...[400, 401, 402, 403, 404, 409, 422, 429, 500, 503].map((status): (typeof faults)[number] => [
    `an answer of ${status} that quotes them`,
    (quoting) => ({
      status,
      body: { status, title: `Bad ${quoting}`, detail: `refused: ${quoting}`, errors: [`$.password: ${quoting}`] },
    }),
  ]),
  ["the queue's errors that quote them", (quoting) => ({ status: 400, body: { error: quoting } })],
  [
    "GraphQL errors that quote them",
    (quoting) => ({ graphqlErrors: [{ message: quoting, extensions: { code: "BAD" } }] }),
  ],
  ["an answer that is not JSON", (quoting) => ({ status: 200, body: quoting })],
  ["an answer that breaks the contract", (quoting) => ({ status: 200, body: { id: 1, secret: quoting } })],
  ["a reset before the work", () => ({ drop: "before" })],
  ["a reset after the work", () => ({ drop: "after" })],
  ["an answer cut off", () => ({ truncate: true })],
  ["an answer malformed", () => ({ malformed: true })],
];

describe("the key and credentials", () => {
  const place = placeForAll({ settings: { rateLimitExempt: true, keys: [{ key: apiKey }] } });
  let printed: unknown[];
  const client = (options: Partial<ClientOptions> = {}) =>
    place.client({ apiKey, onRetry: (event) => printed.push(event), ...options });
  beforeEach(async () => {
    await place.reset();
    printed = [];
  });

  // finds mutant key-shown
  // finds mutant client-errors-in-clear
  // finds mutant environment-quoted
  // finds mutant credentials-quoted
  test.each(calls.flatMap((call) => faults.map((fault) => [call[0], fault[0], call, fault] as const)))(
    "of %s do not show when it meets %s",
    async (_call, _fault, [, credentials, run], [, act]) => {
      const secrets = [apiKey, ...credentials];
      // A service can quote only what the call itself brought.
      for (const method of ["POST", "PATCH"]) await place.fault({ method, times: 1000 }, act(secrets.join(" and ")));
      const failing = client();
      const outcome = await run(failing).then(
        () => "answered",
        (error: unknown) => error,
      );
      printed.push(outcome, failing, failing.pods, failing.queue("endpoint"));
      for (const secret of secrets) expect(printedForms(...printed)).not.toContain(secret);
    },
  );
});

describe("the key", () => {
  const script = serverForEach(new Script());

  test("does not show while a call is under way", async () => {
    const abort = new AbortController();
    const busy = script.client({ apiKey });
    const arrived = new Promise<void>((resolve) => script.play(() => resolve()));
    const call = busy.pods.list({ signal: abort.signal });
    await arrived;
    expect(printedForms(busy, call, busy.pods)).not.toContain(apiKey);
    abort.abort(new Error("seen enough"));
    await expect(call).rejects.toThrow("seen enough");
  });

  test("refused is an error that says where the key came from", async () => {
    script.play(json({ title: "Unauthorized", status: 401, detail: "invalid key" }, 401));
    const apiKeySource = "the key came from the stack's configuration: add --run-program";
    await expect(script.client({ apiKey, apiKeySource }).pods.list()).rejects.toThrow(
      "Pod: 401 Unauthorized: invalid key. Use a valid key. The key came from the stack's configuration: add --run-program.",
    );
  });
});
