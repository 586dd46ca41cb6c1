import { z } from "zod";
import { control, json, named, replaces } from "../../provider/lifecycle/fields/fields";
import { loadBalancerUrls, queueUrls } from "../../provider/resources/serverless/queueUrls";
import { serverlessContainer } from "../../provider/resources/serverless/serverlessContainer";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import { requestValue } from "../../provider/resources/serverless/smokeFields";
import { smokeJob } from "../../provider/resources/serverless/smokeJob";
import { smokeRequest } from "../../provider/resources/serverless/smokeRequest";
import { template } from "../../provider/resources/serverless/template";
import { boundFields } from "../../provider/smoke/bounds";
import { expectation } from "../../provider/smoke/expectation";
import { requestBoundFields } from "../../provider/smoke/requestGate";
import type { AnyDefinition } from "./definitions";

/*
 * What other languages and the documentation see of the components. Their classes in `sdk/` implement them; tests compare
 * the two.
 */

const { body, expect, timeout } = requestValue.shape;
const job = {
  input: json(z.unknown(), z.unknown().optional()).describe(
    "Input of the worker's handler: any JSON except an empty object. Required without `request`.",
  ),
  expect: json(expectation, z.unknown().optional()).describe("The expected output. Default: any."),
  timeout,
  retries: smokeJob.inputs.shape.retries,
};
const request = {
  ...requestValue.shape,
  body: json(body, z.unknown().optional()).describe(body.description ?? ""),
  expect: json(expect, z.unknown().optional()).describe(expect.description ?? ""),
};
const gate = named(
  "Gate",
  z
    .strictObject({
      ...job,
      request: named("RequestProof", z.strictObject(request).describe("A request that shows whether an image works."))
        .optional()
        .describe("In place of all other members, which are a job's: a request that shows whether an image works."),
    })
    .describe("A job, or a `request` alone, that shows whether an image works."),
);
const measuringGate = named(
  "MeasuringGate",
  z
    .strictObject({
      ...job,
      ...boundFields,
      request: named(
        "RequestGate",
        z
          .strictObject({ ...request, ...requestBoundFields })
          .describe("The request or requests of a candidate, with bounds for their times."),
      )
        .optional()
        .describe(
          "In place of all other members, which are a job's: the request or requests, with bounds of their own.",
        ),
    })
    .describe(
      "The job or jobs, or a `request` alone, that new settings must pass, with bounds for their times and cost.",
    ),
);

const { inputs, outputs } = serverlessContainer;
const endpoint = inputs.omit({ type: true, templateId: true, templateRevision: true, verify: true }).shape;
const { image, args, entrypoint, cmd, disk, ports, env, registry } = template.inputs.shape;
const container = { image, args, entrypoint, cmd, disk, ports, env, registry };

export const gatedEndpoint = {
  kind: "GatedEndpoint",
  isComponent: true,
  source: serverlessEndpoint.source,
  description:
    "An endpoint that takes a change only after a smoke job, or a request, has passed. New settings go to a candidate first: a " +
    "second endpoint, which costs nothing because its maximum is 0 workers between jobs. If the candidate passes, the " +
    "endpoint takes the settings, and the old template is deleted last. The endpoint's id and addresses never change. If it " +
    "fails, the deployment fails with the reason, and the endpoint keeps its settings. The next `pulumi up` continues " +
    "from there, with another image or with the old one.",
  inputs: z.strictObject({
    type: replaces(named("EndpointType", z.enum(["QUEUE", "LOAD_BALANCER"])).optional()).describe(
      "Whether requests wait in a queue, or go to a worker at once. Default `QUEUE`.",
    ),
    ...endpoint,
    ...container,
    gate: measuringGate,
    candidateWorkers: control(z.int().optional()).describe(
      "Maximum of workers of the candidate while the gate runs. They count in the account's quota. Default 1.",
    ),
    verify: control(z.union([z.boolean(), gate]).optional()).describe(
      "A second job or `request`, on the endpoint itself after it has taken the new settings. If it fails, the endpoint gets " +
        "the old settings back. `true`: the gate's. Default: none.",
    ),
  }),
  shows: [],
  outputs: z.object({
    endpointId: z.string().describe("Id of the endpoint. It never changes."),
    name: z.string().describe("The endpoint's name at the service."),
    type: z.string().describe("The endpoint's type, `QUEUE` or `LOAD_BALANCER`."),
    requestUrls: z
      .union([queueUrls, loadBalancerUrls])
      .describe("Addresses of the queue's operations, or of the load balancer."),
    revision: outputs.shape.revision,
    candidateId: z.string().describe("Id of the candidate, which gets new settings first."),
    measured: smokeJob.outputs.shape.measured,
    measuredRequests: smokeRequest.outputs.shape.measured.optional(),
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
    {
      title: "A load balancer that takes only images which answer fast enough",
      name: "api",
      args: {
        type: "LOAD_BALANCER",
        image: "registry.example.com/api:2.0.0",
        cpu: [{ id: "cpu5c", vcpuCount: 4 }],
        scaling: { type: "REQUEST_COUNT", requestCount: 16 },
        gate: {
          request: { path: "/predict", body: { text: "ping" }, requests: 10, total: { p95: "2s" }, timeout: "10m" },
        },
      },
    },
  ],
} satisfies AnyDefinition;

/** Components by the name of their file. */
export const components: Readonly<Record<string, AnyDefinition>> = { gatedEndpoint };
