/*
 * Doors × promises: what each door of the package is asked by promises.test.ts. The doors are enumerated from what exists;
 * one without a row fails. Rows for further promises stand beside these, by the same names.
 */
import type { Client } from "../../client";
import type { nouns } from "../../client/rest/nouns";
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
