import { expect, it } from "@jest/globals";
import { accountForEach, openAccount } from "../../harness/account";
import { mutate, openTemplate, save } from "./graphqlCalls";

const cloud = accountForEach();

const input = `containerDiskInGb: 20, volumeInGb: 0, dockerArgs: "--fast", env: [{key: "A", value: "1"}], isServerless: true`;

it("templates, volumes, registries and secrets are saved, updated as a whole and deleted by name", async () => {
  const fields = "id name imageName ports portsConfig { port name } containerRegistryAuthId env { key value }";
  const named = `portsConfig: [{port: "80", name: "web"}], ${input}`;
  const created = await mutate(
    cloud,
    `saveTemplate(input: {name: "worker", imageName: "repo/w:1", ports: "80/http,22/tcp", ${named}}) { ${fields} }`,
  );
  const { id, ...template } = created.data.saveTemplate;
  expect(template).toMatchObject({
    imageName: "repo/w:1",
    ports: "80/http,22/tcp",
    portsConfig: [{ port: "80", name: "web" }],
    env: [{ key: "A", value: "1" }],
  });
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
  expect((await mutate(cloud, 'deleteTemplate(templateName: "worker")')).errors[0].message).toBe("template not found");
});

it("templates, volumes, registries and secrets keep a template that is in use, and for a while after that", async () => {
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

it("templates, volumes, registries and secrets follow the rules of REST", async () => {
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
