import { describe, expect, it } from "@jest/globals";
import { accountForAll } from "../../harness/account";
import { openEndpoint } from "./jobPlane";

const cloud = accountForAll();

const get = (path: string) => cloud.rest("GET", `/v2/catalog/${path}`);
const ids = (items: { id: string }[]) => items.map(({ id }) => id);
const ROMANIA = { id: "EU-RO-1", name: "EU Romania 1", availability: "HIGH" };
const rtx4090 = `gpus/${encodeURIComponent("NVIDIA GeForce RTX 4090")}`;
const amd = `gpus/${encodeURIComponent("AMD Instinct MI300X OAM")}`;
const ask = (path: string, query: Record<string, string>) =>
  get(`${path}?${new URLSearchParams({ include: "AVAILABILITY", product: "POD", ...query })}`);

describe("what the settings add", () => {
  const gpu = { id: "NVIDIA X1", pool: "NEXT_64", memory: 64, price: { secure: 3, community: 0 } };
  const place = {
    id: "EU-DE-1",
    country: "DE",
    region: "EUROPE" as const,
    networkVolumeTypes: ["STANDARD" as const],
    stock: { LOW: ["NEXT_64"] },
  };
  const added = accountForAll({ settings: { catalog: { gpus: [gpu], dataCenters: [place] } } });

  it("is listed, beside all else and in this emulator alone", async () => {
    const { body } = await added.rest("GET", "/v2/catalog/gpus/NVIDIA%20X1");
    expect(body).toMatchObject({ id: "NVIDIA X1", pool: "NEXT_64", secure: true, community: false });
    expect(body.price).toEqual({ secure: 3, community: 0, serverless: 3 });
    const { body: dataCenter } = await added.rest("GET", "/v2/catalog/datacenters/EU-DE-1?include=GPU_AVAILABILITY");
    expect(dataCenter).toMatchObject({ name: "EU-DE-1", region: "EUROPE", networkVolumeTypes: ["STANDARD"] });
    expect(dataCenter.gpuAvailability).toEqual([{ id: "NVIDIA X1", name: "NVIDIA X1", availability: "LOW" }]);
    expect(ids((await added.rest("GET", "/v2/catalog/gpus")).body.gpus)).toContain("NVIDIA L4");
    expect(await get("gpus/NVIDIA%20X1")).toMatchObject({ status: 404 });
    // What a PUT leaves out stays.
    await added.control("PUT", "/settings", { balance: 5000 });
    expect(await added.rest("GET", "/v2/catalog/gpus/NVIDIA%20X1")).toMatchObject({ status: 200 });
  });

  it("can be rented: by pods, endpoints and volumes, at its price", async () => {
    const pod = { name: "x", image: "repo/x:1", gpu: { id: "NVIDIA X1", count: 2 } };
    const { body } = await added.rest("POST", "/v2/pods", pod);
    expect(body).toMatchObject({ cost: 6 });
    const volume = { name: "x", size: 10, dataCenter: "EU-DE-1" };
    expect(await added.rest("POST", "/v2/network-volumes", volume)).toMatchObject({ status: 201 });
    const { workers } = await openEndpoint(added, { gpu: { pools: ["NEXT_64"] }, workers: { min: 1, max: 1 } });
    await added.advance(60_000);
    expect((await workers()).workers).toHaveLength(1);
    expect((await added.rest("GET", `/v2/pods/${body.id}`)).body).toMatchObject({ dataCenterId: "EU-DE-1" });
    await expect(get("datacenters/EU-DE-1")).resolves.toMatchObject({ status: 404 });
  });

  it("can also replace what is there, and be taken away again", async () => {
    const scarce = { ...place, id: "EU-RO-1", stock: {} };
    await added.control("PUT", "/settings", { catalog: { dataCenters: [scarce] } });
    const query = "?include=AVAILABILITY&product=POD";
    const { body } = await added.rest("GET", `/v2/catalog/${rtx4090}${query}`);
    expect(ids(body.dataCenters)).not.toContain("EU-RO-1");
    // The pod on the type that is gone is still there.
    expect((await added.rest("GET", "/v2/pods")).body.pods).toMatchObject([{ gpu: { id: "NVIDIA X1" } }]);
    const wrong = await added.control("PUT", "/settings", { catalog: { gpus: [{ id: "NVIDIA X2" }] } });
    expect(wrong).toMatchObject({ status: 422 });
  });
});

it("GPU types list every pool, with prices per cloud and no availability unless asked", async () => {
  const { status, body } = await get("gpus");
  expect(status).toBe(200);
  const pools =
    "AMPERE_16 AMPERE_24 ADA_24 ADA_32_PRO AMPERE_48 ADA_48_PRO AMPERE_80 ADA_80_PRO BLACKWELL_96 HOPPER_141 BLACKWELL_180";
  const listed = new Set(body.gpus.map(({ pool }: { pool: string | null }) => pool));
  expect(listed).toEqual(new Set([...pools.split(" "), null]));
  for (const gpu of body.gpus) {
    expect(gpu).not.toHaveProperty("availability");
    expect("serverless" in gpu.price).toBe(gpu.pool !== null);
  }
});

it("GPU types show availability by data center and CUDA version for the products that were named", async () => {
  const { body } = await ask(rtx4090, {});
  expect(body.dataCenters).toContainEqual(ROMANIA);
  expect(body.cudaVersions).toContainEqual({ version: "12.8", available: true });
  expect(body.cudaVersions).toContainEqual({ version: "12.2", available: false });
  // AMD's have none.
  expect((await ask(amd, {})).body).not.toHaveProperty("cudaVersions");
});

it.each<[path: string, query: Record<string, string>, availability: string]>([
  [rtx4090, {}, "HIGH"],
  [rtx4090, { product: "CLUSTER" }, "NONE"],
  [rtx4090, { product: "CLUSTER,POD" }, "HIGH"],
  [rtx4090, { count: "8" }, "MEDIUM"],
  [rtx4090, { count: "9" }, "NONE"],
  [rtx4090, { cloud: "COMMUNITY" }, "MEDIUM"],
  [rtx4090, { minCudaVersion: "14" }, "NONE"],
  [rtx4090, { cudaVersions: "12.2" }, "NONE"],
  ["gpus/NVIDIA%20B200", { countryCodes: "JP" }, "NONE"],
  [amd, {}, "LOW"],
  [amd, { product: "SERVERLESS" }, "NONE"],
  ["cpus/cpu5c", { vcpuCount: "4" }, "HIGH"],
  ["cpus/cpu5c", { vcpuCount: "64" }, "NONE"],
])("%s with %j has the availability %s, and data centers where it has any", async (path, query, availability) => {
  const { status, body } = await ask(path, query);
  expect([status, body.availability, "dataCenters" in body]).toEqual([200, availability, availability !== "NONE"]);
});

it("GPU types drop out of a list of other countries", async () => {
  const romania = (await ask("gpus", { countryCodes: "RO,CZ" })).body.gpus;
  expect(ids(romania)).toContain("NVIDIA GeForce RTX 4090");
  expect(ids((await ask("gpus", { countryCodes: "JP" })).body.gpus)).not.toContain("NVIDIA B200");
  const inRomania = await ask(rtx4090, { countryCodes: "RO" });
  expect(ids(inRomania.body.dataCenters)).toEqual(["EU-RO-1"]);
});

it("GPU types compare CUDA versions as numbers, exactly or from a floor on", async () => {
  const versions = async (query: Record<string, string>) =>
    (await ask(rtx4090, query)).body.cudaVersions?.map(({ version }: { version: string }) => version);
  expect(await versions({ minCudaVersion: "12.10" })).toEqual(["13.0"]);
  expect(await versions({ minCudaVersion: "12.8" })).toEqual(["12.8", "12.9", "13.0"]);
  expect(await versions({ minCudaVersion: "13" })).toEqual(["13.0"]);
  expect(await versions({ cudaVersions: "12.4,12.6" })).toEqual(["12.4", "12.6"]);
  expect((await ask("gpus/NVIDIA%20B200", {})).body.cudaVersions[0].version).toBe("12.8");
});

const NAMED = "include=AVAILABILITY&product=POD";
it.each<[status: number, path: string, query: string, detail?: string]>([
  [400, "gpus", "include=AVAILABILITY", "include=AVAILABILITY requires product"],
  [400, "gpus", "include=AVAILABILITY&product=", "requires product"],
  [400, "gpus", "product=POD", "product requires include=AVAILABILITY"],
  [400, "gpus", "count=2", "count requires include=AVAILABILITY"],
  [400, "gpus", "countryCodes=RO", "countryCodes requires include=AVAILABILITY"],
  [400, "gpus", `${NAMED}&cudaVersions=12.8&minCudaVersion=12`, "cudaVersions and minCudaVersion are"],
  [200, "gpus", "count=1"],
  [200, "gpus", "include=&countryCodes="],
  [200, "gpus", `${NAMED}&count=99999999999999999999`],
  [200, "gpus", `${NAMED}&cudaVersions=&minCudaVersion=12.4`],
  [422, "gpus", "include=AVAILABILITY,AVAILABILITY&product=POD"],
  [422, "gpus", "include=AVAILABILITY&product=TRAIN"],
  [422, "gpus", `${NAMED}&count=0`],
  [422, "gpus", `${NAMED}&count=many`],
  [422, "gpus", `${NAMED}&cloud=ALL`],
  [422, "gpus", `${NAMED}&countryCodes=ro`],
  [422, "gpus", `${NAMED}&cudaVersions=12`],
  [422, "gpus", `${NAMED}&minCudaVersion=twelve`],
  [400, "cpus", "include=AVAILABILITY", "requires product"],
  [400, "cpus", "vcpuCount=4", "vcpuCount requires include=AVAILABILITY"],
  [400, "cpus", `${NAMED}&vcpuCount=6`, "power of two"],
  [422, "cpus", `${NAMED}&vcpuCount=1`],
  [422, "cpus", "include=AVAILABILITY&product=CLUSTER"],
  [422, "datacenters", "networkVolumeTypes=TAPE"],
  [422, "datacenters", "compliance=NONE"],
  [422, "datacenters", "globalNetwork=yes"],
])("queries of the catalog are answered with %s for %s?%s", async (status, path, query, detail = "") => {
  const one = { gpus: rtx4090, cpus: "cpus/cpu5c" }[path];
  for (const each of one === undefined ? [path] : [path, one]) {
    const answer = await get(`${each}?${query}`);
    expect(answer.status).toBe(status);
    if (detail !== "") expect(answer.body.detail).toMatch(detail);
    // Only what breaks the schema is listed.
    expect("errors" in answer.body).toBe(status === 422);
  }
});

it("CPU flavors are listed with vCPU range, memory and both prices", async () => {
  const { body } = await get("cpus");
  expect(ids(body.cpus)).toEqual(expect.arrayContaining(["cpu3c", "cpu3g", "cpu3m", "cpu5c"]));
  expect((await get("cpus/cpu5c")).body).toEqual({
    id: "cpu5c",
    name: "Compute-Optimized",
    group: "Gen 5",
    vcpu: { min: 2, max: 32 },
    ramGbPerVcpu: 2,
    price: { securePerVcpu: expect.any(Number), serverlessPerVcpu: expect.any(Number) },
  });
  expect((await get("cpus/cpu9z")).status).toBe(404);
  expect((await ask("cpus/cpu5c", { vcpuCount: "4" })).body.dataCenters).toContainEqual(ROMANIA);
});

it("Data centers are those of the vendor's examples, and show stock only when asked", async () => {
  const { body } = await get("datacenters");
  const named = "US-CA-2 US-KS-2 US-TX-3 EU-RO-1 US-OR-1 US-CA-1 CA-MTL-2 CA-MTL-3 EUR-IS-2 AP-IN-2 SEA-SG-1";
  expect(ids(body.dataCenters)).toEqual(expect.arrayContaining(named.split(" ")));
  expect(body.dataCenters[0]).not.toHaveProperty("gpuAvailability");
  const romania = await get("datacenters/EU-RO-1?include=GPU_AVAILABILITY,CPU_AVAILABILITY");
  const rtx = { id: "NVIDIA GeForce RTX 4090", name: "RTX 4090", availability: "HIGH" };
  expect(romania.body.gpuAvailability).toContainEqual(rtx);
  expect(ids(romania.body.cpuAvailability)).toContain("cpu5c");
  // Without any CPU flavor.
  const australia = (await get("datacenters/OC-AU-1?include=CPU_AVAILABILITY,GPU_AVAILABILITY")).body;
  expect(australia).not.toHaveProperty("cpuAvailability");
  expect(australia.gpuAvailability).not.toHaveLength(0);
  expect((await get("datacenters/EU-XX-9")).status).toBe(404);
});

it("Data centers are filtered by any region, by every volume tier and certificate, and by all filters together", async () => {
  const listed = async (query: string) => ids((await get(`datacenters?${query}`)).body.dataCenters);
  expect(await listed("regions=ASIA,OCEANIA")).toEqual(["AP-JP-1", "OC-AU-1", "AP-IN-2", "SEA-SG-1"]);
  expect(await listed("networkVolumeTypes=STANDARD,HIGH_PERFORMANCE")).toEqual(["US-KS-2", "EU-RO-1", "EUR-IS-1"]);
  expect(await listed("compliance=GDPR,ISO_IEC_27001")).toEqual(["EU-RO-1"]);
  expect(await listed("regions=EUROPE&globalNetwork=false")).toEqual(["EU-FR-1", "EU-SE-1", "EUR-IS-2"]);
  expect(await listed("regions=AFRICA")).toEqual([]);
});

it("Public templates come from one source at a time, official unless told", async () => {
  const official = (await get("templates")).body.templates;
  expect(official).toEqual((await get("templates?source=official")).body.templates);
  const sources = ["official", "verified", "community"];
  const answers = await Promise.all(sources.map((source) => get(`templates?source=${source}`)));
  const all = answers.flatMap(({ body }) => body.templates);
  expect(new Set(ids(all)).size).toBe(all.length);
  for (const template of all) expect(template.registry).toBeNull();
});

it("Public templates can be read by anyone, changed by nobody, and are not among one's own", async () => {
  const [template] = (await get("templates")).body.templates;
  const path = `/v2/templates/${template.id}`;
  expect((await cloud.rest("GET", path)).body).toEqual(template);
  expect((await cloud.rest("PATCH", path, { name: "mine now" })).status).toBe(404);
  expect((await cloud.rest("DELETE", path)).status).toBe(404);
  expect((await cloud.rest("GET", "/v2/templates")).body.templates).toEqual([]);
});
