import * as pulumi from "@pulumi/pulumi";
import { GatedEndpoint, Waves } from "pulumi-computecloud";

const config = new pulumi.Config("waves");
const image = `registry.example.com/worker:${config.get("version") ?? "1.4.0"}`;

const models = new Waves("models", {
  members: ["rank", "embed", "classify", "chat"],
  waves: [1, "50%", "100%"],
  pauseAfter: config.getNumber("pauseAfter"),
  make: (model, options) =>
    new GatedEndpoint(
      model,
      {
        image,
        env: { MODEL: model },
        gpu: { pools: ["ADA_24", "AMPERE_24"] },
        workers: { max: 3 },
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
        gate: { input: { prompt: "ping" }, expect: { output: { prompt: "ping" } }, timeout: "10m", retries: 1 },
      },
      options,
    ),
});

export const canary = models.members.rank.requestUrls.run;
