import * as pulumi from "@pulumi/pulumi";
import { ServerlessEndpoint, SmokeRequest, Template } from "pulumi-computecloud";

const config = new pulumi.Config("llm");
const model = config.get("model") ?? "Qwen/Qwen3-8B";

const worker = new Template("vllm", {
  image: config.get("image") ?? "runpod/worker-v1-vllm:v2.7.0stable-cuda12.1.0",
  serverless: true,
  disk: 60,
  env: { MODEL_NAME: model, MAX_MODEL_LEN: "8192" },
});

const endpoint = new ServerlessEndpoint("chat", {
  template: worker,
  gpuIds: "ADA_24,AMPERE_24",
  workersMax: 2,
  idleTimeout: 60,
});

// `pulumi up` fails unless this model answers, with what is wrong: a model name, a crash, a slow start.
const hello = new SmokeRequest("hello", {
  endpoint,
  chat: "Say hello",
  model,
  timeout: config.get("timeout") ?? "20m",
});

export const answer = hello.answer;
/** Milliseconds until the first token. */
export const firstToken = hello.firstTokenTime;
export const tokensPerSecond = hello.tokensPerSecond;
export const endpointId = endpoint.id;
