import { NetworkVolume, ServerlessEndpoint, Template } from "pulumi-computecloud";

const models = new NetworkVolume("models", { size: 50, dataCenter: "EU-RO-1", type: "STANDARD" });

const template = new Template("chat", {
  image: "registry.example.com/chat:1.0.0", // your worker
  serverless: true,
  disk: 20,
  env: { MODEL_PATH: "/runpod-volume" },
});

const chat = new ServerlessEndpoint("chat", {
  template, // a new image reaches the endpoint in the same run
  gpuIds: "ADA_24,AMPERE_24",
  networkVolumeId: models.id,
  workersMax: 2,
});

export const endpointId = chat.id;
export const runUrl = chat.requestUrls.run;
