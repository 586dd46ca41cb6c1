/* Pods, GPU types and the account over GraphQL, as the scripts of the service's older clients send them. */
import { expect, it } from "@jest/globals";
import { type Account, openAccount } from "../../harness/account";
import { accountForEach } from "../../harness/forEach";
import { mutate, openTemplate } from "./graphqlCalls";

const cloud = accountForEach();

const GPU = "NVIDIA GeForce RTX 4090";
const POD = `id imageName env machineId machine { podHostId } desiredStatus costPerHr`;

const deploy = (cloud: Account, input: string, mutation = "podFindAndDeployOnDemand") =>
  mutate(
    cloud,
    `${mutation}(input: { name: "script", imageName: "repo/image:1", cloudType: ALL, ${input} }) { ${POD} }`,
  );

/** What both interfaces say against the same wish. */
async function refusals(cloud: Account, graphql: string, rest: Record<string, unknown>) {
  const { errors } = await deploy(cloud, graphql);
  const { body } = await cloud.rest("POST", "/v2/pods", { name: "script", image: "repo/image:1", ...rest });
  return [errors?.[0].message, body.detail];
}

it("pods over GraphQL live from deploy to terminate, and are REST's pods", async () => {
  const { data } = await deploy(
    cloud,
    `gpuTypeId: "${GPU}", gpuCount: 2, volumeInGb: 20, containerDiskInGb: 10, volumeMountPath: "/data",
       ports: "8888/http,22/tcp", env: [{ key: "A", value: "1" }], dataCenterId: null, minVcpuCount: 1, supportPublicIp: true`,
  );
  const { id, env } = data.podFindAndDeployOnDemand;
  expect(env).toContain("A=1");
  await cloud.advance(0);
  const rest = (await cloud.rest("GET", `/v2/pods/${id}`)).body;
  expect(rest).toMatchObject({
    name: "script",
    status: "RUNNING",
    gpu: { id: GPU, count: 2 },
    disk: 10,
    mounts: { persistent: { size: 20, path: "/data" } },
    ports: ["8888/http", "22/tcp"],
  });

  const running = (
    await cloud.graphql(`{ pod(input: { podId: "${id}" }) { desiredStatus costPerHr volumeInGb
      runtime { ports { privatePort publicPort isIpPublic type } } machine { gpuDisplayName } } }`)
  ).body.data.pod;
  expect(running).toMatchObject({
    desiredStatus: "RUNNING",
    costPerHr: rest.cost,
    volumeInGb: 20,
    machine: { gpuDisplayName: "RTX 4090" },
  });
  expect(running.runtime.ports[1]).toEqual({
    privatePort: 22,
    publicPort: rest.runtime.ports[1].public,
    isIpPublic: true,
    type: "tcp",
  });

  expect((await mutate(cloud, `podStop(input: { podId: "${id}" }) { desiredStatus }`)).data.podStop.desiredStatus).toBe(
    "EXITED",
  );
  const again = await mutate(cloud, `podStop(input: { podId: "${id}" }) { id }`);
  expect(again.errors[0].message).toContain("not allowed while the pod is EXITED");
  const resumed = await mutate(cloud, `podResume(input: { podId: "${id}", gpuCount: 2 }) { desiredStatus }`);
  expect(resumed.data.podResume.desiredStatus).toBe("RUNNING");
  expect((await cloud.graphql("{ myself { pods { id } } }")).body.data.myself.pods).toEqual([{ id }]);
  expect(await mutate(cloud, `podTerminate(input: { podId: "${id}" })`)).toEqual({ data: { podTerminate: null } });
  expect((await cloud.graphql(`{ pod(input: { podId: "${id}" }) { id } }`)).body).toEqual({ data: { pod: null } });
  expect((await cloud.rest("GET", `/v2/pods/${id}`)).status).toBe(404);
});

it("pods over GraphQL run on CPUs, on an instance or a template that a script need not name", async () => {
  const { data } = await deploy(cloud, `instanceId: "cpu3c-4-8", templateId: "runpod-ubuntu"`, "deployCpuPod");
  const { body } = await cloud.rest("GET", `/v2/pods/${data.deployCpuPod.id}`);
  expect(body).toMatchObject({
    cpu: { id: "cpu3c", vcpuCount: 4, memory: 8 },
    image: "repo/image:1",
    ports: ["22/tcp"],
  });
});

it("pods over GraphQL break the same rules as over REST", async () => {
  const volume = await cloud.create("/v2/network-volumes", { name: "v", size: 10, dataCenter: "EU-RO-1" });
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
    const [first, second] = await refusals(cloud, graphql, rest);
    expect(first).toContain(words);
    expect(second).toBe(first);
  }
});

it("pods over GraphQL find no capacity when a fault says so, and go to the community cloud for what only that has", async () => {
  await cloud.service.fault({ match: { times: 100 }, act: { capacity: { gpuTypeId: GPU } } });
  expect((await deploy(cloud, `gpuTypeId: "${GPU}"`)).errors[0].message).toContain("no longer any instances");
  const { data } = await deploy(cloud, `gpuTypeId: "NVIDIA GeForce RTX 3070"`);
  const { body } = await cloud.rest("GET", `/v2/pods/${data.podFindAndDeployOnDemand.id}`);
  expect(body.cloud).toBe("COMMUNITY");
});

it("the account over GraphQL lists what REST lists", async () => {
  const volume = await cloud.create("/v2/network-volumes", { name: "v", size: 10, dataCenter: "EU-RO-1" });
  const registry = await cloud.create("/v2/registries", { name: "r", username: "u", password: "p" });
  const templateId = await openTemplate(cloud);
  const { data } = (
    await cloud.graphql(`{ myself { id email pubKey clientBalance networkVolumes { id size dataCenterId dataCenter { id location storageSupport } }
        containerRegistryCreds { id name } podTemplates { id } } podTemplate(id: "${templateId}") { name isServerless }
        nobody: podTemplate(id: "nobody") { id } }`)
  ).body;
  expect(data).toMatchObject({
    myself: {
      networkVolumes: [
        { id: volume.id, size: 10, dataCenter: { id: "EU-RO-1", location: "RO", storageSupport: true } },
      ],
      containerRegistryCreds: [{ id: registry.id, name: "r" }],
      podTemplates: [{ id: templateId }],
    },
    podTemplate: { name: "worker", isServerless: true },
    nobody: null,
  });
});

it("the account over GraphQL keeps SSH keys that REST shows", async () => {
  const set = (pubKey: string) =>
    cloud.graphql("mutation ($key: String) { updateUserSettings(input: { pubKey: $key }) { pubKey } }", {
      key: pubKey,
    });
  expect((await set("ssh-ed25519 AAAA a\nssh-rsa BBBB\n")).body.data.updateUserSettings.pubKey).toBe(
    "ssh-ed25519 AAAA a\nssh-rsa BBBB",
  );
  expect((await cloud.rest("GET", "/v2/account/ssh-keys")).body.keys).toHaveLength(2);
  expect((await set("nonsense")).body.errors[0].message).toContain("SSH public key");
});

it("the account over GraphQL knows the GPU types, all or one", async () => {
  const { gpuTypes } = (await cloud.graphql("{ gpuTypes { id displayName memoryInGb } }")).body.data;
  expect(gpuTypes).toHaveLength((await cloud.rest("GET", "/v2/catalog/gpus")).body.gpus.length);
  const one = (id: string) =>
    cloud.graphql(`{ gpuTypes(input: { id: "${id}" }) { maxGpuCount securePrice communityPrice oneWeekPrice
        lowestPrice(input: { gpuCount: 1 }) { minimumBidPrice uninterruptablePrice } } }`);
  expect((await one(GPU)).body.data.gpuTypes).toEqual([
    {
      maxGpuCount: 8,
      securePrice: 0.44,
      communityPrice: 0.31,
      oneWeekPrice: null,
      lowestPrice: { minimumBidPrice: 0.155, uninterruptablePrice: 0.31 },
    },
  ]);
  expect((await one("nothing")).body.data.gpuTypes).toEqual([]);
});

it("the catalog over GraphQL needs no key, and says what is in stock", async () => {
  const ask = async (query: string) => {
    const headers = { "content-type": "application/json", "user-agent": "test" };
    const answer = await fetch(cloud.graphqlUrl, { method: "POST", headers, body: JSON.stringify({ query }) });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
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
    cloud,
    `gpuTypeIdList: ["NVIDIA H100 NVL", "${GPU}"], dataCenterIds: ["OC-AU-1"],
     stopAfter: "${after(2 * HOUR)}", terminateAfter: "${after(5 * HOUR)}"`,
  );
  const { id } = data.podFindAndDeployOnDemand;
  const pod = async () => (await cloud.rest("GET", `/v2/pods/${id}`)).body;
  expect(await pod()).toMatchObject({ gpu: { id: GPU } });
  await cloud.advance(HOUR);
  expect(await pod()).toMatchObject({ status: "RUNNING" });
  await cloud.advance(2 * HOUR);
  expect(await pod()).toMatchObject({ status: "EXITED", cost: 0 });
  await cloud.advance(3 * HOUR);
  expect(await pod()).toMatchObject({ status: 404 });
  const refused = await deploy(cloud, `gpuTypeId: "${GPU}", terminateAfter: "tomorrow"`);
  expect(refused.errors[0].message).toBe("terminateAfter must be a time such as 2026-12-01T12:00:00Z");
  const objects = await deploy(cloud, `gpuTypeId: "${GPU}", objectMounts: [{ path: "/x" }]`);
  expect(objects.errors[0].message).toContain("no object storage");
});

it("pods over GraphQL are rented for a bid, which they cost, unless others offer more", async () => {
  const rent = (bid: number) =>
    cloud.graphql(
      `mutation ($input: PodRentInterruptableInput!) {
         podRentInterruptable(input: $input) { id podType costPerHr containerRegistryAuthId } }`,
      { input: { bidPerGpu: bid, gpuTypeId: GPU, gpuCount: 2, imageName: "repo/image:1", cloudType: "ALL" } },
    );
  const { data } = (await rent(0.2)).body;
  expect(data.podRentInterruptable).toMatchObject({
    podType: "INTERRUPTABLE",
    costPerHr: 0.4,
    containerRegistryAuthId: null,
  });
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
  const volume = await cloud.create("/v2/network-volumes", { name: "v", size: 10, dataCenter: "EU-RO-1" });
  const { body } = await cloud.graphql(
    `mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { id computeType aiKey userId flashEnvironmentId
        workersPFBTarget activeBuildid idePodId networkVolume { id dataCenterId } pods { id desiredStatus }
        template { imageName advancedStart startScript config } } }`,
    {
      input: {
        name: "flash",
        gpuIds: "ADA_24",
        networkVolumeId: volume.id,
        template: { name: "own", imageName: "repo/image:1", advancedStart: true, startScript: "run", config: { a: 1 } },
        flashEnvironmentId: "env1",
        workersPFBTarget: 2,
      },
    },
  );
  expect(body.data.saveEndpoint).toMatchObject({
    computeType: "GPU",
    aiKey: null,
    userId: "user_emulated",
    flashEnvironmentId: "env1",
    workersPFBTarget: 2,
    activeBuildid: null,
    idePodId: null,
    networkVolume: { id: volume.id, dataCenterId: "EU-RO-1" },
    pods: [],
    template: { imageName: "repo/image:1", advancedStart: true, startScript: "run", config: { a: 1 } },
  });
});

it("endpoints over GraphQL have a template to themselves when the setting says so", async () => {
  await using cloud = await openAccount({ settings: { oneEndpointPerTemplate: true } });
  const templateId = await openTemplate(cloud);
  const save = (name: string, id = "null") =>
    mutate(
      cloud,
      `saveEndpoint(input: { id: ${id}, name: "${name}", gpuIds: "ADA_24", templateId: "${templateId}" }) { id }`,
    );
  const { id } = (await save("first")).data.saveEndpoint;
  expect((await save("first", `"${id}"`)).errors).toBeUndefined();
  expect((await save("second")).errors[0].message).toContain(`already bound to endpoint '${id}'`);
  await cloud.service.settings({ oneEndpointPerTemplate: false });
  expect((await save("second")).errors).toBeUndefined();
});
