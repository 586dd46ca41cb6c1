import { Cluster } from "pulumi-computecloud";

const cluster = new Cluster("pretrain", {
  type: "TRAINING",
  compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
  gpuAlternatives: ["NVIDIA A100-SXM4-80GB"],
  image: "registry.example.com/pytorch:2.4",
  ports: ["22/tcp"],
  env: { NCCL_DEBUG: "WARN" },
  startSsh: true,
  createTimeout: "45m",
});

export const gpu = cluster.gpuTypeId;
export const primary = cluster.primary;
export const costPerHour = cluster.costPerHour;
