import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { checkCatalog } from "../../provider/catalog/checkNames";
import type { Reference } from "../../provider/catalog/references";
import type { AnyDefinition, Context } from "../../provider/lifecycle/definition";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { definitions } from "../../provider/resources";
import { FleetLifecycle } from "../../provider/resources/fleet/fleetLifecycle";
import { emulatorForAll } from "../harness/account";
import { contextOf, createResource, withMessages } from "../harness/context";
import { impatient } from "../harness/place";

const { cluster, networkVolume, pod, serverlessContainer, serverlessEndpoint, template } = definitions;
const POD = { image: "example.com/train:1", gpu: { id: "NVIDIA L4" } };
const CLUSTER = { type: "RAY", image: "example.com/ray:1" };
const ENDPOINT = { type: "QUEUE", image: "example.com/chat:1", scaling: { type: "QUEUE_DELAY", queueDelay: 1 } };
const VOLUME = { name: "models", size: 10 };

const { emulator, service } = emulatorForAll();

const failures = async (definition: AnyDefinition, args: object, context: Context = contextOf(emulator)) =>
  (await new Lifecycle(definition, async () => context).check({}, { ...args })).failures;

test.each([
  [{ gpu: { id: "NVIDIA L5" } }, "gpu.id", '"NVIDIA L5" is not a GPU type in the catalog; did you mean "NVIDIA L4"?'],
  [{ gpu: { id: "NVIDIA L4", count: 9 } }, "gpu.id", '"NVIDIA L4" comes at most 8 to a pod in the SECURE cloud, not 9'],
  [{ cloud: "COMMUNITY", gpu: { id: "NVIDIA A40" } }, "gpu.id", '"NVIDIA A40" is not offered in the COMMUNITY cloud'],
  [
    { gpuAlternatives: ["NVIDIA H200", "NVIDIA B20"] },
    "gpuAlternatives.1",
    '"NVIDIA B20" is not a GPU type in the catalog; did you mean "NVIDIA B200"?',
  ],
  [
    { dataCenterIds: ["EU-RO-1", "US-KS-22"] },
    "dataCenterIds.1",
    '"US-KS-22" is not a data center in the catalog; did you mean "US-KS-2"?',
  ],
  [
    { gpu: { id: "NVIDIA H100" } },
    "gpu.id",
    expect.stringMatching(/did you mean "NVIDIA H100 [^"]*" or "NVIDIA H100 [^"]*" or "NVIDIA H100 [^"]*"\?$/),
  ],
  [
    { dataCenterIds: ["US-KS-2", "US-GA-1"], globalNetworking: true },
    "dataCenterIds.1",
    expect.stringMatching(/^"US-GA-1" has no global network, which globalNetworking needs; it is at .*US-KS-2/),
  ],
  [
    { gpu: { id: "AMD Instinct MI300X OAM" }, globalNetworking: true },
    "gpu.id",
    expect.stringContaining("globalNetworking needs an NVIDIA GPU"),
  ],
  [{ gpu: { id: "rtx 4090" } }, "gpu.id", expect.stringContaining('did you mean "NVIDIA GeForce RTX 4090"?')],
  [
    { gpu: { id: "AMPERE_24" } },
    "gpu.id",
    expect.stringMatching(/^"AMPERE_24" is a pool, not a GPU type; choose one of its types: .*"NVIDIA L4"/),
  ],
])("names of the catalog are checked in a pod with %j", async (args, property, reason) =>
  expect(await failures(pod, { ...POD, ...args })).toEqual([{ property, reason }]),
);

test.each([
  [
    ["AMPERE_16"],
    "NVIDIA RTX A4501",
    '"NVIDIA RTX A4501" is not a GPU type in the listed pools; did you mean "NVIDIA RTX A4500"?',
  ],
  [["ADA_24"], "NVIDIA RTX A4500", expect.stringContaining('"NVIDIA RTX A4500" is not a GPU type in the listed pools')],
])("names of the catalog are checked in what is taken out of %j", async (pools, type, reason) => {
  expect(await failures(serverlessContainer, { ...ENDPOINT, gpu: { pools, excludedTypes: [type] } })).toEqual([
    { property: "gpu.excludedTypes.0", reason },
  ]);
  expect(
    await failures(serverlessEndpoint, { templateId: "t", gpuIds: `${pools},-${type}`, __logicalName: "endpoint" }),
  ).toEqual([{ property: "gpuIds", reason }]);
});

test.each([
  ["CZ,FR", []],
  ["EU-RO-1, US", []],
  ["us", [{ property: "locations", reason: expect.stringContaining('"us" is neither a country code (') }]],
  ["EU-RO-9", [{ property: "locations", reason: expect.stringContaining('did you mean "EU-RO-1"') }]],
])("names of the catalog are checked in the locations %j", async (locations, mistakes) =>
  expect(
    await failures(serverlessEndpoint, { templateId: "t", gpuIds: "ADA_24", locations, __logicalName: "endpoint" }),
  ).toEqual(mistakes),
);

test("names of the catalog are checked in a cluster", async () => {
  const compute = { gpuTypeId: "NVIDIA H100 80GB HBM2", gpuCountPerPod: 1, podCount: 2 };
  expect(await failures(cluster, { ...CLUSTER, compute })).toEqual([
    { property: "compute.gpuTypeId", reason: expect.stringContaining('did you mean "NVIDIA H100 80GB HBM3"?') },
  ]);
});

test("names of the catalog are checked in an endpoint, pool by pool", async () => {
  const gpu = { pools: ["AMPERE_24", "ADA_25"], excludedTypes: ["NVIDIA L5"] };
  expect(await failures(serverlessContainer, { ...ENDPOINT, gpu })).toEqual([
    { property: "gpu.pools.1", reason: '"ADA_25" is not a GPU pool in the catalog; did you mean "ADA_24"?' },
    { property: "gpu.excludedTypes.0", reason: expect.stringContaining('did you mean "NVIDIA L4"?') },
  ]);
});

test.each(["NVIDIA L4", "L4", "nvidia l4"])("names of the catalog lead from type %s to its pool", async (gpuIds) => {
  const args = { templateId: "t", gpuIds: `ADA_24,${gpuIds}`, __logicalName: "endpoint" };
  expect(await failures(serverlessEndpoint, args)).toEqual([
    {
      property: "gpuIds",
      reason:
        `"${gpuIds}" is a GPU type, not a pool; its pool is "AMPERE_24", which also holds "NVIDIA RTX A5000", ` +
        '"NVIDIA GeForce RTX 3090"; exclude those if only this type will do: as -<type> in gpuIds, or in gpu.excludedTypes',
    },
  ]);
});

test("names of the catalog say which GPU types are in no pool", async () => {
  const gpus = await contextOf(emulator).client.catalog.gpus();
  const alone = gpus.find(({ pool, name }) => !pool && name !== "unknown")?.id ?? "";
  const [failure] = await failures(serverlessContainer, { ...ENDPOINT, gpu: { pools: [alone] } });
  expect(failure?.reason).toContain(`"${alone}" is a GPU type that no pool has; known pools: AMPERE_16, `);
});

test("names of the catalog are checked in a volume, with the data centers that offer its type", async () => {
  const [failure] = await failures(networkVolume, { ...VOLUME, dataCenter: "US-TX-3", type: "HIGH_PERFORMANCE" });
  expect(failure?.reason).toContain('"US-TX-3" offers no HIGH_PERFORMANCE network volumes; it offers STANDARD');
  expect(failure?.reason).toContain("EU-RO-1");
  expect(await failures(networkVolume, { ...VOLUME, dataCenter: "US-GA-1" })).toEqual([
    { property: "dataCenter", reason: expect.stringMatching(/offers no network volumes; they are at .*EU-RO-1/) },
  ]);
});

const GRAPHQL = { gpuIds: "ADA_24", __logicalName: "endpoint" };
const REST = { type: "QUEUE", gpu: { pools: ["ADA_24"] }, scaling: { type: "QUEUE_DELAY", queueDelay: 1 } };
const ON_RAY = { type: "RAY", compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 1, podCount: 2 } };
const create = async (path: string, body: object): Promise<string> => {
  const answer = await service.rest("POST", path, { name: randomUUID(), ...body });
  return z.object({ id: z.string() }).parse(answer).id;
};
const forPods = "is for pods. Give the template serverless: true, or name another";
const forEndpoints = "is for serverless endpoints. Remove serverless from the template, or name another";
const lists = async () => (await service.calls()).filter((call) => /^list(Templates|NetworkVolumes)$/.test(call));
const check = {
  endpoint: (args: object, context?: Context) => failures(serverlessEndpoint, { ...GRAPHQL, ...args }, context),
  container: (args: object, context?: Context) => failures(serverlessContainer, { ...REST, ...args }, context),
  pod: (args: object, context?: Context) => failures(pod, { gpu: POD.gpu, ...args }, context),
  cluster: (args: object, context?: Context) => failures(cluster, { ...ON_RAY, ...args }, context),
};

test.each([
  ["endpoint", true, forPods],
  ["container", true, forPods],
  ["pod", false, forEndpoints],
  ["cluster", false, forEndpoints],
] as const)("another resource of a wrong sort is refused as template of kind %s", async (kind, serverless, reason) => {
  const right = await create("/v2/templates", { image: "example.com/chat:1", serverless });
  const wrong = await create("/v2/templates", { image: "example.com/chat:1", serverless: !serverless });
  const context = contextOf(emulator);
  await service.forgetCalls();
  expect(await check[kind]({ templateId: right }, context)).toEqual([]);
  const refused = [{ property: "templateId", reason: `template "${wrong}" ${reason}` }];
  expect(await check[kind]({ templateId: wrong }, context)).toEqual(refused);
  expect(await lists()).toEqual(["listTemplates"]);
  // Other accounts' public templates are not listed.
  expect(await check[kind]({ templateId: "elsewhere" }, context)).toEqual([]);
});

test("another resource is in a place where an endpoint may run, if it is its volume", async () => {
  const networkVolumeId = await create("/v2/network-volumes", { size: 10, dataCenter: "EU-RO-1" });
  const at = (locations: string) => check.endpoint({ templateId: "t", networkVolumeId, locations });
  for (const locations of ["", "EU-RO-1", "US,EU-RO-1", "RO"]) expect(await at(locations)).toEqual([]);
  const reason = (argument: string) =>
    `network volume "${networkVolumeId}" is in EU-RO-1, which ${argument} does not include. Add EU-RO-1 there, or leave ${argument} out`;
  expect(await at("US-KS-2, FR")).toEqual([{ property: "networkVolumeId", reason: reason("locations") }]);
  const args = { image: "example.com/chat:1", networkVolumes: [networkVolumeId], dataCenterIds: ["US-KS-2"] };
  expect(await check.container(args)).toEqual([{ property: "networkVolumes.0", reason: reason("dataCenterIds") }]);
});

test("another resource is judged without a call where this run knows it", async () => {
  const context = contextOf(emulator);
  const make = (definition: AnyDefinition, args: object) => {
    const lifecycle = new Lifecycle(definition, async () => context);
    return createResource(lifecycle, { ...args, __logicalName: "own", __seed: randomUUID() });
  };
  const templateId = (await make(template, { image: "example.com/chat:1" })).id;
  const volume = await make(networkVolume, { size: 10, dataCenter: "EU-RO-1" });
  const args = { templateId, networkVolumeId: volume.id, locations: "US" };
  await service.forgetCalls();
  const refused = await check.endpoint(args, context);
  expect(refused.map(({ property }) => property)).toEqual(["templateId", "networkVolumeId"]);
  // A later run learns of them as it compares them.
  const later = contextOf(emulator);
  await new Lifecycle(networkVolume, async () => later).diff(volume.id, volume.state, volume.state);
  expect(await check.endpoint({ ...args, templateId: "elsewhere" }, later)).toHaveLength(1);
  expect(await lists()).toEqual(["listTemplates"]);
});

test("another resource that a preview does not have yet is judged by what the program declares of it", async () => {
  const context = contextOf(emulator);
  const args = { templateId: UNKNOWN, networkVolumeId: UNKNOWN, locations: "US" };
  const [serverless, dataCenter] = [false, "EU-RO-1"];
  const referenced = { templateId: { serverless }, networkVolumeId: { dataCenter } };
  await service.forgetCalls();
  const reason = expect.stringMatching(/^its network volume is in EU-RO-1, which locations/);
  const refused = [
    { property: "templateId", reason: `its template ${forPods}` },
    { property: "networkVolumeId", reason },
  ];
  expect(await check.endpoint({ ...args, __referenced: referenced }, context)).toEqual(refused);
  expect(await check.endpoint({ ...args, __referenced: { templateId: { serverless: UNKNOWN } } }, context)).toEqual([]);
  expect(await lists()).toEqual([]);

  const fleet = (endpoints: object, defaults: object, __referenced: object) =>
    new FleetLifecycle(async () => context).check(
      {},
      { endpoints, defaults: { gpuIds: "ADA_24", ...defaults }, __seed: "s", __logicalName: "f", __referenced },
    );
  const ofMembers = { "endpoints.chat.templateId": { serverless }, "defaults.networkVolumeId": { dataCenter } };
  const { inputs, failures } = await fleet({ chat: { templateId: UNKNOWN } }, args, ofMembers);
  expect(failures).toEqual(refused.map((each) => ({ ...each, property: `endpoints.chat.${each.property}` })));
  expect(JSON.stringify(inputs)).not.toContain("__referenced");
  // A member's own image takes the place of the defaults' template.
  const ofDefaults = { "defaults.templateId": { serverless } };
  expect(
    (await fleet({ chat: { image: "example.com/chat:1" } }, { templateId: UNKNOWN }, ofDefaults)).failures,
  ).toEqual([]);
});

test("another resource is not looked up where nothing has changed, nor without the right to", async () => {
  const templateId = await create("/v2/templates", { image: "example.com/chat:1" });
  const networkVolumeId = await create("/v2/network-volumes", { size: 10, dataCenter: "EU-RO-1" });
  const context = contextOf(emulator);
  const args = { ...GRAPHQL, templateId, networkVolumeId, locations: "US" };
  const lifecycle = new Lifecycle(serverlessEndpoint, async () => context);
  await service.forgetCalls();
  expect((await lifecycle.check(args, args)).failures).toEqual([]);
  expect(await lists()).toEqual([]);
  for (const operation of ["listTemplates", "listNetworkVolumes"])
    await service.fault({ match: { operation }, act: { status: 403 } });
  expect(await check.endpoint(args)).toEqual([]);
  expect(await check.endpoint(args)).toHaveLength(2);
});

describe("the catalog", () => {
  const CATALOG = /^list(GpuTypes|CpuTypes|DataCenters)$/;
  let context: Context;
  let warnings: string[];
  beforeEach(async () => {
    const telling = withMessages(contextOf(emulator));
    [context, warnings] = [telling.context, telling.said];
    await service.forgetCalls();
  });
  afterEach(() => service.clearFaults());
  const calls = async () => (await service.calls()).filter((call) => CATALOG.test(call));
  const EMPTY = { gpus: [], cpus: [], dataCenters: [] };
  const named = (path: string, kind: Reference["kind"], name: string, beside = {}) => ({ path, kind, name, beside });
  const L5 = named("gpu.id", "gpuType", "NVIDIA L5");

  test("is asked once a run, and not for nothing", async () => {
    expect(await checkCatalog(context, [])).toEqual([]);
    expect(await checkCatalog({ ...context, settings: { ...context.settings, catalogChecks: false } }, [L5])).toEqual(
      [],
    );
    expect(await calls()).toEqual([]);
    expect(await checkCatalog(context, [L5, L5])).toHaveLength(2);
    expect(await checkCatalog(context, [{ ...L5, name: "NVIDIA L4" }])).toEqual([]);
    expect(await calls()).toEqual(["listGpuTypes"]);
  });

  test("knows most CPU flavors by its data centers, and asks for their list where it must", async () => {
    const cpu = (id: string, vcpuCount?: number) => checkCatalog(context, [named("cpu.id", "cpu", id, { vcpuCount })]);
    expect(await cpu("cpu3c")).toEqual([]);
    expect(await cpu("cpu3c", 8)).toEqual([]);
    expect(await calls()).toEqual(["listDataCenters"]);
    expect(await cpu("cpu3c", 16)).toEqual([]);
    expect(await calls()).toEqual(["listDataCenters", "listCpuTypes"]);
    expect(await cpu("cpu3x")).toEqual([
      {
        property: "cpu.id",
        reason: expect.stringMatching(/^"cpu3x" is not a CPU flavor in the catalog; did you mean /),
      },
    ]);
    const [most] = await cpu("cpu3c", 4_096);
    const [, min, max] = /^"cpu3c" comes with (\d+) to (\d+) vCPUs, not 4096$/.exec(most?.reason ?? "") ?? [];
    expect(Number(min)).toBeLessThan(Number(max));
    expect(await cpu("cpu3c", Number(max))).toEqual([]);
    expect(await cpu("cpu3c", Number(max) + 1)).toHaveLength(1);
    expect(await cpu("cpu3c", Number(min) - 1)).toHaveLength(1);
    expect(await calls()).toHaveLength(2);
  });

  test("asks the flavors' own list for what no data center has", async () => {
    expect(await checkCatalog(context, [named("cpu.id", "cpu", "cpu3x")])).toHaveLength(1);
    expect(await calls()).toEqual(["listDataCenters", "listCpuTypes"]);
  });

  test.each([
    ["gpuType", { count: 1 }],
    ["excludedType", { pools: ["y"] }],
    ["pool", {}],
    ["location", {}],
    ["cpu", {}],
    ["dataCenter", { volumeType: "STANDARD" }],
  ] as const)("finds no mistake in a %s where it is empty", async (kind, beside) => {
    await service.fault({ match: { path: "/v2/catalog/*", times: 1_000 }, act: { status: 200, body: EMPTY } });
    expect(await checkCatalog(context, [named("p", kind, "x", beside)])).toEqual([]);
    expect(warnings).toEqual([]);
    expect(await calls()).not.toEqual([]);
  });

  test("allows all types of volumes in a data center of which it names none", async () => {
    const [dataCenter] = await context.client.catalog.dataCenters();
    const { networkVolumeTypes: _, ...silent } = dataCenter ?? {};
    const body = { dataCenters: [silent] };
    await service.fault({ match: { operation: "listDataCenters" }, act: { status: 200, body } });
    const reference = named("dataCenter", "dataCenter", String(dataCenter?.id), { volumeType: "HIGH_PERFORMANCE" });
    expect(await checkCatalog(context, [reference])).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test("says once that it can't be read, and checks nothing then", async () => {
    await service.fault({ match: { path: "/v2/catalog/*", times: 1_000 }, act: { status: 404 } });
    expect(await checkCatalog(context, [L5])).toEqual([]);
    expect(await checkCatalog(context, [L5, named("locations", "location", "us")])).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("because a list could not be read: ")]);
  });

  test("is no place to go on from with a key that is refused, or an address where nobody is", async () => {
    const refused = contextOf({ ...emulator, apiKey: "another-key-0123456789" });
    expect(await checkCatalog(refused, [L5])).toEqual([
      { property: "computecloud:apiKey", reason: expect.any(String) },
    ]);
    const nobody = contextOf({ ...emulator, baseUrl: "http://127.0.0.1:1" }, { clock: impatient() });
    expect(await checkCatalog(nobody, [L5])).toEqual([
      { property: "computecloud:baseUrl", reason: expect.any(String) },
    ]);
  });

  test.each([
    [403, 0],
    [400, 1],
  ])("leaves secrets unchecked where their list answers %i", async (status, warningCount) => {
    await service.fault({ match: { operation: "listSecrets", times: 1_000 }, act: { status } });
    const secret = named("env.TOKEN", "secret", "nosuch");
    expect(await checkCatalog(context, [secret])).toEqual([]);
    expect(warnings).toHaveLength(warningCount);
    await service.clearFaults();
    expect(await checkCatalog(contextOf(emulator), [secret])).toEqual([
      { property: "env.TOKEN", reason: expect.stringContaining("nosuch") },
    ]);
  });
});
