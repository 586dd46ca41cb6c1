// @long: twenty engines at once.
import { expect, test } from "@jest/globals";
import { newStack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";

const quotas = { minute: 300, hour: 3_000, day: 50_000 };
const { emulator, service } = emulatorForAll({ settings: { workerQuota: 1_000, quotas } });

test("twenty stacks of one account, updated at the same time, share its quota: all end well, and few calls are refused", async () => {
  const program = `
    const { ServerlessFleet } = require("pulumi-computecloud");
    const endpoints = Object.fromEntries(Array.from({ length: 15 }, (_, index) => ["e" + index, {}]));
    new ServerlessFleet("models", { defaults: { image: "emulator/echo:1", gpuIds: "AMPERE_24", workersMax: 1 }, endpoints });
  `;
  await using project = await newStack({ program, emulator });
  const tenants = Array.from({ length: 20 }, (_, index) => `tenant-${index}`);
  for (const name of tenants) await project.pulumi(["stack", "init", name, "--no-select"]);
  await Promise.all(tenants.map((name) => project.pulumi(["up", "--yes", "--skip-preview", "--stack", name])));
  expect((await service.state()).endpoints).toHaveLength(300);
  const calls = await service.log();
  expect(calls.length).toBeGreaterThan(quotas.minute);
  // The processes know of each other by the answers' headers alone, so the last calls of a minute may meet.
  const refused = calls.filter(({ status }) => status === 429);
  expect(refused.length).toBeLessThan(calls.length / 5);
});
