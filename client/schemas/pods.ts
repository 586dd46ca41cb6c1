import { z } from "../../common/zod";
import type { Tolerant } from "../values/tolerant";
import {
  Cpu,
  CpuRequest,
  CudaVersion,
  containerFields,
  createdAt,
  idOf,
  Mounts,
  name,
  shownContainerFields,
} from "./common";

export const PodStatus = z.enum(["PROVISIONING", "STARTING", "RUNNING", "EXITED", "ERROR", "TERMINATED"]);
export type PodStatus = z.infer<typeof PodStatus>;

export const PodAction = z.enum(["start", "stop", "restart", "terminate"]);
export type PodAction = z.infer<typeof PodAction>;

const SshEndpoint = z.object({
  host: z.string().describe("Host name or IP address."),
  port: z.int().describe("TCP port."),
  username: z.string().describe("User to log in as."),
  command: z.string().describe("All of it as an `ssh` command for a shell."),
});

const utilization = (of: string) => z.int().optional().describe(`Utilization of ${of}, 0 to 100 percent.`);

const PodRuntime = z.object({
  uptime: z.int().optional().describe("Seconds since the container started."),
  gpus: z
    .array(z.object({ util: utilization("the GPU"), memoryUtil: utilization("its memory") }))
    .optional()
    .describe("Each of its GPUs."),
  cpu: z
    .object({ util: utilization("the CPU") })
    .optional()
    .describe("Its CPU."),
  memory: z
    .object({ util: utilization("the memory") })
    .optional()
    .describe("Its memory."),
  ports: z
    .array(
      z.object({
        private: z.int().optional().describe("Port in the container."),
        public: z.int().nullish().describe("Port that reaches it from outside, at `ip`; null where there is none."),
        type: z.string().optional().describe("Protocol: `tcp` or `http`."),
        ip: z.string().nullish().describe("IP address that `public` is a port of; null where there is none."),
      }),
    )
    .optional()
    .describe("Where its ports are reached now; a start may change it."),
});

export const Pod = z.object({
  id: idOf("pod", "`getPod`"),
  name,
  status: PodStatus.describe(
    "What it does now; EXITED is a stopped pod, ERROR one that can't go on, TERMINATED one that was deleted.",
  ),
  actions: z.array(PodAction).describe("What can be done with it in this status."),
  ...shownContainerFields,
  mounts: Mounts.describe("Storage that outlives a restart; empty where it has none."),
  gpu: z
    .object({
      id: z.string().describe("GPU type, as `getGpuType` takes it."),
      count: z.int().optional().describe("How many GPUs."),
      vcpuCount: z.int().optional().describe("vCPUs that come with all its GPUs."),
      memory: z.int().optional().describe("Memory in GB that comes with all its GPUs."),
    })
    .optional()
    .describe("GPUs of the pod; absent on a CPU pod."),
  cpu: Cpu.optional().describe("CPU of a CPU pod; absent on a GPU pod."),
  cloud: z
    .enum(["SECURE", "COMMUNITY"])
    .describe("Whose machine it is on: SECURE is the service's own, COMMUNITY somebody else's."),
  dataCenterId: z.string().nullable().describe("Data center where it was placed; null where it was not yet."),
  cudaVersion: z
    .string()
    .nullable()
    .describe("CUDA version of its machine, also while it is stopped; null where none is known, as on CPU pods."),
  ssh: z
    .object({
      proxy: SshEndpoint.nullable().describe(
        "Through the service's proxy, for a shell alone: no files, no forwarded ports. Null until it has a machine.",
      ),
      direct: SshEndpoint.nullable().describe(
        "To the pod itself, for files and forwarded ports as well. Null unless it runs with `22/tcp` among its ports.",
      ),
    })
    .describe("How to reach it by SSH, where it was created with `startSsh`."),
  cluster: z
    .object({
      id: idOf("cluster", "`getCluster`"),
      rank: z.int().nullable().describe("Number of the pod in the cluster, 0 for the primary; null until it has one."),
      role: z
        .enum(["SLURM_CONTROLLER", "SLURM_COMPUTE", "RAY_HEAD", "RAY_WORKER"])
        .optional()
        .describe("What it is to Slurm or Ray; absent in other clusters."),
      ip: z.string().optional().describe("IP address in the cluster's own network; absent until it has one."),
    })
    .optional()
    .describe("The cluster that it is a member of; absent on a pod of its own."),
  template: z.string().nullable().describe("Template that it was created from; null where the service keeps no link."),
  cost: z.number().describe("What it costs in USD an hour; 0 while it is stopped."),
  locked: z.boolean().describe("Whether it is locked, so that it can't be stopped."),
  globalNetworking: z
    .object({
      enabled: z.boolean().describe("Whether it has an address there."),
      ip: z.string().optional().describe("Its IP address there; absent unless enabled."),
      internalDns: z
        .string()
        .optional()
        .describe("Name by which the account's other pods there reach it; absent unless enabled."),
    })
    .describe("Its part in the account's private network across data centers."),
  runtime: PodRuntime.nullable().describe("How busy it is at this moment; null while it does not run."),
  createdAt,
  startedAt: z.string().nullable().describe("When it started, RFC 3339; null where it has not."),
});
export type Pod = Tolerant<z.infer<typeof Pod>>;

export const CreatePodRequest = z.strictObject({
  name: z.string(),
  ...containerFields,
  gpu: z
    .strictObject({
      id: z.string(),
      count: z.int().optional(),
      allowedCudaVersions: z.array(CudaVersion).optional(),
      minCudaVersion: CudaVersion.optional(),
      minRamPerGpu: z.int().optional(),
      minVcpuCountPerGpu: z.int().optional(),
    })
    .optional(),
  cpu: CpuRequest.optional(),
  cloud: z.enum(["SECURE", "COMMUNITY"]).optional(),
  dataCenterIds: z.array(z.string()).optional(),
  mounts: Mounts.optional(),
  globalNetworking: z.boolean().optional(),
  startSsh: z.boolean().optional(),
  startJupyter: z.boolean().optional(),
  templateId: z.string().optional(),
});
export type CreatePodRequest = z.infer<typeof CreatePodRequest>;

export const UpdatePodRequest = z.strictObject({
  name: z.string().optional(),
  ...containerFields,
  mounts: Mounts.optional(),
  locked: z.boolean().optional(),
  globalNetworking: z.boolean().optional(),
  templateId: z.string().optional(),
});
export type UpdatePodRequest = z.infer<typeof UpdatePodRequest>;

export const PodActionRequest = z.strictObject({ action: PodAction });

export const ListPodsQuery = z.strictObject({ includeClusterPods: z.boolean().optional() });
export type ListPodsQuery = z.infer<typeof ListPodsQuery>;
