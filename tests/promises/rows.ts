/*
 * Doors × promises: what each door of the package is asked by promises.test.ts. The doors are enumerated from what exists;
 * one without a row fails. Rows for further promises stand beside these, by the same names.
 */
import type { Client } from "../../client";
import type { nouns } from "../../client/rest/nouns";
import { findFunction, functionNames } from "../../provider/functions";
import { FromConfig, FromResource } from "../../provider/lifecycle/fields/example";
import { definitions } from "../../provider/resources";
import { secret } from "../functions/startPlugin";
import { pod, registry, template, volume } from "../harness/requests";

/** Stand in the secret places of calls: nothing that leaves may hold one, in any form. */
export const canaries = {
  key: "rpa_CANARYkeyCANARYkey01",
  env: "hf_CANARYenvCANARYenv02",
  credential: "CANARY&credential/03",
  header: "CANARYheaderCANARY04",
} as const;

/** What a hostile server writes of a text that it was sent. */
export const forms: Readonly<Record<string, (text: string) => string>> = {
  literal: (text) => text,
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64 of a user and it": (text) => Buffer.from(`user:${text}`).toString("base64"),
  "as an address": encodeURIComponent,
  "\\u escapes": (text) => [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  "JSON in JSON": (text) => JSON.stringify(JSON.stringify({ text })),
  "letter by letter": (text) =>
    [...text].map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`).join(""),
};

const { env: TOKEN, credential, header } = canaries;
const env = { TOKEN };
const s3Config = { accessId: "somebody", accessSecret: credential, bucketName: "b", endpointUrl: "https://s3" };

type Noun = keyof typeof nouns;

/** A call of each of the client's nouns, and of what it has besides. The key goes with all of them. */
export const clientDoors: Readonly<
  Record<Noun | "events" | "queue" | "request", (client: Client) => Promise<unknown>>
> = {
  billing: ({ billing }) => billing.pods(),
  catalog: ({ catalog }) => catalog.gpus(),
  clusters: ({ clusters }) => clusters.list(),
  costCenters: ({ costCenters }) => costCenters.list(),
  delegations: ({ delegations }) => delegations.list(),
  globalVolumes: ({ globalVolumes }) => globalVolumes.list(),
  networkVolumes: ({ networkVolumes }) => networkVolumes.create(volume("v")),
  pods: ({ pods }) => pods.create({ ...pod("p"), env }),
  registries: ({ registries }) => registries.create({ ...registry("r"), username: "somebody", password: credential }),
  secrets: ({ secrets }) => secrets.create({ name: "n", value: credential }),
  serverless: ({ serverless }) => serverless.list(),
  sshKeys: ({ sshKeys }) => sshKeys.get(),
  tags: ({ tags }) => tags.list(),
  templates: ({ templates }) => templates.create({ ...template("t"), env }),
  events: async (client) => {
    const request = { headers: { "x-token": header }, body: { password: credential } };
    for await (const _ of client.endpoint("e").events("/v1", request));
  },
  queue: (client) => client.queue("e").run({ input: { prompt: "hi" }, s3Config }),
  request: (client) => client.request("POST", "/v2/account/secrets", { body: { name: "n", value: credential } }),
};

/** Each kind with the arguments of its first example, and canaries in the places of secrets. */
export const kindDoors = Object.values(definitions).map(({ kind, examples, inputs }) => {
  const plain = (_: string, value: unknown) => {
    if (value instanceof FromConfig) return secret(credential);
    if (value instanceof FromResource) return value.output === "revision" ? 1 : "an-id";
    return value;
  };
  const example: object = JSON.parse(JSON.stringify(examples[0]?.args, plain));
  const headers = secret({ "x-token": header });
  const variables = { TOKEN: secret(env.TOKEN) };
  return [
    kind,
    { ...example, ...("env" in inputs.shape && { env: variables }), ...("headers" in inputs.shape && { headers }) },
  ] as const;
});

const functionArgs: Readonly<Record<string, object>> = { estimateCost: { pod: { gpu: { id: "NVIDIA L4" } } } };

/** Each function, with an id for each argument that it must have. */
export const functionDoors = functionNames.map((name) => {
  const fields = Object.entries(findFunction(name)?.args.shape ?? {});
  const required = fields.filter(([, field]) => !field.safeParse(undefined).success);
  return [name, functionArgs[name] ?? Object.fromEntries(required.map(([key]) => [key, "an-id"]))] as const;
});

const NO_CALL = "asks the service nothing before an engine or a file";
/** Each command with its arguments, or why it shows nothing of a service that refuses. */
export const commandDoors: Readonly<Record<string, readonly string[] | string>> = {
  adopt: [],
  budget: NO_CALL,
  cost: NO_CALL,
  doctor: [],
  drift: NO_CALL,
  emulator: "is the service",
  health: ["e"],
  init: NO_CALL,
  logs: ["e"],
  migrate: NO_CALL,
  orphans: NO_CALL,
  plan: NO_CALL,
  "plugin install": NO_CALL,
  purge: ["e", "--yes"],
  smoke: ["e", "--input", '{"prompt":"hi"}'],
  unlock: NO_CALL,
  verify: NO_CALL,
  watch: NO_CALL,
};
