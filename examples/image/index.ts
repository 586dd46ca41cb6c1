import { Image } from "@pulumi/docker-build";
import * as pulumi from "@pulumi/pulumi";
import { GatedEndpoint, Registry } from "pulumi-computecloud";

const config = new pulumi.Config();
const repository = config.require("repository");
const username = config.require("registryUser");
const password = config.requireSecret("registryPassword");

// Workers run on linux/amd64, whatever this machine is.
const image = new Image("worker", {
  context: { location: "worker" },
  platforms: ["linux/amd64"],
  tags: [`${repository}:latest`],
  registries: [{ address: repository.split("/")[0] ?? "", username, password }],
  push: true,
});

const endpoint = new GatedEndpoint("chat", {
  image: image.ref, // the tag with its digest: another build is another image
  registry: new Registry("images", { username, password }).id,
  gpu: { pools: ["ADA_24", "AMPERE_24"] },
  workers: { max: 3 },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  gate: { input: { prompt: "ping" }, expect: { output: { prompt: "ping" } }, timeout: "10m" },
});

export const ref = image.ref;
export const url = endpoint.requestUrls.run;
