import { z } from "zod";
import { pagination } from "../http/paging";
import { named } from "../http/route";
import { assembled, containerFields, containerShown, cudaVersion, mounts } from "./containerSchemas";
import { POD_ACTIONS } from "./pods";
import type { Received } from "./sent";

const name = z.string().min(1);

const cloud = named("Cloud", z.enum(["SECURE", "COMMUNITY"]));
export const cpuChoice = named("CreateCpuConfig", z.strictObject({ id: z.string().min(1), vcpuCount: z.int().min(2) }));
export const cpuShown = named("CpuConfig", z.object({ id: z.string(), vcpuCount: z.int(), memory: z.int().min(1) }));

const gpuChoice = named(
  "CreateGpuConfig",
  z.strictObject({
    id: z.string(),
    count: z.int().min(1).default(1),
    allowedCudaVersions: z.array(cudaVersion).optional(),
    minCudaVersion: cudaVersion.optional(),
    minRamPerGpu: z.int().min(1).optional(),
    minVcpuCountPerGpu: z.int().min(1).optional(),
  }),
);

/** Without a template, the image is required. */
export const imageUnlessTemplate = {
  rule: (body: { image?: string | undefined; templateId?: string | undefined }) =>
    body.image !== undefined || body.templateId !== undefined,
  message: "missing property 'image'",
  meta: { anyOf: [{ required: ["templateId"] }, { required: ["image"] }] },
};

export const createPodRequest = named(
  "CreatePodRequest",
  z
    .strictObject({
      ...containerFields,
      name,
      gpu: gpuChoice.optional(),
      cpu: cpuChoice.optional(),
      cloud: cloud.default("SECURE"),
      dataCenterIds: z.array(z.string()).default([]),
      mounts: mounts.optional(),
      globalNetworking: z.boolean().default(false),
      startSsh: z.boolean().optional(),
      startJupyter: z.boolean().optional(),
      templateId: z.string().min(1).optional(),
    })
    .refine(imageUnlessTemplate.rule, imageUnlessTemplate.message)
    .meta({ ...imageUnlessTemplate.meta, ...assembled }),
);

export const updatePodRequest = named(
  "UpdatePodRequest",
  z.strictObject({
    ...containerFields,
    ...z.object({ name, mounts, globalNetworking: z.boolean(), locked: z.boolean(), templateId: z.string() }).partial()
      .shape,
  }),
);

export const podActionRequest = named(
  "PodActionRequest",
  z.strictObject({ action: named("PodAction", z.enum(POD_ACTIONS)) }),
);

export const podStatus = named(
  "PodStatus",
  z.enum(["PROVISIONING", "STARTING", "RUNNING", "EXITED", "ERROR", "TERMINATED"]),
);

const sshEndpoint = named(
  "PodSshEndpoint",
  z.object({ host: z.string(), port: z.int(), username: z.string(), command: z.string() }),
);
const utilization = named("Utilization", z.object({ util: z.int() }));

const runtime = named(
  "PodRuntime",
  z.object({
    uptime: z.int(),
    gpus: z.array(named("PodGpuUtilization", z.object({ util: z.int(), memoryUtil: z.int() }))),
    cpu: utilization,
    memory: utilization,
    ports: z.array(
      named(
        "PodRuntimePort",
        z.object({ private: z.int(), public: z.int().nullable(), type: z.string(), ip: z.string().nullable() }),
      ),
    ),
  }),
);

export const pod = named(
  "Pod",
  z.object({
    id: z.string(),
    name: z.string(),
    ...containerShown,
    status: podStatus,
    actions: z.array(z.enum(POD_ACTIONS)),
    mounts,
    gpu: named(
      "PodGpuConfig",
      z.object({ id: z.string(), count: z.int().min(1), vcpuCount: z.int(), memory: z.int() }),
    ).optional(),
    cpu: cpuShown.optional(),
    cloud,
    dataCenterId: z.string().nullable(),
    cudaVersion: z.string().nullable(),
    ssh: named("PodSsh", z.object({ proxy: sshEndpoint.nullable(), direct: sshEndpoint.nullable() })),
    cluster: named(
      "PodCluster",
      z.strictObject({
        id: z.string(),
        rank: z.int().nullable(),
        role: named(
          "PodClusterRole",
          z.enum(["SLURM_CONTROLLER", "SLURM_COMPUTE", "RAY_HEAD", "RAY_WORKER"]),
        ).optional(),
        ip: z.string().optional(),
      }),
    ).optional(),
    template: z.string().nullable(),
    cost: z.number(),
    locked: z.boolean(),
    globalNetworking: named(
      "PodGlobalNetworking",
      z.object({ enabled: z.boolean(), ip: z.string().optional(), internalDns: z.string().optional() }),
    ),
    runtime: runtime.nullable(),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
  }),
);
export type PodShown = Received<typeof pod>;

export const listPodsResponse = named(
  "ListPodsResponse",
  z.object({ pods: z.array(pod), pagination: pagination.optional() }),
);
