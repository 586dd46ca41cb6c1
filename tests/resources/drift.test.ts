/* Whatever a program declares and the service can change shows as a difference once somebody has changed it there. */
import { beforeAll, expect, test } from "@jest/globals";
import type { z } from "zod";
import { COMMON_INPUTS } from "../../provider/lifecycle/definition";
import { factsOf } from "../../provider/lifecycle/fields/fields";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { differences } from "../../provider/lifecycle/plan/diff";
import { definitions } from "../../provider/resources";
import { emulatorForAll } from "../harness/account";
import { contextOf, createResource } from "../harness/context";
import { operationsOf } from "../harness/examples";
import { actOnPod, endpoint, volume } from "../harness/requests";

type Kind = keyof typeof definitions;

const { emulator, service } = emulatorForAll();
let registry: string;
let other: string;
let templates: [string, string];

beforeAll(async () => {
  registry = await service.create("/v2/registries", { name: "one", username: "u", password: "p" });
  other = await service.create("/v2/registries", { name: "two", username: "u", password: "p" });
  const serverless = { image: "i:1", serverless: true };
  templates = [
    await service.create("/v2/templates", { name: "t1", ...serverless }),
    await service.create("/v2/templates", { name: "t2", ...serverless }),
  ];
});

const CONTAINER = ["image", "args", "entrypoint", "cmd", "disk", "ports", "env", "mounts"];
/** Fields that nobody can change on a resource that exists. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  NetworkVolume: ["dataCenter", "type"],
  ServerlessEndpoint: ["type"],
  ServerlessContainer: ["type", "cpu"],
  Pod: ["gpu", "cpu", "cloud"],
  Cluster: ["type", "compute", "templateId", ...CONTAINER, "dataCenterIds", "startSsh", "startJupyter"],
  Registry: ["name"],
  EcrDelegation: ["name", "resource"],
  Secret: ["name"],
};

/**
 * Declares, lets somebody change all that can be changed, and reads. An update then brings back what was declared, unless it shrank.
 *
 * @returns the arguments in which the state then differs from the program
 */
async function drifted(name: Kind, declared: Properties, change: (id: string) => Promise<unknown>): Promise<string[]> {
  const context = contextOf(emulator);
  const lifecycle = operationsOf(name, async () => context);
  const { inputs, id, state } = await createResource(lifecycle, declared);
  const differing = (recorded: Properties = {}) => differences(lifecycle.definition.inputs, recorded, inputs);
  expect(differing((await lifecycle.read(id, state))?.state)).toEqual([]);
  await change(id);
  const refreshed = (await lifecycle.read(id, state))?.state ?? {};
  const drift = differing(refreshed);
  if (drift.every(({ replaces, facts }) => !replaces && facts.growsOnly === undefined)) {
    const updated = await lifecycle.update(id, refreshed, inputs);
    expect(differing((await lifecycle.read(id, updated))?.state)).toEqual([]);
  }
  return [...new Set(drift.map(({ field }) => field))].sort();
}

/** The arguments that a read can show changed. */
function changeable(name: Kind): string[] {
  const { kind, inputs }: { kind: string; inputs: z.ZodObject } = definitions[name];
  return (
    Object.entries(inputs.shape)
      .filter(([, field]) => !factsOf(field).writeOnly && !factsOf(field).control)
      .map(([name]) => name)
      // A command is declared in one form: command.test.ts shows the drift of the other.
      .filter((name) => name !== "entrypoint" && name !== "cmd")
      .filter((name) => !(name in COMMON_INPUTS) && !FIXED[kind]?.includes(name))
      .sort()
  );
}

/** Somebody changes it in the console. */
const patch = (path: string, body: object) => (id: string) => service.rest("PATCH", `/v2/${path}/${id}`, body);

const networkVolumeOf = (name: string) => service.create("/v2/network-volumes", volume(name));
const everywhere = () => service.create("/v2/global-volumes", { name: "everywhere" });
const attachedVolume = async (name: string) => ({ type: "NETWORK_VOLUME", id: await networkVolumeOf(name) });
const detach = async (path: string, { type, id }: { type: string; id: string }) =>
  service.rest("DELETE", `${path}/resources/${type}/${id}`);

const container = () => ({ image: "i:1", args: "a", disk: 20, ports: ["80/http"], env: { A: "1" }, registry });
const another = () => ({ image: "i:2", args: "b", disk: 30, ports: ["81/http"], env: { A: "2" }, registry: other });
const otherwise = {
  public: true,
  category: "AMD",
  startSsh: false,
  startJupyter: false,
  allowedCudaVersions: ["12.4"],
};
const mountedAt = (path: string, size: number) => ({ persistent: { size, path } });
const withoutGlobal = patch("serverless", { mounts: { global: [] } });

/** What is declared, what somebody then changes, and in which arguments alone that shows. */
type Case = readonly [declared: Properties, change: (id: string) => Promise<unknown>, alone?: readonly string[]];

/** Cases in which all arguments that can change do; by kind, so that the compiler asks for each. A text says why there is none. */
const cases: Readonly<Record<Kind, (() => Promise<readonly Case[]>) | string>> = {
  template: async () => [
    [
      { name: "t", ...container(), mounts: mountedAt("/a", 10) },
      patch("templates", { name: "renamed", ...another(), mounts: mountedAt("/b", 20), ...otherwise }),
    ],
    // Storage of pods and serverless workers exclude each other.
    [{ name: "flat", ...container() }, patch("templates", { serverless: true }), ["serverless"]],
  ],

  globalVolume: async () => [[{ name: "g" }, patch("global-volumes", { name: "renamed" })]],

  networkVolume: async () => [
    [{ name: "v", size: 10, dataCenter: "EU-RO-1" }, patch("network-volumes", { name: "renamed", size: 20 })],
  ],

  serverlessEndpoint: async () => {
    const [templateId, templateId2] = templates;
    const declared = {
      name: "endpoint",
      templateId,
      gpuIds: "ADA_24",
      networkVolumeId: await networkVolumeOf("a"),
      workersMax: 3,
      flashBootType: "OFF",
      models: ["https://huggingface.co/acme/llama:main"],
    };
    const input = {
      name: "renamed",
      templateId: templateId2,
      gpuIds: "AMPERE_16",
      gpuCount: 2,
      locations: "EU-RO-1",
      networkVolumeId: await networkVolumeOf("b"),
      idleTimeout: 20,
      scalerType: "REQUEST_COUNT",
      scalerValue: 9,
      workersMin: 1,
      workersMax: 5,
      flashBootType: "FLASHBOOT",
      modelReferences: ["https://huggingface.co/acme/bert:main"],
    };
    const second = await service.create("/v2/network-volumes", { name: "d", size: 10, dataCenter: "US-KS-2" });
    const networkVolumes = [declared.networkVolumeId, second];
    const global = { name: "global", templateId, gpuIds: "ADA_24", globalVolumeId: await everywhere() };
    return [
      [declared, (id) => service.saveEndpoint({ ...input, id })],
      [{ ...declared, name: "two" }, patch("serverless", { networkVolumes }), ["networkVolumeId"]],
      // It can't be declared beside a network volume.
      [global, withoutGlobal, ["globalVolumeId"]],
    ];
  },

  serverlessContainer: async () => {
    const declared = { ...endpoint("endpoint"), ...container(), workers: { max: 3 }, flashboot: "OFF" };
    const change = patch("serverless", {
      name: "renamed",
      ...another(),
      gpu: { pools: ["ADA_24"] },
      workers: { min: 1, max: 5, idleTimeout: 20 },
      scaling: { type: "QUEUE_DELAY", queueDelay: 5 },
      dataCenterIds: ["EU-RO-1"],
      networkVolumes: [await networkVolumeOf("c")],
      timeout: 1_000,
      flashboot: "FLASHBOOT",
    });
    const global = { ...declared, name: "global", globalVolumes: [await everywhere()] };
    return [
      [declared, change],
      [global, withoutGlobal, ["globalVolumes"]],
    ];
  },

  pod: async () => {
    const declared = { name: "pod", ...container(), gpu: { id: "NVIDIA L4" }, mounts: mountedAt("/a", 10) };
    const change = async (id: string) => {
      const mounts = mountedAt("/b", 20);
      await service.rest("PATCH", `/v2/pods/${id}`, { name: "renamed", ...another(), mounts, globalNetworking: true });
      // The global network changes with the next start, once the pod runs.
      for (const action of ["stop", "start", "stop"] as const) await actOnPod(service, id, action);
      await service.rest("PATCH", `/v2/pods/${id}`, { locked: true });
    };
    return [[{ ...declared, dataCenterIds: ["EU-RO-1"] }, change]];
  },

  cluster: async () => {
    const compute = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 };
    return [[{ name: "cluster", type: "TRAINING", compute, image: "i:1" }, patch("clusters", { name: "renamed" })]];
  },

  secret: async () => [
    [{ name: "token", value: "hush", description: "mine" }, patch("account/secrets", { description: "other" })],
  ],

  tag: async () => {
    const resource = await attachedVolume("tagged");
    const change = async (id: string) => {
      await service.rest("PATCH", `/v2/tags/${id}`, { key: "owner", value: "other" });
      await detach(`/v2/tags/${id}`, resource);
    };
    return [[{ key: "team", value: "mine", resources: [resource] }, change]];
  },

  costCenter: async () => {
    const resource = await attachedVolume("attributed");
    const change = async (id: string) => {
      await service.rest("PATCH", `/v2/cost-centers/${id}`, { value: "renamed" });
      await detach(`/v2/cost-centers/${id}`, resource);
    };
    return [[{ value: "research", resources: [resource] }, change]];
  },

  sshKeys: async () => {
    const change = () => service.rest("PUT", "/v2/account/ssh-keys", { keys: ["ssh-ed25519 AAAA other"] });
    return [[{ keys: ["ssh-ed25519 AAAA mine"] }, change]];
  },

  // Nobody can change them: `FIXED` names all that is not written only.
  registry: async () => [],
  ecrDelegation: async () => [],

  serverlessFleet: "its members are ServerlessEndpoints and Templates; tests/lifecycle/serverlessFleet.test.ts",
  smokeJob: "a job that is over does not change",
  smokeRequest: "an answer that came does not change",
};

test.each(Object.values<{ kind: string; inputs: z.ZodObject }>(definitions))(
  "what nobody can change replaces the resource, of kind $kind",
  ({ kind, inputs }) =>
    expect((FIXED[kind] ?? []).filter((name) => factsOf(inputs.shape[name]).replaces === undefined)).toEqual([]),
);

// finds mutant refresh-sees-nothing
test.each(
  Object.entries(cases).flatMap(([name, kind]) => (typeof kind === "string" ? [] : [[name as Kind, kind] as const])),
)("every declared argument shows when it was changed in the console, of kind %s", async (name, casesOf) => {
  const differing: string[] = [];
  for (const [declared, change, alone] of await casesOf()) {
    const fields = await drifted(name, declared, change);
    if (alone !== undefined) expect(fields).toEqual(alone);
    differing.push(...fields);
  }
  expect([...new Set(differing)].sort()).toEqual(changeable(name));
});
