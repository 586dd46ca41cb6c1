import { expect } from "@jest/globals";
import type { Account } from "../../harness/account";

export const FIELDS = `id name gpuIds templateId type instanceIds locations networkVolumeId networkVolumeIds { networkVolumeId }
  idleTimeout scalerType scalerValue workersMax workersMin workersStandby gpuCount executionTimeoutMs flashBootType
  allowedCudaVersions minCudaVersion modelReferences env { key value } pods { id } version createdAt`;
export const SAVE = `mutation Save($input: EndpointInput!) { saveEndpoint(input: $input) { ${FIELDS} } }`;

/** A serverless template of the account. */
export const openTemplate = async (cloud: Account, name = "worker"): Promise<string> =>
  (await cloud.create("/v2/templates", { name, image: "emulator/echo:1", serverless: true, env: { A: "1" } })).id;

/** `saveEndpoint`; returns the endpoint, or the message of the refusal. */
export async function save(cloud: Account, input: Record<string, unknown>) {
  const { status, body } = await cloud.graphql(SAVE, { input });
  expect(status).toBe(200);
  return body.data.saveEndpoint ?? body.errors[0].message;
}

export const mutate = async (cloud: Account, mutation: string) =>
  (await cloud.graphql(`mutation { ${mutation} }`)).body;
