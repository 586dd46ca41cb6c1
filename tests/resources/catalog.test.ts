import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
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

const { networkVolume, serverlessEndpoint, template } = definitions;
const scaling = { type: "QUEUE_DELAY", queueDelay: 1 };
const compute = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 1, podCount: 2 };
/** Arguments of each kind, whose template is none of the account's. */
const BASE = {
  pod: { templateId: "t", gpu: { id: "NVIDIA L4" } },
  cluster: { templateId: "t", type: "RAY", compute },
  serverlessContainer: { templateId: "t", type: "QUEUE", gpu: { pools: ["ADA_24"] }, scaling },
  serverlessEndpoint: { templateId: "t", gpuIds: "ADA_24", __logicalName: "endpoint" },
  networkVolume: { name: "models", size: 10 },
};
type Kind = keyof typeof BASE;

const { emulator, service } = emulatorForAll();

const failuresOf = async (kind: Kind, args: object, context: Context = contextOf(emulator)) =>
  (await new Lifecycle(definitions[kind], async () => context).check({}, { ...BASE[kind], ...args })).failures;

const outOf = (pools: string[], ...excludedTypes: string[]) => ({ gpu: { pools, excludedTypes } });
const [B20, NVX] = [["NVIDIA H200", "NVIDIA B20"], { ...compute, gpuTypeId: "NVIDIA H100 NVX" }];
const COMMUNITY = { cloud: "COMMUNITY", gpu: { id: "NVIDIA A40" } };
const ON_AMD = { globalNetworking: true, gpu: { id: "AMD Instinct MI300X OAM" } };
const IN_GEORGIA = { globalNetworking: true, dataCenterIds: ["US-KS-2", "US-GA-1"] };
const IN_TEXAS = { dataCenter: "US-TX-3", type: "HIGH_PERFORMANCE" };

test.each<[Kind, object, string, string | RegExp]>([
  ["pod", { gpu: { id: "NVIDIA L5" } }, "gpu.id", /^"NVIDIA L5" is not a GPU type in the catalog; .*"NVIDIA L4"\?$/],
  ["pod", { gpu: { id: "NVIDIA L4", count: 9 } }, "gpu.id", 'L4" comes at most 8 to a pod in the SECURE cloud, not 9'],
  ["pod", COMMUNITY, "gpu.id", '"NVIDIA A40" is not offered in the COMMUNITY cloud'],
  ["pod", { gpuAlternatives: B20 }, "gpuAlternatives.1", '"NVIDIA B20" is not a .*; did you mean "NVIDIA B200"'],
  ["pod", { dataCenterIds: ["EU-RO-1", "US-KS-22"] }, "dataCenterIds.1", 'in the catalog; did you mean "US-KS-2"'],
  ["pod", { gpu: { id: "NVIDIA H100" } }, "gpu.id", /mean ("NVIDIA H100 [^"]*" or ){2}"NVIDIA H100 [^"]*"\?$/],
  ["pod", IN_GEORGIA, "dataCenterIds.1", /^"US-GA-1" has no global network, which .* needs; it is at .*US-KS-2/],
  ["pod", ON_AMD, "gpu.id", "globalNetworking needs an NVIDIA GPU"],
  ["pod", { gpu: { id: "rtx 4090" } }, "gpu.id", 'did you mean "NVIDIA GeForce RTX 4090"'],
  ["pod", { gpu: { id: "AMPERE_24" } }, "gpu.id", /is a pool, not a GPU type; choose one of its types: .*"NVIDIA L4"/],
  ["cluster", { compute: NVX }, "compute.gpuTypeId", '"NVIDIA H100 NVL"'],
  ["serverlessContainer", outOf(["AMPERE_24", "ADA_25"]), "gpu.pools.1", 'in the catalog; did you mean "ADA_24"'],
  ["serverlessContainer", outOf(["AMPERE_24"], "NVIDIA L5"), "gpu.excludedTypes.0", 'did you mean "NVIDIA L4"'],
  ["serverlessContainer", outOf(["ADA_24"], "NVIDIA L4"), "gpu.excludedTypes.0", "not a GPU type in the listed pools"],
  ["serverlessEndpoint", { gpuIds: "AMPERE_24,-NVIDIA L5" }, "gpuIds", 'listed pools; did you mean "NVIDIA L4"'],
  ["serverlessEndpoint", { gpuIds: "ADA_24,-NVIDIA L4" }, "gpuIds", "not a GPU type in the listed pools"],
  ["serverlessEndpoint", { locations: "us" }, "locations", '"us" is neither a country code'],
  ["serverlessEndpoint", { locations: "EU-RO-9" }, "locations", 'did you mean "EU-RO-1"'],
  ["networkVolume", { dataCenter: "US-GA-1" }, "dataCenter", /offers no network volumes; they are at .*EU-RO-1/],
  ["networkVolume", IN_TEXAS, "dataCenter", /offers no HIGH_PERFORMANCE .*; it offers STANDARD, and .* at .*EU-RO-1/],
])("names of the catalog are checked in a %s with %j", async (kind, args, property, reason) =>
  expect(await failuresOf(kind, args)).toEqual([{ property, reason: expect.stringMatching(reason) }]),
);

test.each(["CZ,FR", "EU-RO-1, US"])("names of the catalog are right in the locations %j", async (locations) =>
  expect(await failuresOf("serverlessEndpoint", { locations })).toEqual([]),
);

test.each(["NVIDIA L4", "L4", "nvidia l4"])("names of the catalog lead from type %s to its pool", async (gpuIds) => {
  const wayOut =
    'which also holds "NVIDIA RTX A5000", "NVIDIA GeForce RTX 3090"; exclude those if only this type will do';
  const reason = `"${gpuIds}" is a GPU type, not a pool; its pool is "AMPERE_24", ${wayOut}`;
  expect(await failuresOf("serverlessEndpoint", { gpuIds: `ADA_24,${gpuIds}` })).toEqual([
    { property: "gpuIds", reason: expect.stringContaining(reason) },
  ]);
});

test("names of the catalog say which GPU types are in no pool", async () => {
  const gpus = await contextOf(emulator).client.catalog.gpus();
  const alone = gpus.find(({ pool, name }) => !pool && name !== "unknown")?.id ?? "";
  const [failure] = await failuresOf("serverlessContainer", { gpu: { pools: [alone] } });
  expect(failure?.reason).toContain(`"${alone}" is a GPU type that no pool has; known pools: AMPERE_16, `);
});

const create = (path: string, body: object) => service.create(path, { name: randomUUID(), ...body });
const forPods = "is for pods. Give the template serverless: true, or name another";
const forEndpoints = "is for serverless endpoints. Remove serverless from the template, or name another";
const lists = async () => (await service.calls()).filter((call) => /^list(Templates|NetworkVolumes)$/.test(call));

test.each([
  ["serverlessEndpoint", true, forPods],
  ["serverlessContainer", true, forPods],
  ["pod", false, forEndpoints],
  ["cluster", false, forEndpoints],
] as const)("another resource of a wrong sort is refused as template of kind %s", async (kind, serverless, reason) => {
  const right = await create("/v2/templates", { image: "example.com/chat:1", serverless });
  const wrong = await create("/v2/templates", { image: "example.com/chat:1", serverless: !serverless });
  const context = contextOf(emulator);
  await service.forgetCalls();
  expect(await failuresOf(kind, { templateId: right }, context)).toEqual([]);
  const refused = [{ property: "templateId", reason: `template "${wrong}" ${reason}` }];
  expect(await failuresOf(kind, { templateId: wrong }, context)).toEqual(refused);
  expect(await lists()).toEqual(["listTemplates"]);
  // Other accounts' public templates are not listed.
  expect(await failuresOf(kind, { templateId: "elsewhere" }, context)).toEqual([]);
});

test("another resource is in a place where an endpoint may run, if it is its volume", async () => {
  const networkVolumeId = await create("/v2/network-volumes", { size: 10, dataCenter: "EU-RO-1" });
  const at = (locations: string) => failuresOf("serverlessEndpoint", { networkVolumeId, locations });
  for (const locations of ["", "EU-RO-1", "US,EU-RO-1", "RO"]) expect(await at(locations)).toEqual([]);
  const reason = (argument: string) =>
    `network volume "${networkVolumeId}" is in EU-RO-1, which ${argument} does not include. Add EU-RO-1 there, or leave ${argument} out`;
  expect(await at("US-KS-2, FR")).toEqual([{ property: "networkVolumeId", reason: reason("locations") }]);
  const args = { networkVolumes: [networkVolumeId], dataCenterIds: ["US-KS-2"] };
  expect(await failuresOf("serverlessContainer", args)).toEqual([
    { property: "networkVolumes.0", reason: reason("dataCenterIds") },
  ]);
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
  const refused = await failuresOf("serverlessEndpoint", args, context);
  expect(refused.map(({ property }) => property)).toEqual(["templateId", "networkVolumeId"]);
  // A later run learns of them as it compares them.
  const later = contextOf(emulator);
  await new Lifecycle(networkVolume, async () => later).diff(volume.id, volume.state, volume.state);
  expect(await failuresOf("serverlessEndpoint", { ...args, templateId: "elsewhere" }, later)).toHaveLength(1);
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
  expect(await failuresOf("serverlessEndpoint", { ...args, __referenced: referenced }, context)).toEqual(refused);
  expect(
    await failuresOf("serverlessEndpoint", { ...args, __referenced: { templateId: { serverless: UNKNOWN } } }, context),
  ).toEqual([]);
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
  const args = { ...BASE.serverlessEndpoint, templateId, networkVolumeId, locations: "US" };
  const lifecycle = new Lifecycle(serverlessEndpoint, async () => context);
  await service.forgetCalls();
  expect((await lifecycle.check(args, args)).failures).toEqual([]);
  expect(await lists()).toEqual([]);
  for (const operation of ["listTemplates", "listNetworkVolumes"])
    await service.fault({ match: { operation }, act: { status: 403 } });
  expect(await failuresOf("serverlessEndpoint", args)).toEqual([]);
  expect(await failuresOf("serverlessEndpoint", args)).toHaveLength(2);
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
