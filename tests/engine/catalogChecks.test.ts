// @long: two engine lives; tests/resources/catalog.test.ts holds all else that is checked against the catalog.
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Resources } from "../harness/program";
import { said, scenarioForAll } from "../harness/scenario";

const { stack, service, declare } = scenarioForAll({ resources: {} });

test.each([
  ["dynamic", {}],
  ["native", { provider: "$cloud" }],
])("a preview finds what does not fit among the resources that one program makes, %s ones", async (_, options) => {
  const program = (serverless: object, locations: string): Resources => ({
    cloud: { kind: "Provider", args: {} },
    chat: { kind: "Template", args: { image: "example.com/chat:1", ...serverless }, options },
    models: { kind: "NetworkVolume", args: { size: 10, dataCenter: "EU-RO-1" }, options },
    queue: {
      kind: "ServerlessEndpoint",
      args: { template: "$chat", gpuIds: "AMPERE_16", networkVolumeId: "$models.id", locations, workersMax: 1 },
      options,
    },
  });
  await declare(program({}, "US-KS-2"));
  const failed = said(await stack.preview({ fails: true }));
  expect(failed).toContain("templateId: its template is for pods. Give the template serverless: true");
  expect(failed).toContain("networkVolumeId: its network volume is in EU-RO-1, which locations does not include");
  await declare(program({ serverless: true }, "US-KS-2,EU-RO-1"));
  const plan = join(stack.folder, "plan.json");
  expect((await stack.preview({ args: ["--save-plan", plan] })).changes).toEqual({ create: 3 });
  await stack.up({ args: ["--plan", plan] });
  expect(await stack.stateText()).not.toContain("__referenced");
  await service.forgetCalls();
  expect((await stack.preview()).changes).toEqual({ same: 3 });
  expect(await service.log()).toEqual([]);
  await stack.destroy();
});
