import { expect } from "@jest/globals";
import type { Scenarios } from "../conversation";

const COMPUTE = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 };
const BODY = { name: "train", type: "SLURM", image: "repo/train:1", ports: ["22/tcp"], compute: COMPUTE };

export const clusters: Scenarios = {
  async "a cluster is never resized, and its members are its own business"(talk) {
    const { id } = await talk.call("createCluster", 201, { body: BODY });
    const params = { id };
    await talk.advance(1000);
    const running = { total: 2, byStatus: { RUNNING: 2 } };
    expect(await talk.call("getCluster", 200, { params })).toMatchObject({ compute: COMPUTE, pods: running });
    const { pods } = await talk.call("listClusterPods", 200, { params });
    expect(pods.map(({ cluster }: { cluster: unknown }) => cluster)).toMatchObject([
      { id, rank: 0, role: "SLURM_CONTROLLER" },
      { id, rank: 1, role: "SLURM_COMPUTE" },
    ]);
    const member = { id: pods[0].id };
    expect((await talk.call("listPods", 200)).pods).toEqual([]);
    await talk.call("updatePod", 409, { params: member, body: { name: "mine" } });
    await talk.call("deletePod", 409, { params: member });
    await talk.call("podAction", 409, { params: member, body: { action: "stop" } });
    expect((await talk.call("listPods", 200, { query: { includeClusterPods: "true" } })).pods).toHaveLength(2);

    await talk.call("updateCluster", 422, { params, body: { compute: { ...COMPUTE, podCount: 4 } } });
    await talk.call("updateCluster", 400, { params, rawBody: "{" });
    await talk.call("deleteCluster", 204, { params });
    await talk.call("listClusterPods", 404, { params });
    await talk.call("getPod", 404, { params: member });
  },
  async "a cluster from a template is linked to it, and names nothing that the template brings"(talk) {
    const { image: _, ports: __, ...body } = BODY;
    const env = { A: "1" };
    const template = await talk.call("createTemplate", 201, { body: { name: "members", image: "me/private:1", env } });
    const fromTemplate = { ...body, type: "RAY", templateId: template.id };
    await talk.call("createCluster", 400, { body: { ...fromTemplate, env } });
    await talk.call("createCluster", 404, { body: { ...body, templateId: "nobody" } });
    const cluster = await talk.call("createCluster", 201, { body: fromTemplate });
    expect(cluster.template).toBe(template.id);
    await talk.advance(60_000);
    const { pods } = await talk.call("listClusterPods", 200, { params: { id: cluster.id } });
    const roles = [{ cluster: { role: "RAY_HEAD" } }, { cluster: { role: "RAY_WORKER" } }];
    expect(pods).toMatchObject(roles.map((role) => ({ image: "me/private:1", env, ...role })));
    await talk.call("deleteTemplate", 400, { params: { id: template.id } });
    await talk.call("deleteCluster", 204, { params: { id: cluster.id } });
    await talk.call("deleteTemplate", 204, { params: { id: template.id } });
  },
  async "a cluster that cannot be is refused"(talk) {
    const create = (status: number, extra: object) =>
      talk.call("createCluster", status, { body: { ...BODY, ...extra } });
    for (const podCount of [1, 251]) await create(422, { compute: { ...COMPUTE, podCount } });
    await create(400, { image: undefined });
    await create(422, { registry: "hub" });
    await create(422, { type: "KUBERNETES" });
    await create(400, { compute: { ...COMPUTE, gpuCountPerPod: 9 } });
    await talk.control("PUT", "/settings", { balance: 1 });
    await create(402, {});
    await talk.control("PUT", "/settings", { balance: 10_000 });
  },
};
