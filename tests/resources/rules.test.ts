import { expect, test } from "@jest/globals";
import type { z } from "zod";
import { checkInputs } from "../../provider/lifecycle/check/check";
import { newNameOf } from "../../provider/lifecycle/check/failures";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { registry } from "../../provider/resources/account/registry";
import { cluster } from "../../provider/resources/pods/cluster";
import { pod } from "../../provider/resources/pods/pod";
import { serverlessContainer } from "../../provider/resources/serverless/serverlessContainer";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import { template } from "../../provider/resources/serverless/template";
import { networkVolume } from "../../provider/resources/storage/networkVolume";

const GPU = { id: "NVIDIA L4" };
const TWICE = { ...GPU, allowedCudaVersions: ["12.4"], minCudaVersion: "12.1" };
const CPU = { id: "cpu3c", vcpuCount: 2 };
const PERSISTENT = { size: 10, path: "/data" };
const NETWORK = [{ volumeId: "v1", path: "/models" }];
const SAME = { network: NETWORK, global: NETWORK };
const BOTH = { persistent: PERSISTENT, network: NETWORK };
const QUEUE = { type: "QUEUE", image: "i", gpu: { pools: ["ADA_24"] } };
const BY_DELAY = { type: "QUEUE_DELAY", queueDelay: 4 };
const BY_REQUESTS = { type: "REQUEST_COUNT", requestCount: 2 };

const many = <T>(count: number, of: (n: number) => T) => Array.from({ length: count }, (_, n) => of(n));
const PORTS = many(11, (n) => `${8000 + n}/http`);
const VARIABLES = Object.fromEntries(many(51, (n) => [`V${n}`, ""]));

test.each<[string, object, string, string]>([
  ["no compute", {}, "gpu", "is required, unless cpu is given"],
  ["two kinds of compute", { gpu: GPU, cpu: CPU }, "cpu", "can't be combined with gpu"],
  ["two kinds of compute, known in part", { gpu: { id: UNKNOWN }, cpu: CPU }, "cpu", "can't be combined with gpu"],
  ["neither image nor template", { gpu: GPU, image: null }, "image", "is required, unless templateId is given"],
  ["two CUDA choices", { gpu: TWICE }, "gpu.minCudaVersion", "can't be combined with gpu.allowedCudaVersions"],
  ["a CUDA version in other words", { gpu: { ...GPU, minCudaVersion: "12" } }, "gpu.minCudaVersion", '"12.4"'],
  ["an odd number of CPUs", { cpu: { ...CPU, vcpuCount: 6 } }, "cpu.vcpuCount", "must be a power of two"],
  ["two kinds of mounts", { gpu: GPU, mounts: BOTH }, "mounts.network", "can't be combined with mounts.persistent"],
  ["an empty list of volumes", { gpu: GPU, mounts: { network: [] } }, "mounts.network", "leave it out for none"],
  ["a disk of its own on CPUs", { cpu: CPU, mounts: { persistent: PERSISTENT } }, "mounts.persistent", "CPU pods"],
  ["a community's volume", { gpu: GPU, cloud: "COMMUNITY", mounts: { network: NETWORK } }, "mounts.network", "SECURE"],
  ["a global volume on CPUs", { cpu: CPU, mounts: { global: NETWORK } }, "mounts.global", "CPU pods"],
  ["two mounts in one place", { gpu: GPU, mounts: SAME }, "mounts.global[0].path", "is the path of another mount"],
  ["a global network on CPUs", { cpu: CPU, globalNetworking: true }, "globalNetworking", "needs an NVIDIA GPU"],
  ["alternatives to no GPU", { cpu: CPU, gpuAlternatives: ["NVIDIA L4"] }, "gpuAlternatives", "needs gpu"],
  ["a port without protocol", { gpu: GPU, ports: ["22"] }, "ports.0", '"port/http" or "port/tcp"'],
  ["a port above all ports", { gpu: GPU, ports: ["65536/tcp"] }, "ports.0", "must be a port from 1 to 65535"],
  [
    "no tcp number for a symmetric mapping",
    { gpu: GPU, ports: ["70000/http"] },
    "ports.0",
    "or a tcp number from 70000",
  ],
  ["more than ten http ports", { gpu: GPU, ports: PORTS }, "ports", "at most 10 http ports"],
  ["more than fifty variables", { gpu: GPU, env: VARIABLES }, "env", "at most 50 variables"],
  ["a time without unit", { gpu: GPU, createTimeout: "90" }, "createTimeout", '"90s", "15m" or "2h"'],
  ["another status", { gpu: GPU, desiredStatus: "STOPPED" }, "desiredStatus", 'must be one of "RUNNING", "EXITED"'],
])("the rules of a pod refuse %s", (_, args, property, reason) => {
  const { failures } = checkInputs(pod, { image: "i", ...args });
  expect(failures).toEqual([{ property, reason: expect.stringContaining(reason) }]);
});

test.each([
  { image: UNKNOWN, gpu: UNKNOWN, mounts: { network: [{ volumeId: UNKNOWN, path: "/m" }] } },
  { image: UNKNOWN, templateId: UNKNOWN, gpu: UNKNOWN, cpu: UNKNOWN },
  { image: "i", gpu: GPU, cpu: UNKNOWN },
])("the rules of a pod wait for what is not known yet: %j", (args) => {
  expect(checkInputs(pod, args).failures).toEqual([]);
});

test.each<[string, { kind: string; inputs: z.ZodObject }, Record<string, string>]>([
  [
    "a pod",
    pod,
    {
      imageName: "image",
      gpuTypeIds: "gpu.id",
      gpuCount: "gpu.count",
      containerDiskInGb: "disk",
      volumeInGb: "mounts.persistent.size",
      networkVolumeId: "mounts.network",
      dataCenterId: "dataCenterIds",
      cloudType: "cloud",
    },
  ],
  [
    "a serverless container",
    serverlessContainer,
    { workersMin: "workers.min", workersMax: "workers.max", scalerValue: "scaling", gpuIds: "gpu.pools" },
  ],
  ["an endpoint", serverlessEndpoint, { gpuTypeIds: "gpuIds" }],
  ["a template", template, { imageName: "image", isPublic: "public", containerRegistryAuthId: "registry" }],
  ["a volume", networkVolume, { dataCenterId: "dataCenter" }],
])("names of the retired v1 are answered with those of v2 in %s", (_, { inputs }, names) => {
  for (const [retired, present] of Object.entries(names))
    expect([retired, newNameOf(inputs, retired)]).toEqual([retired, present]);
  expect(newNameOf(inputs, "nmae")).toBeUndefined();
});

test("the rules of a registry refuse what the service would not take as a change of it", () => {
  const { failures } = checkInputs(registry, { username: "u".repeat(192), password: "p".repeat(16_385) });
  expect(failures.map(({ property }) => property)).toEqual(["username", "password"]);
});

test("the rules of a template keep a pod's storage from serverless workers", () => {
  const { failures } = checkInputs(template, { image: "i", serverless: true, mounts: { persistent: PERSISTENT } });
  expect(failures).toEqual([
    { property: "mounts.persistent", reason: expect.stringContaining("Remove it, or serverless") },
  ]);
});

test.each<[string, object, string]>([
  ["fewer than two pods", { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 1 }, "compute.podCount"],
  ["more than 250 pods", { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 251 }, "compute.podCount"],
  ["no GPUs", { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 0, podCount: 2 }, "compute.gpuCountPerPod"],
])("the rules of a cluster refuse %s", (_, compute, property) => {
  const { failures } = checkInputs(cluster, { image: "i", type: "RAY", compute });
  expect(failures.map((failure) => failure.property)).toEqual([property]);
});

test.each([
  ["CPUs", { gpu: undefined, cpu: [CPU] }, "not offered to CPU workers"],
  ["a network volume", { networkVolumes: ["v"] }, "can't be combined"],
])("a serverless container with %s has no global volume", (_, others, reason) => {
  const args = { ...QUEUE, name: "n", scaling: BY_DELAY, globalVolumes: ["g"], ...others };
  expect(checkInputs(serverlessContainer, args).failures).toEqual([
    { property: "globalVolumes", reason: expect.stringContaining(reason) },
  ]);
});

test("an endpoint has a network volume or a global one, and a cluster none of these", () => {
  const endpoint = { name: "chat", templateId: "t", gpuIds: "ADA_24", networkVolumeId: "v", globalVolumeId: "g" };
  expect(checkInputs(serverlessEndpoint, endpoint).failures.map(({ property }) => property)).toEqual([
    "globalVolumeId",
  ]);
  const compute = { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 };
  const args = { image: "i", type: "RAY", compute, mounts: { global: NETWORK } };
  expect(checkInputs(cluster, args).failures.map(({ property }) => property)).toEqual(["mounts.global"]);
});

test.each<[string, object, string, string]>([
  ["a delay on a load balancer", { type: "LOAD_BALANCER", scaling: BY_DELAY }, "scaling.type", "REQUEST_COUNT"],
  ["an idle timeout", { scaling: BY_REQUESTS, workers: { idleTimeout: 5 } }, "workers.idleTimeout", "remove it"],
  ["more workers always than at most", { workers: { min: 4 } }, "workers.min", "must not exceed workers.max (3)"],
  ["a GPU type out twice", { gpu: { pools: ["ADA_24"], excludedTypes: ["-A"] } }, "gpu.excludedTypes.0", "minus"],
  ["no pool", { gpu: { pools: [] } }, "gpu.pools", "must not be empty"],
  ["the same CPUs twice", { gpu: null, cpu: [CPU, CPU] }, "cpu.1", "repeats cpu.0"],
  ["a delay without its length", { scaling: { type: "QUEUE_DELAY" } }, "scaling.queueDelay", "is required"],
])("the rules of a serverless container refuse %s", (_, args, property, reason) => {
  const { failures } = checkInputs(serverlessContainer, { ...QUEUE, scaling: BY_DELAY, ...args });
  expect(failures).toEqual([{ property, reason: expect.stringContaining(reason) }]);
});

test("the rules of a serverless container fill an idle timeout only where the service takes one", () => {
  const idle = (scaling: object) => checkInputs(serverlessContainer, { ...QUEUE, name: "n", scaling }).inputs.workers;
  expect(idle(BY_DELAY)).toEqual({ min: 0, idleTimeout: 10 });
  expect(idle(BY_REQUESTS)).toEqual({ min: 0 });
});
