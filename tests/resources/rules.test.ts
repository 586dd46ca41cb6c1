import { expect, test } from "@jest/globals";
import { checkInputs } from "../../provider/lifecycle/check/check";
import { newNameOf } from "../../provider/lifecycle/check/failures";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { definitions } from "../../provider/resources";

const { pod, serverlessContainer } = definitions;

const GPU = { id: "NVIDIA L4" };
const TWICE = { ...GPU, allowedCudaVersions: ["12.4"], minCudaVersion: "12.1" };
const CPU = { id: "cpu3c", vcpuCount: 2 };
const DISK = { size: 10, path: "/data" };
const NETWORK = [{ volumeId: "v1", path: "/models" }];
const SAME = { network: NETWORK, global: NETWORK };
const BOTH = { persistent: DISK, network: NETWORK };
const COMMUNITY = { gpu: GPU, cloud: "COMMUNITY", mounts: { network: NETWORK } };
const TWO_FORMS = { args: "serve", cmd: ["serve"] };
const STORED = { serverless: true, mounts: { persistent: DISK } };
const TWO_VOLUMES = { networkVolumeId: "v", globalVolumeId: "g" };
const GLOBAL = { globalVolumes: ["g"] };
const TAGGED = { type: "POD", id: "p" };
const OUT_TWICE = { pools: ["ADA_24"], excludedTypes: ["-A"] };
const BY_DELAY = { type: "QUEUE_DELAY", queueDelay: 4 };
const BY_REQUESTS = { type: "REQUEST_COUNT", requestCount: 2 };
const BALANCED = { type: "LOAD_BALANCER", scaling: BY_REQUESTS };
const SOON = '{"input":1,"timeout":"soon"}';
const asking = (request: object) => ({ verify: JSON.stringify({ request }) });
const IDLE = { scaling: BY_REQUESTS, workers: { idleTimeout: 5 } };

const many = <T>(count: number, of: (n: number) => T) => Array.from({ length: count }, (_, n) => of(n));
const PORTS = many(11, (n) => `${8000 + n}/http`);
const VARIABLES = Object.fromEntries(many(51, (n) => [`V${n}`, ""]));

const COMPUTE = { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 };
/** Arguments of each kind that break no rule by themselves. */
const BASE = {
  pod: { name: "one", image: "i" },
  cluster: { name: "one", image: "i", type: "RAY", compute: COMPUTE },
  registry: { name: "one", username: "u", password: "p" },
  secret: { name: "one", value: "v" },
  tag: { key: "team", value: "research" },
  template: { name: "one", image: "i" },
  serverlessContainer: { name: "one", type: "QUEUE", image: "i", gpu: { pools: ["ADA_24"] }, scaling: BY_DELAY },
  serverlessEndpoint: { name: "one", templateId: "t", gpuIds: "ADA_24" },
};

test.each<[keyof typeof BASE, string, object, string, string]>([
  ["pod", "no compute", {}, "gpu", "is required, unless cpu is given"],
  ["pod", "two kinds of compute", { gpu: GPU, cpu: CPU }, "cpu", "can't be combined with gpu"],
  ["pod", "two, known in part", { gpu: { id: UNKNOWN }, cpu: CPU }, "cpu", "can't be combined with gpu"],
  ["pod", "neither image nor template", { gpu: GPU, image: null }, "image", "is required, unless templateId is given"],
  ["pod", "two CUDA choices", { gpu: TWICE }, "gpu.minCudaVersion", "can't be combined with gpu.allowedCudaVersions"],
  ["pod", "a CUDA version in other words", { gpu: { ...GPU, minCudaVersion: "12" } }, "gpu.minCudaVersion", '"12.4"'],
  ["pod", "a command in two forms", { gpu: GPU, ...TWO_FORMS }, "args", "combined with entrypoint and cmd"],
  ["pod", "an odd number of CPUs", { cpu: { ...CPU, vcpuCount: 6 } }, "cpu.vcpuCount", "must be a power of two"],
  ["pod", "two kinds of mounts", { gpu: GPU, mounts: BOTH }, "mounts.network", "combined with mounts.persistent"],
  ["pod", "an empty list of volumes", { gpu: GPU, mounts: { network: [] } }, "mounts.network", "leave it out for none"],
  ["pod", "a disk of its own on CPUs", { cpu: CPU, mounts: { persistent: DISK } }, "mounts.persistent", "CPU pods"],
  ["pod", "a community's volume", COMMUNITY, "mounts.network", "SECURE"],
  ["pod", "a global volume on CPUs", { cpu: CPU, mounts: { global: NETWORK } }, "mounts.global", "CPU pods"],
  ["pod", "two mounts in one place", { gpu: GPU, mounts: SAME }, "mounts.global[0].path", "the path of another mount"],
  ["pod", "a global network on CPUs", { cpu: CPU, globalNetworking: true }, "globalNetworking", "needs an NVIDIA GPU"],
  ["pod", "alternatives to no GPU", { cpu: CPU, gpuAlternatives: ["NVIDIA L4"] }, "gpuAlternatives", "needs gpu"],
  ["pod", "a port without protocol", { gpu: GPU, ports: ["22"] }, "ports.0", '"port/http" or "port/tcp"'],
  ["pod", "a port above all ports", { gpu: GPU, ports: ["65536/tcp"] }, "ports.0", "must be a port from 1 to 65535"],
  ["pod", "a symmetric http port", { gpu: GPU, ports: ["70000/http"] }, "ports.0", "or a tcp number from 70000"],
  ["pod", "more than ten http ports", { gpu: GPU, ports: PORTS }, "ports", "at most 10 http ports"],
  ["pod", "more than fifty variables", { gpu: GPU, env: VARIABLES }, "env", "at most 50 variables"],
  ["pod", "no time to wait", { gpu: GPU, waitForCapacity: "0s" }, "waitForCapacity", "must be longer than 0"],
  ["pod", "a time without unit", { gpu: GPU, createTimeout: "90" }, "createTimeout", '"90s", "15m" or "2h"'],
  ["pod", "another status", { gpu: GPU, desiredStatus: "STOPPED" }, "desiredStatus", 'be one of "RUNNING", "EXITED"'],
  ["registry", "a name that no change of it takes", { username: "u".repeat(192) }, "username", "at most 191"],
  ["registry", "such a password", { password: "p".repeat(16_385) }, "password", "at most 16384"],
  ["secret", "a value of more than 16 MiB", { value: "é".repeat(2 ** 23) }, "value", "at most 16777215 bytes"],
  ["tag", "a key with a space around it", { key: " team" }, "key", "must not begin or end with a space"],
  ["tag", "a key of the service's own", { key: "runpod:team" }, "key", "must not begin with RUNPOD:"],
  ["tag", "a resource twice", { resources: [TAGGED, TAGGED] }, "resources[1]", "names POD p a second time"],
  ["template", "a command in two forms", TWO_FORMS, "args", "combined with entrypoint and cmd"],
  ["template", "a pod's storage", STORED, "mounts.persistent", "Remove it, or serverless"],
  ["cluster", "one pod", { compute: { ...COMPUTE, podCount: 1 } }, "compute.podCount", "at least 2"],
  ["cluster", "more than 250 pods", { compute: { ...COMPUTE, podCount: 251 } }, "compute.podCount", "at most 250"],
  ["cluster", "no GPUs", { compute: { ...COMPUTE, gpuCountPerPod: 0 } }, "compute.gpuCountPerPod", "at least 1"],
  ["cluster", "a global volume", { mounts: { global: NETWORK } }, "mounts.global", "is for pods"],
  ["serverlessEndpoint", "no template", { templateId: null }, "templateId", "is required: give a serverless Template"],
  ["serverlessEndpoint", "no time to idle", { idleTimeout: 0 }, "idleTimeout", "must be at least 1"],
  ["serverlessEndpoint", "a misspelt argument", { workerMax: 2 }, "workerMax", 'did you mean "workersMax"?'],
  ["serverlessEndpoint", "more workers always", { workersMin: 4 }, "workersMin", "must not exceed workersMax (3)"],
  ["serverlessEndpoint", "a balancer's delay", { type: "LB" }, "scalerType", 'must be "REQUEST_COUNT"'],
  ["serverlessEndpoint", "two volumes", TWO_VOLUMES, "globalVolumeId", "can't be combined"],
  ["serverlessContainer", "a command in two forms", TWO_FORMS, "args", "combined with entrypoint and cmd"],
  ["serverlessContainer", "a job of a balancer", { ...BALANCED, verify: '{"input":1}' }, "verify", "does not take"],
  ["serverlessContainer", "a job without input", { verify: '{"input":{}}' }, "verify", "is empty"],
  ["serverlessContainer", "a job's odd time", { verify: SOON }, "verify", "timeout must be a duration"],
  ["serverlessContainer", "no path", asking({ path: "predict" }), "verify", "request.path must begin with a slash"],
  ["serverlessContainer", "no queue's path", asking({ path: "/predict" }), "verify", "path must begin with /openai/"],
  ["serverlessContainer", "no chat", asking({ model: "tiny" }), "verify", "request.model is for `chat` alone"],
  ["serverlessContainer", "two volumes", { ...GLOBAL, networkVolumes: ["v"] }, "globalVolumes", "can't be combined"],
  ["serverlessContainer", "one on CPUs", { ...GLOBAL, gpu: null, cpu: [CPU] }, "globalVolumes", "not offered to CPU"],
  ["serverlessContainer", "a balancer's delay", { type: "LOAD_BALANCER" }, "scaling.type", "REQUEST_COUNT"],
  ["serverlessContainer", "an idle timeout", IDLE, "workers.idleTimeout", "remove it"],
  ["serverlessContainer", "more workers always", { workers: { min: 4 } }, "workers.min", "not exceed workers.max (3)"],
  ["serverlessContainer", "a type out twice", { gpu: OUT_TWICE }, "gpu.excludedTypes.0", "minus"],
  ["serverlessContainer", "no pool", { gpu: { pools: [] } }, "gpu.pools", "must not be empty"],
  ["serverlessContainer", "the same CPUs twice", { gpu: null, cpu: [CPU, CPU] }, "cpu.1", "repeats cpu.0"],
  ["serverlessContainer", "no delay", { scaling: { type: "QUEUE_DELAY" } }, "scaling.queueDelay", "is required"],
])("the rules of a %s refuse %s", (kind, _, args, property, reason) => {
  const { failures } = checkInputs(definitions[kind], { ...BASE[kind], ...args });
  expect(failures).toEqual([{ property, reason: expect.stringContaining(reason) }]);
});

test.each([
  { image: UNKNOWN, gpu: UNKNOWN, mounts: { network: [{ volumeId: UNKNOWN, path: "/m" }] } },
  { image: UNKNOWN, templateId: UNKNOWN, gpu: UNKNOWN, cpu: UNKNOWN },
  { image: "i", gpu: GPU, cpu: UNKNOWN },
])("the rules of a pod wait for what is not known yet: %j", (args) => {
  expect(checkInputs(pod, args).failures).toEqual([]);
});

test.each<[keyof typeof definitions, Record<string, string>]>([
  ["pod", { imageName: "image", gpuTypeIds: "gpu.id", gpuCount: "gpu.count", containerDiskInGb: "disk" }],
  ["pod", { volumeInGb: "mounts.persistent.size", networkVolumeId: "mounts.network" }],
  ["pod", { dataCenterId: "dataCenterIds", cloudType: "cloud" }],
  ["serverlessContainer", { workersMin: "workers.min", workersMax: "workers.max" }],
  ["serverlessContainer", { scalerValue: "scaling", gpuIds: "gpu.pools" }],
  ["serverlessEndpoint", { gpuTypeIds: "gpuIds" }],
  ["template", { imageName: "image", isPublic: "public", containerRegistryAuthId: "registry" }],
  ["networkVolume", { dataCenterId: "dataCenter" }],
])("names of the retired v1 are answered with those of v2 in a %s: %j", (kind, names) => {
  const { inputs } = definitions[kind];
  for (const [retired, present] of Object.entries(names))
    expect([retired, newNameOf(inputs, retired)]).toEqual([retired, present]);
  expect(newNameOf(inputs, "nmae")).toBeUndefined();
});

test("the rules of a serverless container fill an idle timeout only where the service takes one", () => {
  const idle = (scaling: object) =>
    checkInputs(serverlessContainer, { ...BASE.serverlessContainer, scaling }).inputs.workers;
  expect(idle(BY_DELAY)).toEqual({ min: 0, idleTimeout: 10 });
  expect(idle(BY_REQUESTS)).toEqual({ min: 0 });
});
