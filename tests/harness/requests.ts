import type { Control } from "../../tools/run/control";
import { until } from "./until";

// What a test sends that needs a thing of a kind, whatever it is like.

export const pod = (name: string) => ({ name, image: "busybox", disk: 10, gpu: { id: "NVIDIA L4" } });
export const cluster = (name: string) => ({
  name,
  type: "TRAINING" as const,
  image: "busybox",
  compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
});
export const endpoint = (name: string) => ({
  name,
  type: "QUEUE" as const,
  image: "busybox",
  disk: 10,
  gpu: { pools: ["AMPERE_16"] },
  scaling: { type: "QUEUE_DELAY" as const, queueDelay: 4 },
});
export const template = (name: string) => ({ name, image: "busybox", disk: 10 });
export const volume = (name: string) => ({ name, size: 10, dataCenter: "EU-RO-1" });
export const registry = (name: string) => ({ name, username: "somebody", password: "registry-password" });
export const savedEndpoint = (name: string, templateId: string) => ({
  name,
  templateId,
  type: "QUEUE" as const,
  gpu: { pools: ["AMPERE_16"], count: 1 },
  workers: { min: 0, max: 0, idleTimeout: 5 },
  scaling: { type: "QUEUE_DELAY" as const, queueDelay: 4 },
  dataCenterIds: [] as string[],
  networkVolumes: [] as string[],
  flashboot: "OFF" as const,
});

/** What somebody does to a pod in the console. It is waited for, because a boot takes some turns, even one of no time. */
export async function actOnPod(service: Control, id: string, action: "start" | "stop" | "restart"): Promise<void> {
  await service.rest("POST", `/v2/pods/${id}/action`, { action });
  const reached = action === "stop" ? "EXITED" : "RUNNING";
  await until(async () => Object(await service.rest("GET", `/v2/pods/${id}`)).status === reached);
}
