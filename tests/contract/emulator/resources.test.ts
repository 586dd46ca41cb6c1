import { describe, expect, it } from "@jest/globals";
import { openAccount } from "../../harness/account";

const TEMPLATE = { name: "base", image: "repo/base:1" };
const POD = { name: "pod", image: "repo/pod:1", gpu: { id: "NVIDIA GeForce RTX 4090" } };
const VOLUME = { name: "models", size: 50, dataCenter: "US-KS-2" };
const REGISTRY = { name: "hub", username: "me", password: "secret" };

describe("templates", () => {
  it("are created with the documented defaults and list everything", async () => {
    await using cloud = await openAccount();
    const template = await cloud.create("/v2/templates", TEMPLATE);
    expect(template).toEqual({
      ...TEMPLATE,
      id: expect.stringMatching(/^[a-z0-9]{10}$/),
      args: "",
      entrypoint: [],
      cmd: [],
      disk: 50,
      ports: [],
      env: {},
      registry: null,
      mounts: {},
      serverless: false,
      public: false,
      category: "NVIDIA",
      startSsh: true,
      startJupyter: true,
      allowedCudaVersions: [],
    });
    expect((await cloud.rest("GET", "/v2/templates")).body.templates).toEqual([template]);
  });

  it("have names of their own", async () => {
    await using cloud = await openAccount();
    const first = await cloud.create("/v2/templates", TEMPLATE);
    await cloud.create("/v2/templates", { ...TEMPLATE, name: "other" });
    expect((await cloud.rest("POST", "/v2/templates", TEMPLATE)).status).toBe(400);
    const rename = (name: string) => cloud.rest("PATCH", `/v2/templates/${first.id}`, { name });
    expect([(await rename("other")).status, (await rename("base")).status]).toEqual([400, 200]);
  });

  it("change every field but cannot lose their mount", async () => {
    await using cloud = await openAccount();
    const persistent = { size: 20, path: "/workspace" };
    const { id } = await cloud.create("/v2/templates", { ...TEMPLATE, mounts: { persistent } });
    const change = { image: "repo/base:2", public: true, category: "AMD", env: { A: "1" }, ports: [] };
    const { body } = await cloud.rest("PATCH", `/v2/templates/${id}`, { ...change, mounts: {} });
    expect(body).toMatchObject({ ...change, mounts: { persistent } });
    const network = await cloud.rest("PATCH", `/v2/templates/${id}`, { mounts: { network: [] } });
    expect(network.body.errors).toEqual(["$.mounts: additional properties 'network' not allowed"]);
  });

  it("for serverless endpoints have no persistent mount, through either interface and in a patch", async () => {
    await using cloud = await openAccount();
    const mounts = { persistent: { size: 20, path: "/workspace" } };
    const refusal = { status: 400, body: { detail: expect.stringContaining("persistent mount") } };
    expect(await cloud.rest("POST", "/v2/templates", { ...TEMPLATE, serverless: true, mounts })).toMatchObject(refusal);
    const pod = await cloud.create("/v2/templates", { ...TEMPLATE, mounts });
    expect(await cloud.rest("PATCH", `/v2/templates/${pod.id}`, { serverless: true })).toMatchObject(refusal);
    const { body } = await cloud.graphql(`mutation { saveTemplate(input: { name: "worker", isServerless: true,
      containerDiskInGb: 10, volumeInGb: 20, dockerArgs: "", env: [] }) { id } }`);
    expect(body.errors[0].message).toContain("persistent mount");
  });

  it("count as in use for a while after their last user is gone", async () => {
    await using cloud = await openAccount({ settings: { templateReleaseMs: 120_000 } });
    const { id } = await cloud.create("/v2/templates", TEMPLATE);
    const pod = await cloud.create("/v2/pods", { ...POD, templateId: id });
    const remove = async () => (await cloud.rest("DELETE", `/v2/templates/${id}`)).status;
    expect(await remove()).toBe(400);
    await cloud.rest("DELETE", `/v2/pods/${pod.id}`);
    expect(await remove()).toBe(400);
    await cloud.advance(120_000);
    expect([await remove(), await remove()]).toEqual([204, 404]);
  });

  it("of others are read but neither changed nor deleted", async () => {
    await using cloud = await openAccount();
    const { templates } = (await cloud.rest("GET", "/v2/catalog/templates")).body;
    const path = `/v2/templates/${templates[0].id}`;
    expect((await cloud.rest("GET", path)).body).toMatchObject({ name: templates[0].name, registry: null });
    expect((await cloud.rest("PATCH", path, { name: "mine" })).status).toBe(404);
    expect((await cloud.rest("DELETE", path)).status).toBe(404);
    expect((await cloud.rest("GET", "/v2/templates")).body.templates).toEqual([]);
  });
});

describe("network volumes", () => {
  it("take their data center's primary tier unless told", async () => {
    await using cloud = await openAccount();
    expect((await cloud.create("/v2/network-volumes", VOLUME)).type).toBe("STANDARD");
    const fast = await cloud.create("/v2/network-volumes", { ...VOLUME, dataCenter: "EU-RO-1" });
    expect(fast).toEqual({ ...VOLUME, dataCenter: "EU-RO-1", id: expect.any(String), type: "HIGH_PERFORMANCE" });
  });

  it("are refused where there is no storage, with the data centers that have it", async () => {
    await using cloud = await openAccount();
    const { status, body } = await cloud.rest("POST", "/v2/network-volumes", { ...VOLUME, dataCenter: "US-GA-1" });
    expect([status, body.detail]).toEqual([400, expect.stringContaining("US-KS-2, ")]);
    const tier = { ...VOLUME, dataCenter: "US-CA-2", type: "HIGH_PERFORMANCE" };
    expect((await cloud.rest("POST", "/v2/network-volumes", tier)).status).toBe(400);
  });

  it("grow and never shrink", async () => {
    await using cloud = await openAccount();
    const { id } = await cloud.create("/v2/network-volumes", VOLUME);
    const patch = async (body: unknown) => (await cloud.rest("PATCH", `/v2/network-volumes/${id}`, body)).status;
    expect(await patch({ size: 60 })).toBe(200);
    expect(await patch({ size: 60, name: "renamed" })).toBe(200);
    expect(await patch({ size: 59 })).toBe(400);
    expect(await patch({ size: 4097 })).toBe(422);
    expect(await patch({})).toBe(422);
    expect(await patch({ dataCenter: "EU-RO-1" })).toBe(422);
  });

  it("are let go by an endpoint whose workers are 0", async () => {
    await using cloud = await openAccount();
    const { id } = await cloud.create("/v2/network-volumes", VOLUME);
    const endpoint = await cloud.create("/v2/serverless", {
      name: "worker",
      type: "QUEUE",
      image: "repo/worker:1",
      gpu: { pools: ["ADA_24"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      networkVolumes: [id],
    });
    const remove = async () => (await cloud.rest("DELETE", `/v2/network-volumes/${id}`)).status;
    expect(await remove()).toBe(400);
    await cloud.rest("PATCH", `/v2/serverless/${endpoint.id}`, { workers: { max: 0 } });
    expect(await remove()).toBe(204);
  });
});

describe("registries", () => {
  it("never show their credentials and have names of their own", async () => {
    await using cloud = await openAccount();
    const registry = await cloud.create("/v2/registries", REGISTRY);
    expect(registry).toEqual({ id: expect.stringMatching(/^cl[a-z0-9]{23}$/), name: "hub" });
    expect((await cloud.rest("GET", "/v2/registries")).body).toEqual({ registries: [registry] });
    expect((await cloud.rest("POST", "/v2/registries", REGISTRY)).status).toBe(400);
    expect((await cloud.rest("PATCH", `/v2/registries/${registry.id}`, { name: "x" })).status).toBe(422);
    await cloud.control("PUT", "/settings", { restPatchesRegistries: false });
    const credentials = { username: "me", password: "new" };
    expect((await cloud.rest("PATCH", `/v2/registries/${registry.id}`, credentials)).status).toBe(405);
  });

  it("stay while a pod uses them, and leave templates without one", async () => {
    await using cloud = await openAccount();
    const { id } = await cloud.create("/v2/registries", REGISTRY);
    const pod = await cloud.create("/v2/pods", { ...POD, registry: id });
    const template = await cloud.create("/v2/templates", { ...TEMPLATE, registry: id });
    expect((await cloud.rest("DELETE", `/v2/registries/${id}`)).status).toBe(400);
    await cloud.rest("PATCH", `/v2/pods/${pod.id}`, { registry: null });
    expect((await cloud.rest("DELETE", `/v2/registries/${id}`)).status).toBe(204);
    expect((await cloud.rest("GET", `/v2/templates/${template.id}`)).body.registry).toBeNull();
  });
});

describe("ECR delegations", () => {
  const resource = "arn:aws:ecr:eu-central-1:123456789012:repository/team/worker";

  it("say what the repository's address means", async () => {
    await using cloud = await openAccount();
    const delegation = await cloud.create("/v2/registries/delegations", { resource });
    expect(delegation).toMatchObject({
      name: null,
      awsUser: "123456789012",
      repository: "team/worker",
      tag: "latest",
      awsRegion: "eu-central-1",
      dockerRegistryUri: "123456789012.dkr.ecr.eu-central-1.amazonaws.com/team/worker",
    });
    expect((await cloud.rest("GET", "/v2/registries/delegations")).body).toEqual({ delegations: [delegation] });
    const path = `/v2/registries/delegations/${delegation.id}`;
    expect([(await cloud.rest("DELETE", path)).status, (await cloud.rest("DELETE", path)).status]).toEqual([204, 404]);
  });

  it.each([
    "team/worker",
    resource.replace("team/worker", "no-pull-permission"),
    resource.replace(/\d{12}/, "000000000000"),
  ])("are refused for %s", async (arn) => {
    await using cloud = await openAccount();
    expect((await cloud.rest("POST", "/v2/registries/delegations", { resource: arn })).status).toBe(400);
  });
});

describe("the account's SSH keys", () => {
  it("are replaced as a whole", async () => {
    await using cloud = await openAccount();
    const put = (keys: unknown) => cloud.rest("PUT", "/v2/account/ssh-keys", { keys });
    const keys = ["ssh-ed25519 AAAA a@b", "ecdsa-sha2-nistp256 BBBB"];
    expect((await put(keys)).body).toEqual({ keys });
    expect((await put(["not a key"])).status).toBe(422);
    expect((await cloud.rest("GET", "/v2/account/ssh-keys")).body).toEqual({ keys });
    expect((await put([])).body).toEqual({ keys: [] });
  });
});

describe("an older service", () => {
  it("refuses the methods that it lacks with 405, whatever the id", async () => {
    await using cloud = await openAccount({ settings: { restPatchesRegistries: false, changesCostCenters: false } });
    const credentials = { username: "me", password: "other" };
    expect((await cloud.rest("PATCH", "/v2/registries/unknown", credentials)).status).toBe(405);
    expect((await cloud.rest("DELETE", "/v2/registries/unknown")).status).toBe(404);
    expect((await cloud.rest("PATCH", "/v2/cost-centers/unknown", { value: "other" })).status).toBe(405);
    expect((await cloud.rest("DELETE", "/v2/cost-centers/unknown")).status).toBe(405);
  });
});
