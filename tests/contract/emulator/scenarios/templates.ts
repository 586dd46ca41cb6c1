import { expect } from "@jest/globals";
import type { Scenario } from "./scenario";

export const templates: readonly Scenario[] = [
  {
    name: "a template shows every field, keeps its name to itself and stays while a pod uses it",
    async run(talk) {
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
      expect((await talk.call("listTemplates", 200)).templates).toHaveLength(1);
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
      await talk.call("updateTemplate", 404, { params: { id: "nobody" }, body: { name: "gone" } });
      await talk.call("getTemplate", 404);

      const gpu = { id: "NVIDIA L4" };
      const pod = await talk.call("createPod", 201, { body: { name: "from template", gpu, templateId: id } });
      expect(pod).toMatchObject({ image: change.image, mounts, env: {}, template: null });
      await talk.call("deleteTemplate", 400, { params });
      await talk.call("deletePod", 204, { params: { id: pod.id } });
      await talk.call("deleteTemplate", 204, { params });
      await talk.call("deleteTemplate", 404, { params });
    },
  },
];
