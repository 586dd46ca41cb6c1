import type { Service } from "../service";
import type { TemplateRecord } from "../store/records";

export const TEMPLATE_SOURCES = ["official", "verified", "community"] as const;
export type TemplateSource = (typeof TEMPLATE_SOURCES)[number];

type Row = readonly [id: string, name: string, image: string, more: Partial<TemplateRecord>];

const SSH = ["22/tcp"];
const VLLM = { env: { MAX_MODEL_LEN: "8192" }, allowedCudaVersions: ["12.8", "12.9", "13.0"] };
const WORKSPACE = { persistent: { size: 60, path: "/workspace" } };

const ROWS: Readonly<Record<TemplateSource, readonly Row[]>> = {
  official: [
    ["30zmvf89kd", "PyTorch 2.8", "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404", { ports: ["8888/http", ...SSH] }],
    // Older clients use this template when they deploy a CPU pod without one.
    ["runpod-ubuntu", "Ubuntu 22.04", "runpod/base:1.0.2-ubuntu2204", { category: "CPU", disk: 10, ports: SSH }],
    ["9qk2v7xw4m", "Ubuntu 24.04", "runpod/base:1.0.2-ubuntu2404", { category: "CPU", ports: SSH }],
    ["c4ry81tzpl", "ROCm PyTorch 2.6", "rocm/pytorch:6.4-py312-torch26", { category: "AMD" }],
    ["w7d3n0hsqe", "vLLM worker", "runpod/worker-v1-vllm:2.7.0", { serverless: true, ...VLLM }],
  ],
  verified: [
    ["k5m8t2ya6u", "ComfyUI", "comfyui/comfyui:0.3.60", { disk: 30, ports: ["8188/http", ...SSH], mounts: WORKSPACE }],
  ],
  community: [
    ["e1z6bq9rfo", "Whisper worker", "openwhisper/worker:1.4.0", { serverless: true, disk: 20 }],
    ["u3x8j5gvnc", "Minecraft server", "itzg/minecraft-server:2026.5.0", { category: "CPU", disk: 20 }],
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
  ROWS[source].map(([id, name, image, more]) => ({ ...DEFAULTS, id, name, image, ...more }));

const PUBLIC_TEMPLATES: ReadonlyMap<string, TemplateRecord> = new Map(
  TEMPLATE_SOURCES.flatMap(publicTemplates).map((template) => [template.id, template]),
);

/** The templates that can be read and used: the account's own and the public ones. */
export const readableTemplates = ({ store }: Service) => ({
  get: (id: string): TemplateRecord | undefined => store.templates.get(id) ?? PUBLIC_TEMPLATES.get(id),
});
