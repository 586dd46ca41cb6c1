// One resource of every kind, as programs of this version declare them.
const sdk = require("pulumi-computecloud");

const registry = new sdk.Registry("images", { username: "ci", password: "hunter2" });
const volume = new sdk.NetworkVolume("models", { size: 40, dataCenter: "EU-RO-1" });
const template = new sdk.Template("chat", {
  image: "example.com/chat:1",
  serverless: true,
  registry: registry.id,
  env: { TOKEN: "hunter2" },
});
const endpoint = new sdk.ServerlessEndpoint("chat", {
  templateId: template.id,
  gpuIds: "ADA_24",
  networkVolumeId: volume.id,
});
new sdk.SmokeJob("chat", { endpoint, input: { prompt: "ping" } });
new sdk.ServerlessContainer("embed", {
  type: "QUEUE",
  image: "example.com/embed:1",
  gpu: { pools: ["AMPERE_16"], excludedTypes: ["NVIDIA RTX A4500"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  env: { TOKEN: "hunter2" },
});
new sdk.Pod("dev", {
  image: "example.com/dev:1",
  gpu: { id: "NVIDIA L4" },
  gpuAlternatives: ["NVIDIA RTX A5000"],
  mounts: { network: [{ volumeId: volume.id, path: "/models" }] },
  ports: ["22/tcp"],
});
new sdk.Cluster("training", {
  type: "TRAINING",
  compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
  image: "example.com/train:1",
});
new sdk.EcrDelegation("images", { resource: "arn:aws:ecr:eu-west-1:123456789012:repository/images" });
new sdk.SshKeys("team", {
  keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ6BjJHuWMn5fM2qv5b5kVx0Z6Cq3kWDH9m3c6X5V9oE ops"],
});
new sdk.GlobalVolume("everywhere", {});
new sdk.Secret("token", { value: "hunter2", description: "of the hub" });
new sdk.CostCenter("research", { value: "research" });
new sdk.Tag("team", { key: "team", value: "ml", resources: [{ type: "SERVERLESS_ENDPOINT", id: endpoint.id }] });
new sdk.ServerlessFleet("fleet", {
  defaults: { templateId: template.id, gpuIds: "ADA_24", workersMax: 1 },
  endpoints: { small: {}, own: { image: "example.com/own:1", env: { TOKEN: "hunter2" } } },
});
const web = new sdk.ServerlessContainer("web", {
  type: "LOAD_BALANCER",
  image: "emulator/echo:1",
  gpu: { pools: ["AMPERE_16"] },
  scaling: { type: "REQUEST_COUNT", requestCount: 4 },
});
new sdk.SmokeRequest("web", { endpoint: web, path: "/", expect: { status: 200 } });
