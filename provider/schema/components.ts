import { z } from "zod";
import { control, json, named } from "../lifecycle/fields";
import { definitions } from "../resources";
import { queueUrlsOutput } from "../resources/queueUrls";
import { boundFields } from "../smoke/bounds";
import { expectation } from "../smoke/expectation";
import type { AnyDefinition } from "./definitions";

/*
 * What other languages and the documentation see of the components. What these do is written once, in their classes in `sdk/`;
 * tests hold the two together.
 */

const job = {
  input: json(z.unknown(), z.unknown()).describe("What the worker's handler is given: any JSON but an empty object."),
  expect: json(expectation, z.unknown().optional()).describe("What its output must be. Default: anything."),
  timeout: z
    .string()
    .optional()
    .describe("Time for everything, cold start and further attempts included: `90s`, `5m`, `1h`. Default `5m`."),
  retries: z
    .int()
    .optional()
    .describe("How often a job that did not go well is run again within `timeout`. Default 0."),
};
const gate = named("Gate", z.strictObject(job).describe("A job that shows whether an image serves."));
const measuringGate = named(
  "MeasuringGate",
  z
    .strictObject({ ...job, ...boundFields })
    .describe("The job, or jobs, that a new image, or new settings, have to do well, and what they may take."),
);

const { inputs, outputs } = definitions.serverlessContainer;
const endpoint = inputs.omit({ type: true, templateId: true, templateRevision: true, verify: true }).shape;
const container = definitions.template.inputs.pick({
  image: true,
  args: true,
  entrypoint: true,
  cmd: true,
  disk: true,
  ports: true,
  env: true,
  registry: true,
}).shape;

const gatedEndpoint: AnyDefinition = {
  kind: "GatedEndpoint",
  isComponent: true,
  description:
    "A queue whose changes have to prove themselves before they reach it. New settings go to a candidate first, an " +
    "endpoint of its own that rests at no workers and costs nothing; only when its smoke job went well does the endpoint, " +
    "whose id and addresses never change, take them, and the old template is deleted last. When the job does not go well, " +
    "the deployment fails with its reason, and the endpoint serves what it served before: the next `pulumi up`, with " +
    "another image or with the old one, goes on from there.",
  inputs: z.strictObject({
    ...endpoint,
    ...container,
    gate: measuringGate,
    candidateWorkers: control(z.int().optional()).describe(
      "Workers that the candidate may start while the gate's job runs; they count in the account's quota. Default 1.",
    ),
    verify: control(z.union([z.boolean(), gate]).optional()).describe(
      "A second job, on the endpoint itself after it has taken the new settings: when it doesn't go well, the endpoint " +
        "gets the old ones back. `true`: the gate's. Default: none.",
    ),
  }),
  shows: [],
  outputs: z.object({
    endpointId: z.string().describe("The endpoint's id, the same for life."),
    name: z.string().describe("The endpoint's name at the service."),
    type: z.string().describe("The endpoint's type, `QUEUE`."),
    requestUrls: queueUrlsOutput,
    revision: outputs.shape.revision,
    candidateId: z.string().describe("The endpoint that new settings are tried on."),
    measured: definitions.smokeJob.outputs.shape.measured,
  }),
  examples: [
    {
      title: "Only images that answer",
      name: "chat",
      args: {
        image: "registry.example.com/chat:1.5.0",
        gpu: { pools: ["AMPERE_24", "ADA_24"] },
        workers: { max: 3 },
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
        gate: { input: { text: "ping" }, expect: { output: { status: "ok" } }, timeout: "10m" },
      },
    },
  ],
};

/** By the name of their file. */
export const components: Readonly<Record<string, AnyDefinition>> = { gatedEndpoint };
