import * as pulumi from "@pulumi/pulumi";
import { NetworkVolume, Registry, ServerlessEndpoint, Template } from "pulumi-computecloud";

const config = new pulumi.Config("fleet");

const registry = new Registry("images", {
  username: config.get("registryUsername") ?? "ci",
  password: config.getSecret("registryPassword") ?? pulumi.secret("change-me"),
});

const models = new NetworkVolume("models", { size: 100, dataCenter: "EU-RO-1", type: "STANDARD" });

/** An endpoint with a template of its own. */
function service(name: string, image: string, gpuIds: string, workersMax: number): ServerlessEndpoint {
  const template = new Template(name, {
    image,
    registry: registry.id,
    serverless: true,
    disk: 20,
    env: { MODEL_PATH: "/runpod-volume" },
  });
  return new ServerlessEndpoint(name, { template, gpuIds, networkVolumeId: models.id, workersMax, idleTimeout: 5 });
}

const chat = service("chat", "registry.example.com/chat:1.4.0", "ADA_24,AMPERE_24", 3);
const embed = service("embed", "registry.example.com/embed:2.0.1", "AMPERE_16", 2);

export const endpointIds = { chat: chat.id, embed: embed.id };
export const runUrls = { chat: chat.requestUrls.run, embed: embed.requestUrls.run };
