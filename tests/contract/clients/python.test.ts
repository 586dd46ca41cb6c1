// @long: another program, installed with pip.
/* The service's public Python client: GraphQL, queue and asyncio, pointed at the emulator by its own environment. */
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { openAccount } from "../../harness/account";
import { casesOf, expectAllPassed, queueEndpoints } from "./cases";
import { pythonClient } from "./installed";

const CASES = 25;

it("does everything that its examples do", async () => {
  const python = await pythonClient();
  if (python === undefined) return;
  await using cloud = await openAccount({}, "running");
  const volume = await cloud.create("/v2/network-volumes", { name: "data", size: 10, dataCenter: "EU-RO-1" });
  const cases = await casesOf(python, [join(__dirname, "examples.py")], {
    HOME: join(python, "../.."),
    KEY: cloud.apiKey,
    RUNPOD_API_BASE_URL: cloud.baseUrl,
    RUNPOD_ENDPOINT_BASE_URL: `${cloud.serverlessUrl}/v2`,
    VOLUME: volume.id,
    ...(await queueEndpoints(cloud)),
  });
  expectAllPassed(cases, CASES);
  const log = await cloud.service.log();
  expect(new Set(log.map((call) => call.interface))).toEqual(new Set(["rest", "graphql", "queue"]));
});
