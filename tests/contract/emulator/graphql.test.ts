import { describe, expect, it } from "@jest/globals";
import { type Account, openAccount } from "./account";
import { openEndpoint, stopTime } from "./jobPlane";

const FIELDS = `id name gpuIds templateId type instanceIds locations networkVolumeId networkVolumeIds { networkVolumeId }
  idleTimeout scalerType scalerValue workersMax workersMin workersStandby gpuCount executionTimeoutMs flashBootType
  allowedCudaVersions minCudaVersion modelReferences env { key value } pods { id } version createdAt`;
const SAVE = `mutation Save($input: EndpointInput!) { saveEndpoint(input: $input) { ${FIELDS} } }`;

/** A serverless template of the account. */
const openTemplate = async (cloud: Account, name = "worker"): Promise<string> =>
  (await cloud.create("/v2/templates", { name, image: "emulator/echo:1", serverless: true, env: { A: "1" } })).id;

/** `saveEndpoint`; returns the endpoint, or the message of the refusal. */
async function save(cloud: Account, input: Record<string, unknown>) {
  const { status, body } = await cloud.graphql(SAVE, { input });
  expect(status).toBe(200);
  return body.data.saveEndpoint ?? body.errors[0].message;
}

const mutate = async (cloud: Account, mutation: string) => (await cloud.graphql(`mutation { ${mutation} }`)).body;

describe("saveEndpoint", () => {
  it("creates an endpoint with the defaults of its input", async () => {
    await using cloud = await openAccount();
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
      idleTimeout: 10,
      scalerType: "QUEUE_DELAY",
      scalerValue: 4,
      workersMax: 3,
      workersMin: 0,
      workersStandby: 3,
      gpuCount: 1,
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

  it("replaces as a whole: some of what an update leaves out is reset, some nulled, some kept", async () => {
    await using cloud = await openAccount();
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
    const reset = {
      idleTimeout: 10,
      scalerType: "QUEUE_DELAY",
      scalerValue: 4,
      workersMax: 3,
      workersMin: 0,
      workersStandby: 3,
      gpuCount: 1,
    };
    const { version: _version, pods: _pods, ...rest } = created;
    expect(updated).toMatchObject({ ...rest, ...reset, locations: null });
    const cleared = { networkVolumeIds: [], minCudaVersion: "", modelReferences: [] };
    expect(await save(cloud, { ...full, ...cleared, id: created.id })).toMatchObject({
      ...cleared,
      minCudaVersion: null,
    });
  });

  it("makes a CPU endpoint of instance ids, on which GPU ids mean nothing, and a GPU endpoint again without them", async () => {
    await using cloud = await openAccount();
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
    expect(await save(cloud, { id, name: "texts", gpuIds: "ADA_24" })).toMatchObject({
      gpuIds: "ADA_24",
      instanceIds: null,
    });
    expect(await save(cloud, { ...cpu, instanceIds: ["cpu3c-2-5"] })).toMatch("cpu3c-2-5");
  });

  it("makes the template that comes with it", async () => {
    await using cloud = await openAccount();
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
    [{ gpuIds: "NVIDIA L4" }, "not a GPU pool"],
    [{ gpuIds: "AMPERE_16,-AMPERE_24" }, "only GPU types can be excluded"],
    [{ gpuIds: "ADA_24,-NVIDIA GeForce RTX 4090" }, "leave none"],
    [{ templateId: "nobody" }, "template not found"],
    [{ templateId: null }, "templateId is required"],
    [{ type: "GPU" }, "QB or LB"],
    [{ scalerValue: 0 }, "scalerValue"],
    [{ scalerType: "RANDOM" }, "scalerType"],
    [{ idleTimeout: 3601 }, "idleTimeout"],
    [{ workersMax: 1, workersMin: 2 }, "workersMin"],
    [{ workersMax: 1001 }, "1000"],
    [{ networkVolumeId: "nobody" }, "network volume"],
    [{ allowedCudaVersions: "12.4", minCudaVersion: "12.4" }, "mutually exclusive"],
    [{ id: "nobody" }, "endpoint not found"],
  ])("refuses %j with status 200 and a message", async (wrong, words) => {
    await using cloud = await openAccount();
    const input = { name: "images", gpuIds: "AMPERE_16", templateId: await openTemplate(cloud), ...wrong };
    const { status, body } = await cloud.graphql(SAVE, { input });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { saveEndpoint: null },
      errors: [{ message: expect.stringContaining(words), path: ["saveEndpoint"], extensions: { code: "RUNPOD" } }],
    });
    expect((await cloud.control("GET", "/state")).body.endpoints).toEqual([]);
  });

  it("stores an unknown GPU type to exclude, nulls as defaults, and FlashBoot by name", async () => {
    await using cloud = await openAccount();
    const templateId = await openTemplate(cloud);
    const gpuIds = "AMPERE_16,-NVIDIA Imaginary";
    const nulls = { idleTimeout: null, workersMax: null, scalerValue: null };
    const saved = await save(cloud, { name: "images -fb", gpuIds, templateId, ...nulls });
    expect(saved).toMatchObject({ gpuIds, idleTimeout: 10, workersMax: 3, scalerValue: 4, flashBootType: "FLASHBOOT" });
  });
});

describe("endpoints", () => {
  it("are the same ones through both interfaces", async () => {
    await using cloud = await openAccount();
    const templateId = await openTemplate(cloud);
    const saved = await save(cloud, { name: "images", gpuIds: "AMPERE_16", templateId, locations: "EU-RO-1" });
    const rest = (await cloud.rest("GET", `/v2/serverless/${saved.id}`)).body;
    expect(rest).toMatchObject({
      image: "emulator/echo:1",
      gpu: { pools: ["AMPERE_16"] },
      dataCenterIds: ["EU-RO-1"],
      workers: { min: 0, max: 3, idleTimeout: 10 },
    });
    await cloud.rest("PATCH", `/v2/serverless/${saved.id}`, {
      name: "renamed",
      scaling: { type: "REQUEST_COUNT", requestCount: 2 },
    });
    const made = await openEndpoint(cloud);
    const { body } = await cloud.graphql(`{ myself { endpoints { ${FIELDS} } } }`);
    expect(body.data.myself.endpoints).toMatchObject([
      { id: saved.id, name: "renamed", scalerType: "REQUEST_COUNT", scalerValue: 2 },
      { id: made.id, name: "smoke", workersMax: 1 },
    ]);
    // What REST made has a hidden template, which a save by the same id keeps.
    const [, { templateId: hidden }] = body.data.myself.endpoints;
    await save(cloud, { id: made.id, name: "smoke", gpuIds: "AMPERE_16", templateId: hidden, workersMax: 2 });
    expect((await cloud.rest("GET", `/v2/serverless/${made.id}`)).body).toMatchObject({
      image: "emulator/echo",
      workers: { max: 2 },
    });
  });

  it("are listed up to the cap, oldest first, and read by id beyond it", async () => {
    await using cloud = await openAccount({ settings: { endpointListCap: 2 } });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await openEndpoint(cloud)).id);
    const list = await cloud.graphql("{ myself { endpoints { id } } }");
    expect(list.body.data.myself.endpoints).toEqual([{ id: ids[0] }, { id: ids[1] }]);
    const read = await cloud.graphql(`{ myself { endpoint(id: "${ids[2]}") { id } } }`);
    expect(read.body).toEqual({ data: { myself: { endpoint: { id: ids[2] } } } });
    expect((await cloud.graphql('{ myself { endpoint(id: "nobody") { id } } }')).body).toMatchObject({
      data: { myself: { endpoint: null } },
      errors: [{ message: "endpoint not found", path: ["myself", "endpoint"] }],
    });
  });

  it("are deleted once their workers are set to 0 and have all ended", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const templateId = await openTemplate(cloud);
    const input = {
      name: "images",
      gpuIds: "AMPERE_16",
      templateId,
      env: [{ key: "EMULATOR_DELAY_MS", value: "9000" }],
    };
    const { id } = await save(cloud, { ...input, workersMin: 1 });
    const remove = async () => (await mutate(cloud, `deleteEndpoint(id: "${id}")`)).errors?.[0].message;
    expect(await remove()).toMatch("workersMin and workersMax to 0");
    await cloud.queue("POST", `${id}/run`, { input: 1 });
    await cloud.advance(0);
    await save(cloud, { ...input, id, workersMax: 0 });
    expect(await remove()).toMatch("1 active workers");
    await cloud.advance(9000);
    expect(await mutate(cloud, `deleteEndpoint(id: "${id}")`)).toEqual({ data: { deleteEndpoint: null } });
    expect(await remove()).toBe("endpoint not found");
  });

  it("come with the account's discount", async () => {
    const serverlessDiscount = { discountFactor: 0.15, type: "COMMITMENT", expirationDate: "2030-01-01T00:00:00Z" };
    await using cloud = await openAccount();
    const read = async () =>
      (await cloud.graphql("{ myself { serverlessDiscount { discountFactor type expirationDate } } }")).body.data
        .myself;
    expect(await read()).toEqual({ serverlessDiscount: null });
    await cloud.control("PUT", "/settings", { serverlessDiscount });
    expect(await read()).toEqual({ serverlessDiscount });
  });
});

describe("templates, volumes, registries and secrets", () => {
  const input = `containerDiskInGb: 20, volumeInGb: 0, dockerArgs: "--fast", env: [{key: "A", value: "1"}], isServerless: true`;

  it("are saved, updated as a whole and deleted by name", async () => {
    await using cloud = await openAccount();
    const fields = "id name imageName ports containerRegistryAuthId env { key value }";
    const created = await mutate(
      cloud,
      `saveTemplate(input: {name: "worker", imageName: "repo/w:1", ports: "80/http,22/tcp", ${input}}) { ${fields} }`,
    );
    const { id, ...template } = created.data.saveTemplate;
    expect(template).toMatchObject({ imageName: "repo/w:1", ports: "80/http,22/tcp", env: [{ key: "A", value: "1" }] });
    expect((await cloud.rest("GET", `/v2/templates/${id}`)).body).toMatchObject({
      image: "repo/w:1",
      args: "--fast",
      ports: ["80/http", "22/tcp"],
      serverless: true,
    });
    const again = `saveTemplate(input: {id: "${id}", name: "worker", imageName: "repo/w:2", containerRegistryAuthId: "", ${input}})`;
    expect((await mutate(cloud, `${again} { imageName ports }`)).data.saveTemplate).toEqual({
      imageName: "repo/w:2",
      ports: "",
    });
    const twin = await mutate(cloud, `saveTemplate(input: {name: "worker", ${input}}) { id }`);
    expect(twin.errors[0].message).toMatch("already exists");
    expect(await mutate(cloud, 'deleteTemplate(templateName: "worker")')).toEqual({ data: { deleteTemplate: null } });
    expect((await mutate(cloud, 'deleteTemplate(templateName: "worker")')).errors[0].message).toBe(
      "template not found",
    );
  });

  it("keep a template that is in use, and for a while after that", async () => {
    await using cloud = await openAccount({ settings: { templateReleaseMs: 120_000 } });
    const templateId = await openTemplate(cloud);
    const { id } = await save(cloud, { name: "images", gpuIds: "AMPERE_16", templateId, workersMax: 0 });
    const refusal = async () => (await mutate(cloud, 'deleteTemplate(templateName: "worker")')).errors?.[0].message;
    expect(await refusal()).toMatch("in use");
    await mutate(cloud, `deleteEndpoint(id: "${id}")`);
    expect(await refusal()).toMatch("in use");
    await cloud.advance(120_000);
    expect(await refusal()).toBeUndefined();
  });

  it("follow the rules of REST", async () => {
    await using cloud = await openAccount();
    const volume = (
      await mutate(
        cloud,
        'createNetworkVolume(input: {name: "v", size: 10, dataCenterId: "EU-RO-1"}) { id size dataCenterId }',
      )
    ).data.createNetworkVolume;
    expect((await cloud.rest("GET", `/v2/network-volumes/${volume.id}`)).body).toMatchObject({ dataCenter: "EU-RO-1" });
    const grow = (size: number) =>
      mutate(cloud, `updateNetworkVolume(input: {id: "${volume.id}", size: ${size}}) { name size }`);
    expect((await grow(20)).data.updateNetworkVolume).toEqual({ name: "v", size: 20 });
    expect((await grow(15)).errors[0].message).toMatch("only grow");
    expect((await grow(5000)).errors[0].message).toMatch("4096");
    expect(await mutate(cloud, `deleteNetworkVolume(input: {id: "${volume.id}"})`)).toEqual({
      data: { deleteNetworkVolume: null },
    });

    const auth = 'saveRegistryAuth(input: {name: "hub", username: "me", password: "old"}) { id name }';
    const { id } = (await mutate(cloud, auth)).data.saveRegistryAuth;
    expect((await mutate(cloud, auth)).errors[0].message).toMatch("already exists");
    const update = `updateRegistryAuth(input: {id: "${id}", username: "you", password: "new"}) { id name }`;
    expect((await mutate(cloud, update)).data.updateRegistryAuth).toEqual({ id, name: "hub" });
    expect((await mutate(cloud, `deleteRegistryAuth(registryAuthId: "${id}")`)).errors).toBeUndefined();
    expect((await cloud.rest("GET", `/v2/registries/${id}`)).status).toBe(404);

    const secret = 'secretCreate(input: {name: "token", value: "hush"}) { id name description }';
    const created = (await mutate(cloud, secret)).data.secretCreate;
    expect(created).toEqual({ id: expect.any(String), name: "token", description: null });
    expect((await mutate(cloud, secret)).errors[0].message).toMatch("already exists");
    expect((await mutate(cloud, `secretDelete(id: "${created.id}")`)).errors).toBeUndefined();
  });
});

describe("the GraphQL server", () => {
  it.each([
    ["{ myself { ", "GRAPHQL_PARSE_FAILED"],
    ["{ myself { endpoints { nothing } } }", "GRAPHQL_VALIDATION_FAILED"],
    ["mutation { saveEndpoint(input: {gpuIds: 5}) { id } }", "GRAPHQL_VALIDATION_FAILED"],
    ["{ __schema { types { name } } }", "GRAPHQL_VALIDATION_FAILED"],
    ["mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { id } }", "BAD_USER_INPUT"],
  ])("answers 400 to a document that cannot run: %s", async (query, code) => {
    await using cloud = await openAccount();
    const { status, body } = await cloud.graphql(query);
    expect(status).toBe(400);
    expect(body).not.toHaveProperty("data");
    expect(body.errors[0]).toMatchObject({ message: expect.any(String), extensions: { code } });
  });

  it("takes literals in the document, enums unquoted", async () => {
    await using cloud = await openAccount();
    const templateId = await openTemplate(cloud);
    const { data } = await mutate(
      cloud,
      `saveEndpoint(input: {name: "images", gpuIds: "ADA_24", templateId: "${templateId}", flashBootType: PRIORITY_FLASHBOOT}) { flashBootType }`,
    );
    expect(data.saveEndpoint).toEqual({ flashBootType: "PRIORITY_FLASHBOOT" });
  });

  it("answers a bad key with 401, or with nobody's account when it is set to", async () => {
    await using cloud = await openAccount();
    const ask = async (query: string) => {
      const response = await fetch(`${cloud.graphqlUrl}?api_key=wrong`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
      return [response.status, await response.json()];
    };
    expect(await ask("{ myself { id } }")).toMatchObject([401, { errors: [{ message: expect.any(String) }] }]);
    await cloud.control("PUT", "/settings", { graphqlBadKey: "null" });
    expect(await ask("{ myself { id } }")).toEqual([200, { data: { myself: null } }]);
    expect((await ask('mutation { deleteEndpoint(id: "any") }'))[0]).toBe(401);
  });

  it("lets a key do what it may", async () => {
    await using cloud = await openAccount({
      settings: {
        keys: [
          { key: "reader", kind: "read-only" },
          { key: "nobody", kind: "restricted" },
        ],
      },
    });
    const status = async (key: string, query: string) =>
      (
        await fetch(cloud.graphqlUrl, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ query }),
        })
      ).status;
    expect(await status("reader", "{ myself { id } }")).toBe(200);
    expect(await status("reader", 'mutation { deleteEndpoint(id: "any") }')).toBe(403);
    expect(await status("nobody", "{ myself { id } }")).toBe(403);
  });

  it("hides a new endpoint for as long as a fault says", async () => {
    await using cloud = await openAccount();
    await stopTime(cloud);
    const templateId = await openTemplate(cloud);
    await cloud.control("POST", "/faults", { match: { operation: "saveEndpoint" }, act: { staleMs: 2500 } });
    const { id } = await save(cloud, { name: "images", gpuIds: "AMPERE_16", templateId });
    const seen = async () => {
      const { data } = (await cloud.graphql("{ myself { endpoints { id } } }")).body;
      return [data.myself.endpoints.length, (await cloud.queue("GET", `${id}/health`)).status];
    };
    expect(await seen()).toEqual([0, 404]);
    await cloud.advance(2500);
    expect(await seen()).toEqual([1, 200]);
  });
});
