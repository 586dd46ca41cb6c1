import { CostCenter, GlobalVolume, NetworkVolume, Pod, SshKeys, Tag } from "pulumi-computecloud";

const dataCenter = "EU-RO-1";

const keys = new SshKeys("team", {
  keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ6BjJHuWMn5fM2qv5b5kVx0Z6Cq3kWDH9m3c6X5V9oE ops"],
});
const workspace = new NetworkVolume("workspace", { size: 50, dataCenter, type: "STANDARD" });
// Belongs to no data center; the console attaches it to pods.
const weights = new GlobalVolume("weights", {});

const pod = new Pod(
  "dev",
  {
    image: "registry.example.com/pytorch:2.4",
    // Tried in this order until there is room for one.
    gpu: { id: "NVIDIA GeForce RTX 4090" },
    gpuAlternatives: ["NVIDIA RTX A5000", "NVIDIA L4"],
    dataCenterIds: [dataCenter],
    mounts: { network: [{ volumeId: workspace.id, path: "/workspace" }] },
    ports: ["22/tcp", "8888/http"],
    startSsh: true,
    // "EXITED" overnight stops the bill for the GPU and keeps the volume.
    desiredStatus: "RUNNING",
  },
  { dependsOn: keys },
);

new Tag("owner", {
  key: "owner",
  value: "research",
  resources: [
    { type: "POD", id: pod.id },
    { type: "NETWORK_VOLUME", id: workspace.id },
  ],
});
new CostCenter("research", { value: "research", resources: [{ type: "POD", id: pod.id }] });

export const globalVolume = weights.id;
export const gpu = pod.gpuTypeId;
export const shell = pod.ssh.apply(({ direct, proxy }) => direct ?? proxy);
export const costPerHour = pod.costPerHour;
