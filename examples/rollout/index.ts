import * as pulumi from "@pulumi/pulumi";
import { GatedEndpoint } from "pulumi-computecloud";

const config = new pulumi.Config("rollout");

const chat = new GatedEndpoint("chat", {
  image: `registry.example.com/chat:${config.get("version") ?? "1.4.0"}`,
  gpu: { pools: ["ADA_24", "AMPERE_24"] },
  workers: { max: 3 },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  gate: { input: { prompt: "ping" }, expect: { output: { prompt: "ping" } }, timeout: "10m", retries: 1 },
});

export const url = chat.requestUrls.run;
