/*
 * Doors × promises: what each door of the package is asked by promises.test.ts. The doors are enumerated from what exists;
 * one without a row fails. Rows for further promises stand beside these, by the same names.
 */
import type { Client } from "../../client";
import type { nouns } from "../../client/rest/nouns";
import { shownFailures } from "../../provider/engine/text";
import { findFunction, functionNames } from "../../provider/functions";
import { FromConfig, FromResource } from "../../provider/lifecycle/fields/example";
import type { EngineLog } from "../../provider/lifecycle/run";
import { definitions } from "../../provider/resources";
import { secret } from "../functions/startPlugin";
import { pod, registry, savedEndpoint, template, volume } from "../harness/requests";

/** Stand in the secret places of calls: nothing that leaves may hold one, in any form. */
export const canaries = {
  key: "rpa_CANARYkeyCANARYkey01",
  env: "hf_CANARYenvCANARYenv02",
  credential: "CANARY&credential/03",
  header: "CANARYheaderCANARY04",
  backend: "CANARYbackendCANARY05",
} as const;

export type Form = (text: string) => string;

/** What a hostile server writes of a text that it was sent. */
export const forms: Readonly<Record<string, Form>> = {
  literal: (text) => text,
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64 of a user and it": (text) => Buffer.from(`user:${text}`).toString("base64"),
  "as an address": encodeURIComponent,
  "\\u escapes": (text) => [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  "JSON in JSON": (text) => JSON.stringify(JSON.stringify({ text })),
  "letter by letter": (text) =>
    [...text].map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`).join(""),
};

/** All of them, one after another. */
export const everyForm: Form = (text) =>
  Object.values(forms)
    .map((form) => form(text))
    .join(" ");

const { env: TOKEN, credential, header } = canaries;
const env = { TOKEN };
const s3Config = { accessId: "somebody", accessSecret: credential, bucketName: "b", endpointUrl: "https://s3" };

type Noun = keyof typeof nouns;

/** A call of each of the client's nouns, and of what it has besides. The key goes with all of them. */
export const clientDoors: Readonly<
  Record<Noun | "endpoints" | "events" | "path" | "queue" | "request", (client: Client) => Promise<unknown>>
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
  // By GraphQL.
  endpoints: ({ endpoints }) => endpoints.save(savedEndpoint("s", "t")),
  events: async (client) => {
    const request = { headers: { "x-token": header }, body: { password: credential } };
    for await (const _ of client.endpoint("e").events("/v1", request));
  },
  // A key that was pasted as an id.
  path: (client) => client.request("GET", `/v2/pods/${canaries.key}`),
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

const functionArgs: Readonly<Record<string, object>> = {
  estimateCost: { pod: { gpu: { id: "NVIDIA L4" } } },
  getGpuType: { id: "NVIDIA L4" },
  getCpuType: { id: "cpu5c" },
  getDataCenter: { id: "EU-RO-1" },
};

/** Each function, with an id for each argument that it must have. */
export const functionDoors = functionNames.map((name) => {
  const fields = Object.entries(findFunction(name)?.args.shape ?? {});
  const required = fields.filter(([, field]) => !field.safeParse(undefined).success);
  return [name, functionArgs[name] ?? Object.fromEntries(required.map(([key]) => [key, "an-id"]))] as const;
});

/** What the ids of functions' arguments are of: by the function, the kind whose example has one. */
export const idsOfFunctions: Readonly<Record<string, string>> = {
  getPod: "pod",
  getPodLogs: "pod",
  getCluster: "cluster",
  getClusterPods: "cluster",
  getServerlessEndpoint: "serverlessContainer",
  getEndpointWorkers: "serverlessContainer",
  getEndpointReleases: "serverlessContainer",
  getEndpointBuilds: "serverlessContainer",
  getEndpointHealth: "serverlessContainer",
};

/** Kinds and functions that show no text which the service may fill with any. */
export const silentKinds: ReadonlySet<string> = new Set(["costCenter", "smokeJob", "smokeRequest", "sshKeys", "tag"]);
export const silentFunctions =
  /Billing$|^get(AccountLimits|Balance|ServerlessDiscount|SshKeys|Tags|CostCenters|Endpoint(Builds|Releases|Workers))$|^estimateCost$/;

/** What an engine gets from the provider besides states: each with a text in it. */
export const engineDoors: Readonly<Record<string, (text: string) => unknown>> = {
  "a refused argument": (text) => shownFailures([{ property: text, reason: text }]),
};

/** What is said while a run is under way. */
export const logDoors: Readonly<Record<string, (log: EngineLog, text: string) => void>> = {
  "a status": (log, text) => log.status(text, text),
  "a message": (log, text) => log.info(text),
  "a warning": (log, text) => log.warn(text),
};

/** A command's arguments, and what shows that it has met the service or the engine: by default a masked secret. */
export interface CommandDoor {
  readonly args: readonly string[];
  readonly meets?: string;
  readonly hasNoJson?: true;
}

const PREVIEW = "preview.json";
/** What the commands find in their folder. */
export const files = {
  "Pulumi.yaml": "name: shop\nruntime: nodejs\n",
  [PREVIEW]: JSON.stringify({
    steps: ["Pod", "ServerlessEndpoint"].map((kind) => {
      const [urn, type] = [
        `urn:pulumi:dev::shop::computecloud:index:${kind}::${canaries.key}`,
        `computecloud:index:${kind}`,
      ];
      const inputs = { name: canaries.key, gpu: { id: "NVIDIA L4" }, gpuIds: "ADA_24", workersMax: 2 };
      return { op: "create", urn, newState: { urn, type, custom: true, inputs } };
    }),
  }),
};

/** Each command, or why it shows nothing of a service or an engine. */
export const commandDoors: Readonly<Record<string, CommandDoor | string>> = {
  adopt: { args: [] },
  budget: { args: ["--month", "100"] },
  cost: { args: [PREVIEW] },
  doctor: { args: [] },
  drift: { args: ["--stack", "dev"] },
  emulator: "is the service",
  health: { args: ["e"] },
  init: "asks nobody: it writes files",
  logs: { args: ["e"] },
  migrate: "asks nobody: it prints what it was given, in another form",
  orphans: { args: [] },
  plan: { args: [PREVIEW] },
  "plugin install": "asks nobody: it copies the package",
  purge: { args: ["e", "--yes"] },
  smoke: { args: ["e", "--input", '{"prompt":"hi"}'] },
  unlock: { args: [] },
  verify: { args: ["--yes"], meets: "answered 422" },
  watch: { args: ["--metrics", "127.0.0.1:0", "--interval", "1s"], hasNoJson: true },
};

/** Commands that show what a service answers, and does not refuse. */
export const showingCommands: readonly (readonly [name: string, ...args: string[]])[] = [
  ["adopt"],
  ["adopt", "--plain-env", "--kind", "Pod"],
  ["budget", "--month", "100"],
  ["cost", PREVIEW],
  ["plan", PREVIEW],
  ["doctor"],
];
