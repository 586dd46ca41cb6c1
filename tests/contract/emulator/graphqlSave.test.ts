import { expect, it } from "@jest/globals";
import type { Answer } from "../../../tools/run/calls";
import { accountForEach } from "../../harness/account";
import { mutate, openTemplate, SAVE, save } from "./graphqlCalls";

const cloud = accountForEach();
/** What an input that leaves them out says of these. */
const DEFAULTS = {
  idleTimeout: 10,
  scalerType: "QUEUE_DELAY",
  scalerValue: 4,
  workersMax: 3,
  workersMin: 0,
  workersStandby: 3,
  gpuCount: 1,
};

it("saveEndpoint creates an endpoint with the defaults of its input", async () => {
  const templateId = await openTemplate(cloud);
  expect(await save(cloud, { name: "images", gpuIds: "AMPERE_16", templateId })).toEqual({
    id: expect.stringMatching(/^[a-z0-9]{14}$/),
    name: "images",
    gpuIds: "AMPERE_16",
    templateId,
    type: "QB",
    instanceIds: null,
    locations: null,
    networkVolumeId: null,
    networkVolumeIds: [],
    ...DEFAULTS,
    executionTimeoutMs: 0,
    flashBootType: "OFF",
    allowedCudaVersions: "",
    minCudaVersion: null,
    modelReferences: [],
    env: [{ key: "A", value: "1" }],
    pods: [],
    version: 1,
    createdAt: expect.stringMatching(/Z$/),
  });
});

it("saveEndpoint replaces as a whole: some of what an update leaves out is reset, some nulled, some kept", async () => {
  const templateId = await openTemplate(cloud);
  const volume = await cloud.create("/v2/network-volumes", { name: "models", size: 10, dataCenter: "EU-RO-1" });
  const full = {
    name: "images",
    gpuIds: "AMPERE_16,ADA_24,-NVIDIA RTX A4500",
    templateId,
    type: "LB",
    locations: "RO",
    networkVolumeIds: [{ networkVolumeId: volume.id }],
    idleTimeout: 42,
    scalerType: "REQUEST_COUNT",
    scalerValue: 9,
    workersMax: 7,
    workersMin: 1,
    gpuCount: 2,
    executionTimeoutMs: 5000,
    flashBootType: "FLASHBOOT",
    minCudaVersion: "12.4",
    modelReferences: ["org/model"],
  };
  const created = await save(cloud, full);
  expect(created).toMatchObject({ ...full, networkVolumeId: volume.id, workersStandby: 7 });
  const updated = await save(cloud, { id: created.id, name: "images", gpuIds: full.gpuIds });
  const { version: _version, pods: _pods, ...rest } = created;
  expect(updated).toMatchObject({ ...rest, ...DEFAULTS, locations: null });
  const unlisted = { id: created.id, name: "images", gpuIds: full.gpuIds, networkVolumeId: null };
  expect(await save(cloud, unlisted)).toMatchObject({ networkVolumeIds: full.networkVolumeIds });
  const cleared = { networkVolumeIds: [], minCudaVersion: "", modelReferences: [] };
  const emptied = await save(cloud, { ...full, ...cleared, id: created.id });
  expect(emptied).toMatchObject({ ...cleared, minCudaVersion: null });
});

it("saveEndpoint keeps the commit that a model's branch names", async () => {
  const templateId = await openTemplate(cloud);
  const models = ["https://huggingface.co/acme/llama:main", `https://huggingface.co/acme/bert:${"0a1b2c3d".repeat(5)}`];
  const created = await save(cloud, { name: "chat", gpuIds: "AMPERE_16", templateId, modelReferences: models });
  const commit = expect.stringMatching(/^https:\/\/huggingface\.co\/acme\/llama:[0-9a-f]{40}$/);
  expect(created.modelReferences).toEqual([commit, models[1]]);
});

it("saveEndpoint makes a CPU endpoint of instance ids, on which GPU ids mean nothing, and a GPU endpoint again without them", async () => {
  const templateId = await openTemplate(cloud);
  const cpu = { name: "texts", gpuIds: "AMPERE_16", templateId, instanceIds: ["cpu3c-2-4", "cpu5c-4-8"] };
  const { id, ...created } = await save(cloud, cpu);
  expect(created).toMatchObject({ gpuIds: null, gpuCount: null, instanceIds: cpu.instanceIds });
  expect((await cloud.rest("GET", `/v2/serverless/${id}`)).body).toMatchObject({
    cpu: [
      { id: "cpu3c", vcpuCount: 2, memory: 4 },
      { id: "cpu5c", vcpuCount: 4, memory: 8 },
    ],
  });
  expect(await save(cloud, { id, name: "texts" })).toMatch("GPU ids are required");
  const onGpus = await save(cloud, { id, name: "texts", gpuIds: "ADA_24" });
  expect(onGpus).toMatchObject({ gpuIds: "ADA_24", instanceIds: null });
  expect(await save(cloud, { ...cpu, instanceIds: ["cpu3c-2-5"] })).toMatch("cpu3c-2-5");
});

it("saveEndpoint makes the template that comes with it", async () => {
  const template = { name: "inline", imageName: "emulator/echo:2", containerDiskInGb: 30 };
  const { id, templateId } = await save(cloud, { name: "images", gpuIds: "ADA_24", template });
  expect((await cloud.rest("GET", `/v2/templates/${templateId}`)).body).toMatchObject({
    name: "inline",
    image: "emulator/echo:2",
    disk: 30,
    serverless: true,
  });
  const other = await openTemplate(cloud, "other");
  const swapped = await mutate(
    cloud,
    `updateEndpointTemplate(input: {endpointId: "${id}", templateId: "${other}"}) { templateId version workersMax }`,
  );
  expect(swapped.data.updateEndpointTemplate).toEqual({ templateId: other, version: 2, workersMax: 3 });
});

it.each([
  [{ name: "ab" }, "at least 3 characters"],
  [{ gpuIds: null }, "GPU ids are required"],
  [{ gpuIds: "" }, "GPU ids are required"],
  [{ gpuIds: "NVIDIA L4" }, "GPU pool 'NVIDIA L4' not found"],
  [{ gpuIds: "AMPERE_16,-AMPERE_24" }, "only GPU types can be excluded"],
  [{ gpuIds: "ADA_24,-NVIDIA GeForce RTX 4090" }, "leave no GPU type"],
  [{ templateId: "nobody" }, "template not found"],
  [{ templateId: null }, "templateId is required"],
  [{ template: { name: "inline" } }, "exclude each other"],
  [{ type: "GPU" }, "QB or LB"],
  [{ scalerValue: 0 }, "scalerValue"],
  [{ scalerType: "RANDOM" }, "scalerType"],
  [{ idleTimeout: 3601 }, "idle timeout"],
  [{ workersMax: 1, workersMin: 2 }, "workers.min"],
  [{ workersMax: 1001 }, "1000"],
  [{ networkVolumeId: "nobody" }, "network volume"],
  [{ allowedCudaVersions: "12.4", minCudaVersion: "12.4" }, "mutually exclusive"],
  [{ id: "nobody" }, "endpoint not found"],
])("saveEndpoint refuses %j with status 200 and a message", async (wrong, words) => {
  const input = { name: "images", gpuIds: "AMPERE_16", templateId: await openTemplate(cloud), ...wrong };
  const { status, body } = await cloud.graphql(SAVE, { input });
  expect(status).toBe(200);
  expect(body).toEqual({
    data: { saveEndpoint: null },
    errors: [{ message: expect.stringContaining(words), path: ["saveEndpoint"], extensions: { code: "RUNPOD" } }],
  });
  expect((await cloud.service.state()).endpoints).toEqual([]);
});

it("saveEndpoint stores an unknown GPU type to exclude, nulls as defaults, and FlashBoot by name", async () => {
  const templateId = await openTemplate(cloud);
  const gpuIds = "AMPERE_16,-NVIDIA Imaginary";
  const nulls = { idleTimeout: null, workersMax: null, scalerValue: null };
  const saved = await save(cloud, { name: "images -fb", gpuIds, templateId, ...nulls });
  expect(saved).toMatchObject({ gpuIds, idleTimeout: 10, workersMax: 3, scalerValue: 4, flashBootType: "FLASHBOOT" });
});

it("saveEndpoint is taken several times in a document, one after another, each with an answer of its own", async () => {
  const templateId = await openTemplate(cloud);
  const several = `mutation Several($a: EndpointInput!, $b: EndpointInput!, $c: EndpointInput!) {
      a: saveEndpoint(input: $a) { name } b: saveEndpoint(input: $b) { name } c: saveEndpoint(input: $c) { name } }`;
  const input = (name: string) => ({ name, gpuIds: "AMPERE_16", templateId });
  const variables = { a: input("one"), b: { ...input("two"), templateId: "nobody" }, c: input("three") };
  expect(await cloud.graphql(several, variables)).toMatchObject({
    status: 200,
    body: { data: { a: { name: "one" }, b: null, c: { name: "three" } }, errors: [{ path: ["b"] }] },
  });
  expect((await cloud.service.state()).endpoints).toHaveLength(2);

  await cloud.service.settings({ graphqlMostMutations: 2 });
  expect(await cloud.graphql(several, variables)).toMatchObject({ status: 400, body: { errors: [{}] } });
  expect((await cloud.service.state()).endpoints).toHaveLength(2);
});

const input = `containerDiskInGb: 20, volumeInGb: 0, dockerArgs: "--fast", env: [{key: "A", value: "1"}], isServerless: true`;

/** What a mutation answers; the message of its refusal. */
const done = async (mutation: string): Promise<Answer["body"]> =>
  Object.values((await mutate(cloud, mutation)).data)[0];
const refusal = async (mutation: string) => (await mutate(cloud, mutation)).errors?.[0].message;

it("templates, volumes, registries and secrets are saved, updated as a whole and deleted by name", async () => {
  const saved = { imageName: "repo/w:1", ports: "80/http,22/tcp", portsConfig: [{ port: "80", name: "web" }] };
  const { id, ...template } = await done(
    `saveTemplate(input: {name: "worker", imageName: "repo/w:1", ports: "80/http,22/tcp", portsConfig: [{port: "80", name: "web"}], ${input}})
       { id name imageName ports portsConfig { port name } containerRegistryAuthId env { key value } }`,
  );
  expect(template).toMatchObject({ ...saved, env: [{ key: "A", value: "1" }] });
  expect((await cloud.rest("GET", `/v2/templates/${id}`)).body).toMatchObject({
    image: "repo/w:1",
    args: "--fast",
    ports: ["80/http", "22/tcp"],
    serverless: true,
  });
  const again = `saveTemplate(input: {id: "${id}", name: "worker", imageName: "repo/w:2", containerRegistryAuthId: "", ${input}})`;
  expect(await done(`${again} { imageName ports }`)).toEqual({ imageName: "repo/w:2", ports: "" });
  expect(await refusal(`saveTemplate(input: {name: "worker", ${input}}) { id }`)).toMatch("already exists");
  expect(await mutate(cloud, 'deleteTemplate(templateName: "worker")')).toEqual({ data: { deleteTemplate: null } });
  expect(await refusal('deleteTemplate(templateName: "worker")')).toBe("template not found");
});

it("templates, volumes, registries and secrets follow the rules of REST", async () => {
  const create = 'createNetworkVolume(input: {name: "v", size: 10, dataCenterId: "EU-RO-1"}) { id size dataCenterId }';
  const volume = await done(create);
  expect((await cloud.rest("GET", `/v2/network-volumes/${volume.id}`)).body).toMatchObject({ dataCenter: "EU-RO-1" });
  const grow = (size: number) => `updateNetworkVolume(input: {id: "${volume.id}", size: ${size}}) { name size }`;
  expect(await done(grow(20))).toEqual({ name: "v", size: 20 });
  expect(await refusal(grow(15))).toMatch("only grow");
  expect(await refusal(grow(5000))).toMatch("4096");
  const removed = await mutate(cloud, `deleteNetworkVolume(input: {id: "${volume.id}"})`);
  expect(removed).toEqual({ data: { deleteNetworkVolume: null } });

  const auth = 'saveRegistryAuth(input: {name: "hub", username: "me", password: "old"}) { id name }';
  const { id } = await done(auth);
  expect(await refusal(auth)).toMatch("already exists");
  const update = `updateRegistryAuth(input: {id: "${id}", username: "you", password: "new"}) { id name }`;
  expect(await done(update)).toEqual({ id, name: "hub" });
  expect(await refusal(`deleteRegistryAuth(registryAuthId: "${id}")`)).toBeUndefined();
  expect((await cloud.rest("GET", `/v2/registries/${id}`)).status).toBe(404);

  const secret = 'secretCreate(input: {name: "token", value: "hush"}) { id name description }';
  const created = await done(secret);
  expect(created).toEqual({ id: expect.any(String), name: "token", description: null });
  expect(await refusal(secret)).toMatch("already exists");
  expect(await refusal(`secretDelete(id: "${created.id}")`)).toBeUndefined();
});
