import { z } from "zod";
import type { Tolerant } from "../tolerant";
import { Cpu, CpuRequest, CudaVersion, containerFields, Mounts, Pagination, shownContainerFields } from "./common";

export const PodStatus = z.enum(["PROVISIONING", "STARTING", "RUNNING", "EXITED", "ERROR", "TERMINATED"]);
export type PodStatus = z.infer<typeof PodStatus>;

export const PodAction = z.enum(["start", "stop", "restart", "terminate"]);
export type PodAction = z.infer<typeof PodAction>;

const SshEndpoint = z.object({ host: z.string(), port: z.int(), username: z.string(), command: z.string() });

const percent = z.int().optional().describe("Percent.");

const PodRuntime = z.object({
  uptime: z.int().optional().describe("Seconds."),
  gpus: z.array(z.object({ util: percent, memoryUtil: percent })).optional(),
  cpu: z.object({ util: percent }).optional(),
  memory: z.object({ util: percent }).optional(),
  ports: z
    .array(
      z.object({
        private: z.int().optional(),
        public: z.int().nullish(),
        type: z.string().optional(),
        ip: z.string().nullish(),
      }),
    )
    .optional(),
});

export const Pod = z.object({
  id: z.string(),
  name: z.string(),
  status: PodStatus,
  actions: z.array(PodAction).describe("What can be done with it in this status."),
  ...shownContainerFields,
  mounts: Mounts,
  gpu: z.object({ id: z.string(), count: z.int().optional() }).optional(),
  cpu: Cpu.optional(),
  cloud: z.enum(["SECURE", "COMMUNITY"]),
  dataCenterId: z.string().nullable(),
  cudaVersion: z.string().nullable(),
  ssh: z.object({ proxy: SshEndpoint.nullable(), direct: SshEndpoint.nullable() }),
  cluster: z
    .object({
      id: z.string(),
      rank: z.int().nullable(),
      role: z.enum(["SLURM_CONTROLLER", "SLURM_COMPUTE", "RAY_HEAD", "RAY_WORKER"]).optional(),
      ip: z.string().optional(),
    })
    .optional()
    .describe("Of a member of a cluster."),
  template: z.string().nullable(),
  cost: z.number().describe("USD an hour; 0 while stopped."),
  locked: z.boolean(),
  globalNetworking: z.object({
    enabled: z.boolean(),
    ip: z.string().optional(),
    internalDns: z.string().optional(),
  }),
  runtime: PodRuntime.nullable().describe("How the machine under it does; null while it does not run."),
  createdAt: z.string().describe("RFC 3339."),
  startedAt: z.string().nullable().describe("RFC 3339."),
});
export type Pod = Tolerant<z.infer<typeof Pod>>;

export const ListPods = z.object({ pods: z.array(Pod), pagination: Pagination.optional() });

export const CreatePodRequest = z.strictObject({
  name: z.string(),
  ...containerFields,
  gpu: z
    .strictObject({
      id: z.string(),
      count: z.int().optional(),
      allowedCudaVersions: z.array(CudaVersion).optional(),
      minCudaVersion: CudaVersion.optional(),
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
