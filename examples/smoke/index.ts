import * as pulumi from "@pulumi/pulumi";
import { ServerlessContainer, SmokeJob } from "pulumi-computecloud";

const config = new pulumi.Config("smoke");

const endpoint = new ServerlessContainer("summarizer", {
  type: "QUEUE",
  image: config.get("image") ?? "registry.example.com/summarizer:2.1.0",
  gpu: { pools: ["AMPERE_24", "ADA_24"] },
  workers: { max: 2 },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
});

// Runs when the endpoint, the input or the expectation changes; `pulumi up` fails when it does not pass.
const smoke = new SmokeJob("summarizer", {
  endpoint,
  input: { text: "A green deployment that serves nothing is a failure." },
  expect: {
    output: { text: "A green deployment that serves nothing is a failure." },
    schema: { type: "object", required: ["text"], properties: { text: { type: "string", minLength: 1 } } },
  },
  timeout: config.get("timeout") ?? "5m",
  retries: 1,
});

export const endpointId = endpoint.id;
/** Milliseconds. */
export const latency = { coldStart: smoke.delayTime, execution: smoke.executionTime };
