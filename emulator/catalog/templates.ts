import type { Service } from "../service";
import type { TemplateRecord } from "../store/records";

export const TEMPLATE_SOURCES = ["official", "verified", "community"] as const;
export type TemplateSource = (typeof TEMPLATE_SOURCES)[number];

type Row = Pick<TemplateRecord, "id" | "name" | "image"> & Partial<TemplateRecord>;

const JUPYTER_AND_SSH = ["8888/http", "22/tcp"];

const ROWS: Readonly<Record<TemplateSource, readonly Row[]>> = {
  official: [
    {
      id: "30zmvf89kd",
      name: "PyTorch 2.8",
      image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
      ports: JUPYTER_AND_SSH,
    },
    // Older clients use this template when they deploy a CPU pod without one.
    {
      id: "runpod-ubuntu",
      name: "Ubuntu 22.04",
      image: "runpod/base:1.0.2-ubuntu2204",
      category: "CPU",
      disk: 10,
      ports: ["22/tcp"],
    },
    {
      id: "9qk2v7xw4m",
      name: "Ubuntu 24.04",
      image: "runpod/base:1.0.2-ubuntu2404",
      category: "CPU",
      ports: ["22/tcp"],
    },
    { id: "c4ry81tzpl", name: "ROCm PyTorch 2.6", image: "rocm/pytorch:6.4-py312-torch26", category: "AMD" },
    {
      id: "w7d3n0hsqe",
      name: "vLLM worker",
      image: "runpod/worker-v1-vllm:2.7.0",
      serverless: true,
      env: { MAX_MODEL_LEN: "8192" },
      allowedCudaVersions: ["12.8", "12.9", "13.0"],
    },
  ],
  verified: [
    {
      id: "k5m8t2ya6u",
      name: "ComfyUI",
      image: "comfyui/comfyui:0.3.60",
      disk: 30,
      ports: ["8188/http", "22/tcp"],
      mounts: { persistent: { size: 60, path: "/workspace" } },
    },
  ],
  community: [
    { id: "e1z6bq9rfo", name: "Whisper worker", image: "openwhisper/worker:1.4.0", serverless: true, disk: 20 },
    { id: "u3x8j5gvnc", name: "Minecraft server", image: "itzg/minecraft-server:2026.5.0", category: "CPU", disk: 20 },
  ],
};

const DEFAULTS: Omit<TemplateRecord, "id" | "name" | "image"> = {
  args: "",
  disk: 50,
  ports: [],
  env: {},
  registry: null,
  mounts: {},
  serverless: false,
  public: true,
  category: "NVIDIA",
  startSsh: true,
  startJupyter: true,
  allowedCudaVersions: [],
  readme: "",
  owned: false,
};

export const publicTemplates = (source: TemplateSource): TemplateRecord[] =>
  ROWS[source].map((row) => ({ ...DEFAULTS, ...row }));

const PUBLIC_TEMPLATES: ReadonlyMap<string, TemplateRecord> = new Map(
  TEMPLATE_SOURCES.flatMap(publicTemplates).map((template) => [template.id, template]),
);

/** The templates that can be read and used: the account's own and the public ones. */
export const readableTemplates = ({ store }: Service) => ({
  get: (id: string): TemplateRecord | undefined => store.templates.get(id) ?? PUBLIC_TEMPLATES.get(id),
});
