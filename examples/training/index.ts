import { Cluster, type ClusterArgs } from "pulumi-computecloud";

/** Pods with eight GPUs each, in one network. */
const nodes = {
  compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
  gpuAlternatives: ["NVIDIA A100-SXM4-80GB"],
  image: "registry.example.com/pytorch:2.4",
  ports: ["22/tcp"],
  env: { NCCL_DEBUG: "WARN" },
  startSsh: true,
  createTimeout: "45m",
} satisfies Partial<ClusterArgs>;

/** `sbatch` on the primary hands out the pods. */
const slurm = new Cluster("pretrain", { ...nodes, type: "SLURM" });

/** The primary is Ray's head; the others are its workers. */
const ray = new Cluster("tune", { ...nodes, type: "RAY", ports: ["22/tcp", "8265/http"] });

export const gpus = { slurm: slurm.gpuTypeId, ray: ray.gpuTypeId };
export const primaries = { slurm: slurm.primary, ray: ray.primary };
export const costPerHour = { slurm: slurm.costPerHour, ray: ray.costPerHour };
