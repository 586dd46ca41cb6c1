import * as pulumi from "@pulumi/pulumi";
import { NetworkVolume, Template } from "pulumi-computecloud";

const config = new pulumi.Config();

// Declared as they are: what differs would be updated in place, and the preview says so.
const models = new NetworkVolume(
  "models",
  { adoptId: config.require("volumeId"), name: "models", size: 100, dataCenter: "EU-RO-1" },
  { protect: true },
);
const chat = new Template("chat", {
  adoptId: config.require("templateId"),
  name: "chat",
  image: "registry.example.com/chat:1.4.0",
  serverless: true,
});

export const ids = { models: models.id, chat: chat.id };
