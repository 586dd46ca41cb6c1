/** A public program, and what it does with the emulator. docs/emulator.md shows the table. */
export interface Program {
  readonly name: string;
  readonly registry: "npm" | "PyPI";
  /** The program first, each with its version. */
  readonly packages: readonly [string, ...string[]];
  readonly script: string;
  /** For people. */
  readonly does: string;
  /** Variables of its own, for what does not go through a proxy or takes long. */
  readonly env?: (emulator: { readonly baseUrl: string; readonly serverlessUrl: string }) => NodeJS.ProcessEnv;
  /** Calls that fail, and what the emulator lacks for them. */
  readonly absent?: Readonly<Record<string, string>>;
}

export const PROGRAMS: readonly Program[] = [
  {
    name: "openai",
    registry: "npm",
    packages: ["openai@7.57.0"],
    script: "openai.mjs",
    does: "models, chat, streams, completions, embeddings, of a queue and of a load balancer",
  },
  {
    name: "ai with @runpod/ai-sdk-provider",
    registry: "npm",
    packages: ["ai@7.0.173", "@runpod/ai-sdk-provider@1.4.0"],
    script: "ai-sdk.mjs",
    does: "text, streams, tools, objects",
    absent: { publicEndpoint: "public endpoints" },
  },
  {
    name: "@runpod/mcp-server",
    registry: "npm",
    packages: ["@runpod/mcp-server@4.0.0"],
    script: "mcp-server.mjs",
    does: "40 of its tools: each kind of resource, jobs, billing",
  },
  {
    name: "runpod-sdk",
    registry: "npm",
    packages: ["runpod-sdk@1.1.2"],
    script: "runpod-sdk.mjs",
    does: "jobs, streams, health",
  },
  {
    name: "openapi-fetch",
    registry: "npm",
    packages: ["openapi-fetch@0.17.0", "openapi-typescript@7.13.0"],
    script: "openapi.mjs",
    does: "a client generated from the schema: each kind of resource",
  },
  {
    name: "openai",
    registry: "PyPI",
    packages: ["openai==3.57.0"],
    script: "openai_calls.py",
    does: "the same as from npm",
  },
  {
    name: "runpod",
    registry: "PyPI",
    packages: ["runpod==1.12.0"],
    script: "runpod_calls.py",
    does: "GraphQL: pods, endpoints, templates, registries; jobs, also with asyncio",
    env: ({ serverlessUrl }) => ({ RUNPOD_ENDPOINT_BASE_URL: `${serverlessUrl}/v2` }),
  },
  {
    name: "runpod-flash",
    registry: "PyPI",
    packages: ["runpod-flash==1.21.0"],
    script: "flash_calls.py",
    does: "endpoints, templates, stock, jobs, a load balancer",
    env: ({ baseUrl }) => ({ RUNPOD_API_BASE_URL: baseUrl }),
    absent: { apps: "Flash apps", volumes: "REST v1" },
  },
  {
    name: "langchain-runpod",
    registry: "PyPI",
    packages: ["langchain-runpod==0.2.0"],
    script: "langchain_calls.py",
    does: "chat, completions, streams, batches",
  },
  {
    name: "litellm",
    registry: "PyPI",
    packages: ["litellm==1.110.2"],
    script: "litellm_calls.py",
    does: "chat, streams, tools, embeddings, responses",
    env: () => ({ LITELLM_LOCAL_MODEL_COST_MAP: "True" }),
  },
  {
    name: "instructor",
    registry: "PyPI",
    packages: ["instructor==1.17.0"],
    script: "instructor_calls.py",
    does: "answers of a model's shape, by tools and by JSON",
    absent: { json: "a model that follows instructions" },
  },
  {
    name: "dstack",
    registry: "PyPI",
    packages: ["dstack==0.22.5", "gpuhunt==0.1.34"],
    script: "dstack_calls.py",
    does: "pods, spot pods, clusters, volumes, registries, gpuhunt's offers",
  },
  {
    name: "skypilot",
    registry: "PyPI",
    packages: ["skypilot[runpod]==0.14.1"],
    script: "skypilot_calls.py",
    does: "pods, spot pods, CPU pods, its catalog",
  },
  {
    name: "podtrack",
    registry: "PyPI",
    packages: ["podtrack==0.6.5"],
    script: "podtrack_calls.py",
    does: "its commands on pods; stock, volumes",
  },
  {
    name: "kestrel-cloud-runpod",
    registry: "PyPI",
    packages: ["kestrel-cloud-runpod==0.15.1"],
    script: "kestrel_calls.py",
    does: "pods, logs, endpoints, billing, jobs, with strict reading of every answer",
  },
];
