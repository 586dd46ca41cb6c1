/* Pods, GPU types and the account over GraphQL, as the scripts of the service's older clients send them. */
import { expect, it } from "@jest/globals";
import { accountForEach, openAccount } from "../../harness/account";
import { mutate, openTemplate } from "./graphqlCalls";

const cloud = accountForEach();

const GPU = "NVIDIA GeForce RTX 4090";
const POD = `id imageName env machineId machine { podHostId } desiredStatus costPerHr`;

const COMMON = 'name: "script", imageName: "repo/image:1", cloudType: ALL';
const deploy = (input: string, mutation = "podFindAndDeployOnDemand") =>
  mutate(cloud, `${mutation}(input: { ${COMMON}, ${input} }) { ${POD} }`);

const refusal = async (input: string) => (await deploy(input)).errors?.[0].message;
const readPod = async (id: string) => (await cloud.rest("GET", `/v2/pods/${id}`)).body;
const query = async (document: string) => (await cloud.graphql(document)).body;
const openVolume = () => cloud.create("/v2/network-volumes", { name: "v", size: 10, dataCenter: "EU-RO-1" });

it("pods over GraphQL live from deploy to terminate, and are REST's pods", async () => {
  const { data } = await deploy(
    `gpuTypeId: "${GPU}", gpuCount: 2, volumeInGb: 20, containerDiskInGb: 10, volumeMountPath: "/data",
       ports: "8888/http,22/tcp", env: [{ key: "A", value: "1" }], dataCenterId: null, minVcpuCount: 1, supportPublicIp: true`,
  );
  const { id, env } = data.podFindAndDeployOnDemand;
  expect(env).toContain("A=1");
  await cloud.advance(0);
  const rest = await readPod(id);
  expect(rest).toMatchObject({
    name: "script",
    status: "RUNNING",
    gpu: { id: GPU, count: 2 },
    disk: 10,
    mounts: { persistent: { size: 20, path: "/data" } },
    ports: ["8888/http", "22/tcp"],
  });

  const publicPort = rest.runtime.ports[1].public;
  expect(
    await query(`{ pod(input: { podId: "${id}" }) { desiredStatus costPerHr volumeInGb
      runtime { ports { privatePort publicPort isIpPublic type } } machine { gpuDisplayName } } }`),
  ).toMatchObject({
    data: {
      pod: {
        desiredStatus: "RUNNING",
        costPerHr: rest.cost,
        volumeInGb: 20,
        machine: { gpuDisplayName: "RTX 4090" },
        runtime: { ports: [{}, { privatePort: 22, publicPort, isIpPublic: true, type: "tcp" }] },
      },
    },
  });

  const stop = () => mutate(cloud, `podStop(input: { podId: "${id}" }) { desiredStatus }`);
  expect(await stop()).toEqual({ data: { podStop: { desiredStatus: "EXITED" } } });
  expect((await stop()).errors[0].message).toContain("not allowed while the pod is EXITED");
  const resumed = await mutate(cloud, `podResume(input: { podId: "${id}", gpuCount: 2 }) { desiredStatus }`);
  expect(resumed.data.podResume.desiredStatus).toBe("RUNNING");
  expect(await query("{ myself { pods { id } } }")).toEqual({ data: { myself: { pods: [{ id }] } } });
  expect(await mutate(cloud, `podTerminate(input: { podId: "${id}" })`)).toEqual({ data: { podTerminate: null } });
  expect(await query(`{ pod(input: { podId: "${id}" }) { id } }`)).toEqual({ data: { pod: null } });
  expect(await readPod(id)).toMatchObject({ status: 404 });
});

it("pods over GraphQL run on CPUs, on an instance or a template that a script need not name", async () => {
  const { data } = await deploy(`instanceId: "cpu3c-4-8", templateId: "runpod-ubuntu"`, "deployCpuPod");
  const cpu = { id: "cpu3c", vcpuCount: 4, memory: 8 };
  expect(await readPod(data.deployCpuPod.id)).toMatchObject({ cpu, image: "repo/image:1", ports: ["22/tcp"] });
});

it("pods over GraphQL break the same rules as over REST", async () => {
  const volume = await openVolume();
  const gpu = { id: GPU };
  const cases: [string, Record<string, unknown>, string][] = [
    [`gpuTypeId: "NVIDIA Nothing"`, { gpu: { id: "NVIDIA Nothing" } }, "not found"],
    [`gpuTypeId: "${GPU}", gpuCount: 9`, { gpu: { ...gpu, count: 9 } }, "at most 8"],
    [`gpuTypeId: "${GPU}", ports: "99"`, { gpu, ports: ["99"] }, "must look like"],
    [`gpuTypeId: "${GPU}", templateId: "nobody"`, { gpu, templateId: "nobody" }, "template not found"],
    [
      `gpuTypeId: "${GPU}", networkVolumeId: "${volume.id}", dataCenterId: "US-KS-2"`,
      { gpu, mounts: { network: [{ volumeId: volume.id, path: "/w" }] }, dataCenterIds: ["US-KS-2"] },
      "is in data center EU-RO-1",
    ],
    [`gpuTypeId: "${GPU}", dataCenterId: "EU-XX-1"`, { gpu, dataCenterIds: ["EU-XX-1"] }, "no longer any instances"],
  ];
  for (const [graphql, rest, words] of cases) {
    const { body } = await cloud.rest("POST", "/v2/pods", { name: "script", image: "repo/image:1", ...rest });
    expect(body.detail).toContain(words);
    expect(await refusal(graphql)).toBe(body.detail);
  }
});

it("pods over GraphQL find no capacity when a fault says so, and go to the community cloud for what only that has", async () => {
  await cloud.service.fault({ match: { times: 100 }, act: { capacity: { gpuTypeId: GPU } } });
  expect(await refusal(`gpuTypeId: "${GPU}"`)).toContain("no longer any instances");
  const { data } = await deploy(`gpuTypeId: "NVIDIA GeForce RTX 3070"`);
  expect(await readPod(data.podFindAndDeployOnDemand.id)).toMatchObject({ cloud: "COMMUNITY" });
});

it("the account over GraphQL lists what REST lists", async () => {
  const volume = await openVolume();
  const registry = await cloud.create("/v2/registries", { name: "r", username: "u", password: "p" });
  const templateId = await openTemplate(cloud);
  const { data } =
    await query(`{ myself { id email pubKey clientBalance networkVolumes { id size dataCenterId dataCenter { id location storageSupport } }
        containerRegistryCreds { id name } podTemplates { id } } podTemplate(id: "${templateId}") { name isServerless }
        nobody: podTemplate(id: "nobody") { id } }`);
  const dataCenter = { id: "EU-RO-1", location: "RO", storageSupport: true };
  expect(data).toMatchObject({
    myself: {
      networkVolumes: [{ id: volume.id, size: 10, dataCenter }],
      containerRegistryCreds: [{ id: registry.id, name: "r" }],
      podTemplates: [{ id: templateId }],
    },
    podTemplate: { name: "worker", isServerless: true },
    nobody: null,
  });
});

it("the account over GraphQL keeps SSH keys that REST shows", async () => {
  const update = "mutation ($key: String) { updateUserSettings(input: { pubKey: $key }) { pubKey } }";
  const set = (key: string) => cloud.graphql(update, { key });
  const pubKey = "ssh-ed25519 AAAA a\nssh-rsa BBBB";
  expect((await set(`${pubKey}\n`)).body).toEqual({ data: { updateUserSettings: { pubKey } } });
  expect((await cloud.rest("GET", "/v2/account/ssh-keys")).body.keys).toHaveLength(2);
  expect((await set("nonsense")).body.errors[0].message).toContain("SSH public key");
});

it("the account over GraphQL knows the GPU types, all or one", async () => {
  const { gpuTypes } = (await query("{ gpuTypes { id displayName memoryInGb } }")).data;
  expect(gpuTypes).toHaveLength((await cloud.rest("GET", "/v2/catalog/gpus")).body.gpus.length);
  const one = (id: string) =>
    query(`{ gpuTypes(input: { id: "${id}" }) { maxGpuCount securePrice communityPrice oneWeekPrice
        lowestPrice(input: { gpuCount: 1 }) { minimumBidPrice uninterruptablePrice } } }`);
  const lowestPrice = { minimumBidPrice: 0.155, uninterruptablePrice: 0.31 };
  const prices = { maxGpuCount: 8, securePrice: 0.44, communityPrice: 0.31, oneWeekPrice: null, lowestPrice };
  expect(await one(GPU)).toEqual({ data: { gpuTypes: [prices] } });
  expect(await one("nothing")).toEqual({ data: { gpuTypes: [] } });
});

it("the catalog over GraphQL needs no key, and says what is in stock", async () => {
  const ask = (query: string) => cloud.graphql(query, undefined, {});
  const { status, body } = await ask(
    `{ gpuTypes(input: { id: "${GPU}" }) { lowestPrice(input: { gpuCount: 2 }) { stockStatus minVcpu minMemory } }
       dataCenters { id location storageSupport gpuAvailability { gpuTypeId available stockStatus } }
       cpuFlavors { id specifics(input: { instanceId: "cpu3c-4-8", dataCenterId: "EU-RO-1" }) { stockStatus securePrice } } }`,
  );
  expect(status).toBe(200);
  const { gpuTypes, dataCenters, cpuFlavors } = body.data;
  expect(gpuTypes).toEqual([{ lowestPrice: { stockStatus: "High", minVcpu: 16, minMemory: 60 } }]);
  const place = dataCenters.find(({ id }: { id: string }) => id === "OC-AU-1");
  expect(place).toMatchObject({ location: "AU", gpuAvailability: expect.any(Array) });
  const stock = Object.fromEntries(place.gpuAvailability.map((each: { gpuTypeId: string }) => [each.gpuTypeId, each]));
  expect(stock[GPU]).toEqual({ gpuTypeId: GPU, available: true, stockStatus: "Low" });
  expect(stock["NVIDIA H100 NVL"]).toEqual({ gpuTypeId: "NVIDIA H100 NVL", available: false, stockStatus: null });
  expect(cpuFlavors[0]).toEqual({ id: "cpu3c", specifics: { stockStatus: "High", securePrice: 0.12 } });
  for (const query of ["{ myself { id } }", "{ gpuTypes { id } myself { id } }", "mutation { deleteEndpoint(id: 1) }"])
    expect((await ask(query)).status).toBe(401);
});

it("pods over GraphQL stop and end at the times that were set, and then cost nothing", async () => {
  const after = (ms: number) => new Date(Date.now() + ms).toISOString();
  const HOUR = 3_600_000;
  const { data } = await deploy(
    `gpuTypeIdList: ["NVIDIA H100 NVL", "${GPU}"], dataCenterIds: ["OC-AU-1"],
     stopAfter: "${after(2 * HOUR)}", terminateAfter: "${after(5 * HOUR)}"`,
  );
  const { id } = data.podFindAndDeployOnDemand;
  expect(await readPod(id)).toMatchObject({ gpu: { id: GPU } });
  for (const [hours, pod] of [
    [1, { status: "RUNNING" }],
    [2, { status: "EXITED", cost: 0 }],
    [3, { status: 404 }],
  ] as const) {
    await cloud.advance(hours * HOUR);
    expect(await readPod(id)).toMatchObject(pod);
  }
  const badTime = "terminateAfter must be a time such as 2026-12-01T12:00:00Z";
  expect(await refusal(`gpuTypeId: "${GPU}", terminateAfter: "tomorrow"`)).toBe(badTime);
  expect(await refusal(`gpuTypeId: "${GPU}", objectMounts: [{ path: "/x" }]`)).toContain("no object storage");
});

it("pods over GraphQL are rented for a bid, which they cost, unless others offer more", async () => {
  const rent = (bid: number) =>
    cloud.graphql(
      `mutation ($input: PodRentInterruptableInput!) {
         podRentInterruptable(input: $input) { id podType costPerHr containerRegistryAuthId } }`,
      { input: { bidPerGpu: bid, gpuTypeId: GPU, gpuCount: 2, imageName: "repo/image:1", cloudType: "ALL" } },
    );
  const { data } = (await rent(0.2)).body;
  const rented = { podType: "INTERRUPTABLE", costPerHr: 0.4, containerRegistryAuthId: null };
  expect(data.podRentInterruptable).toMatchObject(rented);
  expect((await rent(0.1)).body.errors[0].message).toContain("no longer any instances available");
  const end = "mutation ($input: PodTerminateInput!) { podTerminate(input: $input) }";
  const ended = await cloud.graphql(end, { input: { podId: data.podRentInterruptable.id } });
  expect(ended.body).toEqual({ data: { podTerminate: null } });
});

it("variables that are declared nullable may stand where a value is wanted, and are held to their type", async () => {
  const template = { imageName: "repo/image:1", containerDiskInGb: 5, volumeInGb: 0, dockerArgs: "", env: [] };
  const save = "mutation Save($input: SaveTemplateInput) { saveTemplate(input: $input) { id } }";
  const saved = await cloud.graphql(save, { input: { name: "t", ...template } });
  expect(saved).toMatchObject({ status: 200, body: { data: { saveTemplate: { id: expect.any(String) } } } });
  const remove = (type: string, variables: object) =>
    cloud.graphql(`mutation ($name: ${type}) { deleteTemplate(templateName: $name) }`, { ...variables });
  const removed = { data: { deleteTemplate: null } };
  expect(await remove("String", { name: "t" })).toMatchObject({ status: 200, body: removed });
  // An error of the service's kind.
  const body = { ...removed, errors: [{ extensions: { code: "RUNPOD" } }] };
  for (const variables of [{ name: null }, {}])
    expect(await remove("String", variables)).toMatchObject({ status: 200, body });
  for (const type of ["Int", "[String]", "SaveTemplateInput"]) expect((await remove(type, {})).status).toBe(400);
});

it("endpoints over GraphQL have every field that live clients select or send", async () => {
  const volume = await openVolume();
  const flash = { name: "flash", flashEnvironmentId: "env1", workersPFBTarget: 2 };
  const template = { imageName: "repo/image:1", advancedStart: true, startScript: "run", config: { a: 1 } };
  const { body } = await cloud.graphql(
    `mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { id name computeType aiKey userId flashEnvironmentId
        workersPFBTarget activeBuildid idePodId networkVolume { id dataCenterId } pods { id desiredStatus }
        template { imageName advancedStart startScript config } } }`,
    { input: { ...flash, gpuIds: "ADA_24", networkVolumeId: volume.id, template: { name: "own", ...template } } },
  );
  const none = { aiKey: null, activeBuildid: null, idePodId: null, pods: [] };
  expect(body.data.saveEndpoint).toMatchObject({
    ...flash,
    ...none,
    template,
    computeType: "GPU",
    userId: "user_emulated",
    networkVolume: { id: volume.id, dataCenterId: "EU-RO-1" },
  });
});

it("endpoints over GraphQL have a template to themselves when the setting says so", async () => {
  await using cloud = await openAccount({ settings: { oneEndpointPerTemplate: true } });
  const templateId = await openTemplate(cloud);
  const same = `gpuIds: "ADA_24", templateId: "${templateId}"`;
  const save = (name: string, id = "null") =>
    mutate(cloud, `saveEndpoint(input: { id: ${id}, name: "${name}", ${same} }) { id }`);
  const { id } = (await save("first")).data.saveEndpoint;
  expect((await save("first", `"${id}"`)).errors).toBeUndefined();
  expect((await save("second")).errors[0].message).toContain(`already bound to endpoint '${id}'`);
  await cloud.service.settings({ oneEndpointPerTemplate: false });
  expect((await save("second")).errors).toBeUndefined();
});
