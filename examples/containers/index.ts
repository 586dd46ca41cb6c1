import * as pulumi from "@pulumi/pulumi";
import { EcrDelegation, Secret, ServerlessContainer } from "pulumi-computecloud";

const token = new Secret("hf-token", { value: new pulumi.Config().getSecret("hfToken") ?? "hf_example" });

const images = new EcrDelegation("images", { resource: "arn:aws:ecr:eu-west-1:123456789012:repository/embedder" });

const embedder = new ServerlessContainer(
  "embedder",
  {
    type: "QUEUE",
    image: "123456789012.dkr.ecr.eu-west-1.amazonaws.com/embedder:3",
    cpu: [{ id: "cpu5c", vcpuCount: 4 }],
    workers: { min: 0, max: 4 },
    scaling: { type: "REQUEST_COUNT", requestCount: 4 },
    timeout: 60_000,
  },
  { dependsOn: images },
);

const chat = new ServerlessContainer("chat", {
  type: "LOAD_BALANCER",
  image: "registry.example.com/chat:1.4.0",
  gpu: { pools: ["AMPERE_16", "AMPERE_24"], excludedTypes: ["NVIDIA RTX A4500"], minCudaVersion: "12.4" },
  workers: { max: 2, idleTimeout: 30 },
  scaling: { type: "REQUEST_COUNT", requestCount: 16 },
  ports: ["80/http"],
  env: { HF_TOKEN: token.reference },
});

export const urls = { embedder: embedder.requestUrls, chat: chat.requestUrls };
