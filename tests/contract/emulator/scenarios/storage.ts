import { expect } from "@jest/globals";
import type { Scenarios } from "../conversation";

export const storage: Scenarios = {
  async "a network volume grows, never shrinks, and stays while a pod has it"(talk) {
    const body = { name: "models", size: 50, dataCenter: "EU-RO-1" };
    const volume = await talk.call("createNetworkVolume", 201, { body });
    expect(volume.type).toBe("HIGH_PERFORMANCE");
    const params = { id: volume.id };
    const { detail } = await talk.call("createNetworkVolume", 400, { body: { ...body, dataCenter: "US-GA-1" } });
    expect(detail).toContain("US-KS-2, ");
    const slow = { ...body, dataCenter: "US-CA-2" };
    await talk.call("createNetworkVolume", 400, { body: { ...slow, type: "HIGH_PERFORMANCE" } });
    const standard = await talk.call("createNetworkVolume", 201, { body: slow });
    expect(standard.type).toBe("STANDARD");
    await talk.call("deleteNetworkVolume", 204, { params: { id: standard.id } });
    await talk.call("createNetworkVolume", 422, { body: { ...body, size: 5000 } });
    await talk.call("updateNetworkVolume", 200, { params, body: { size: 60, name: "renamed" } });
    await talk.call("updateNetworkVolume", 400, { params, body: { size: 59 } });
    await talk.call("updateNetworkVolume", 422, { params, body: { size: 4097 } });
    await talk.call("updateNetworkVolume", 422, { params, body: { dataCenter: "US-TX-3" } });

    const mounts = { network: [{ volumeId: volume.id, path: "/models" }] };
    const podBody = { name: "reader", image: "repo/read:1", cpu: { id: "cpu5c", vcpuCount: 2 }, mounts };
    await talk.call("createPod", 400, { body: { ...podBody, cloud: "COMMUNITY" } });
    const away = await talk.call("createPod", 400, { body: { ...podBody, dataCenterIds: ["US-KS-2"] } });
    expect(away.detail).toBe(`network volume '${volume.id}' is in data center EU-RO-1`);
    const pod = await talk.call("createPod", 201, { body: podBody });
    await talk.advance(1000);
    const placed = await talk.call("getPod", 200, { params: { id: pod.id } });
    expect(placed).toMatchObject({ dataCenterId: "EU-RO-1", mounts });
    const persistent = { size: 20, path: "/data" };
    const other = [{ volumeId: "other", path: "/models" }];
    for (const wrong of [{ network: [] }, { network: other }, { persistent }, { ...mounts, persistent }])
      await talk.call("updatePod", 400, { params: { id: pod.id }, body: { mounts: wrong } });
    // Even a pod that is stopped keeps it.
    await talk.call("podAction", 200, { params: { id: pod.id }, body: { action: "stop" } });
    await talk.call("deleteNetworkVolume", 400, { params });
    await talk.call("deletePod", 204, { params: { id: pod.id } });
    await talk.call("deleteNetworkVolume", 204, { params });
  },
  async "a global volume has a name and nothing else, and stays while a pod has it"(talk) {
    const volume = await talk.call("createGlobalVolume", 201, { body: { name: " models " } });
    expect(volume).toMatchObject({ id: expect.stringMatching(/^gsb_/), name: "models" });
    const twin = await talk.call("createGlobalVolume", 201, { body: { name: "models" } });
    const params = { id: volume.id };
    for (const name of ["", " "]) await talk.call("createGlobalVolume", 422, { body: { name } });
    const mounts = { global: [{ volumeId: volume.id, path: "/models" }] };
    const podBody = { name: "reader", image: "repo/read:1", mounts };
    const gpu = { id: "NVIDIA L4" };
    await talk.call("createPod", 400, { body: { ...podBody, cpu: { id: "cpu5c", vcpuCount: 2 } } });
    const nobody = { global: [{ volumeId: "nobody", path: "/models" }] };
    await talk.call("createPod", 400, { body: { ...podBody, gpu, mounts: nobody } });
    const pod = await talk.call("createPod", 201, { body: { ...podBody, gpu } });
    expect(pod).toMatchObject({ mounts });
    await talk.call("deleteGlobalVolume", 400, { params });
    await talk.call("deletePod", 204, { params: { id: pod.id } });
    for (const { id } of [volume, twin]) await talk.call("deleteGlobalVolume", 204, { params: { id } });
  },
  async "a registry credential shows only its name, and stays while a pod uses it"(talk) {
    const body = { name: "hub", username: "me", password: "secret" };
    const registry = await talk.call("createRegistry", 201, { body });
    expect(registry).toEqual({ id: registry.id, name: "hub" });
    const params = { id: registry.id };
    await talk.call("createRegistry", 400, { body });
    await talk.call("createRegistry", 422, { body: { ...body, password: "" } });
    await talk.call("updateRegistry", 422, { params, body: { password: "alone" } });
    await talk.control("PUT", "/settings", { restPatchesRegistries: false });
    expect((await talk.exchange("updateRegistry", { body: { username: "me", password: "other" } })).status).toBe(405);
    await talk.control("PUT", "/settings", { restPatchesRegistries: true });

    const podBody = { name: "private", image: "me/private:1", gpu: { id: "NVIDIA L4" }, registry: registry.id };
    const pod = await talk.call("createPod", 201, { body: podBody });
    const image = "me/private:1";
    const template = await talk.call("createTemplate", 201, { body: { name: "t", image, registry: registry.id } });
    await talk.call("deleteRegistry", 400, { params });
    await talk.call("updatePod", 200, { params: { id: pod.id }, body: { registry: null } });
    await talk.call("deleteRegistry", 204, { params });
    expect((await talk.call("getTemplate", 200, { params: { id: template.id } })).registry).toBeNull();
    await talk.call("deleteTemplate", 204, { params: { id: template.id } });
    await talk.call("deletePod", 204, { params: { id: pod.id } });
    expect(await talk.call("deleteRegistry", 400, { params })).toMatchObject({ detail: "Registry auth not found" });
  },
  async "an ECR delegation names its repository, and one without the pull permission is refused"(talk) {
    const resource = "arn:aws:ecr:us-east-1:123456789012:repository/team/worker";
    const delegation = await talk.call("createDelegation", 201, { body: { resource, name: null } });
    expect(delegation).toMatchObject({
      ...{ name: null, awsUser: "123456789012", awsRegion: "us-east-1", repository: "team/worker", tag: "latest" },
      dockerRegistryUri: "123456789012.dkr.ecr.us-east-1.amazonaws.com/team/worker",
    });
    expect((await talk.call("listDelegations", 200)).delegations).toEqual([delegation]);
    const unpullable = resource.replace("team/worker", "no-pull-permission");
    for (const wrong of ["team/worker", unpullable, resource.replace(/\d{12}/, "000000000000")])
      await talk.call("createDelegation", 400, { body: { resource: wrong } });
    await talk.call("createDelegation", 422, { body: { name: "without a resource" } });
    await talk.call("revokeDelegation", 204, { params: { id: delegation.id } });
    await talk.call("revokeDelegation", 404, { params: { id: delegation.id } });
  },
  async "a template shows every field, keeps its name to itself and stays while a pod uses it"(talk) {
    const body = {
      name: "trainer",
      image: "repo/train:1",
      args: "--epochs 3",
      disk: 40,
      ports: ["8888/http", "22/tcp"],
      env: { MODE: "fast" },
      mounts: { persistent: { size: 20, path: "/workspace" } },
      category: "NVIDIA",
      startJupyter: false,
      allowedCudaVersions: ["12.8"],
    };
    const { id } = await talk.call("createTemplate", 201, { body });
    const params = { id };
    expect(await talk.call("getTemplate", 200, { params })).toMatchObject(body);
    await talk.call("createTemplate", 400, { body });
    await talk.call("createTemplate", 422, { body: { name: "no image" } });
    await talk.call("createTemplate", 422, { body: { ...body, mounts: { network: [] } } });
    const other = await talk.call("createTemplate", 201, { body: { name: "other", image: "repo/other:1" } });
    await talk.call("updateTemplate", 400, { params, body: { name: "other" } });
    await talk.call("updateTemplate", 200, { params, body: { name: "trainer" } });
    await talk.call("deleteTemplate", 204, { params: { id: other.id } });
    const { mounts } = body;
    const change = { name: "trainer 2", image: "repo/train:2", public: true, category: "AMD", env: {}, ports: [] };
    const changed = await talk.call("updateTemplate", 200, { params, body: { ...change, mounts: {} } });
    expect(changed).toMatchObject({ ...change, mounts });
    await talk.call("updateTemplate", 422, { params, body: { category: "TPU" } });
    await talk.call("updateTemplate", 400, { params, body: { registry: "nobody" } });

    const gpu = { id: "NVIDIA L4" };
    const pod = await talk.call("createPod", 201, { body: { name: "from template", gpu, templateId: id } });
    expect(pod).toMatchObject({ image: change.image, mounts, env: {}, template: null });
    await talk.call("deleteTemplate", 400, { params });
    await talk.call("deletePod", 204, { params: { id: pod.id } });
    await talk.call("deleteTemplate", 204, { params });
  },
};
