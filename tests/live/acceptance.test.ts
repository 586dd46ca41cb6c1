// @long: every kind's life.
/*
 * Every kind's life on one account, with the cheapest choice there is. Runs before the emulator with all other tests, and on
 * the account of the environment with `TEST_LIVE=true`, for some cents.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { z } from "zod";
import { factsOf } from "../../provider/lifecycle/fields/fields";
import { definitions } from "../../provider/resources";
import { newStack, type Stack } from "../../tools/run/stack";
import type { Update } from "../../tools/run/update";
import { programOf, type Resources } from "../harness/program";

import { type Account, openAccount } from "./account";

/** Kinds that are not taken through a life here. */
const LEFT_OUT: { readonly [Kind in keyof typeof definitions]?: string } = {
  cluster: "the smallest costs tens of dollars an hour",
  sshKeys: "there is one list an account, and it is somebody's",
  ecrDelegation: "it takes a role at another cloud",
  smokeRequest: "it takes a web server; SmokeJob tries the same worker",
  costCenter: "an older service deletes none: each run could leave another for ever",
};

const ours = "the service doesn't see it";
const mayBeRefused = "an older service refuses an endpoint with one";
const mayStartWorkers = "workers could be started, or got ready";
/** Arguments that update in place, and stay here as they are. */
const KEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Pod: {
    entrypoint: "it has args",
    cmd: "it has args",
    registry: "made-up credentials pull no image",
    templateId: "it would take the place of all that is changed",
    templateRevision: ours,
    gpu: "pods with a GPU cost more",
    globalNetworking: "it takes a GPU",
    mounts: "a persistent disk takes a GPU, and a volume a free machine in its data center",
    locked: "a run that fails would leave a pod that refuses to be deleted",
  },
  ServerlessContainer: {
    args: "it has entrypoint and cmd",
    templateId: "it would take the place of all that is changed",
    templateRevision: ours,
    cpu: "an endpoint has either GPUs or CPUs",
    globalVolumes: mayBeRefused,
  },
  ServerlessEndpoint: {
    templateId: "Template gives it",
    globalVolumeId: mayBeRefused,
    models: "the service does not show it as it was sent, so that nothing could be compared",
    templateRevision: ours,
    workersMin: mayStartWorkers,
    workersMax: mayStartWorkers,
  },
  ServerlessFleet: { released: "what is released is left behind" },
  Template: {
    serverless: "a template for endpoints can't become one for pods while it is used",
    public: "everybody would see it",
  },
};
/** Any of its arguments runs another job, and its worker costs most of all. */
const UNCHANGED = new Set(["SmokeJob"]);

/** A worker whose results are as large as its input says, on a public image: some seconds of the cheapest GPU. */
const WORKER = {
  image: "python:3.12-slim",
  entrypoint: ["/bin/sh", "-c"],
  cmd: [
    "pip install --quiet runpod && " +
      `exec python -c 'import runpod; runpod.serverless.start({"handler": lambda job: "x" * job["input"]["bytes"]})'`,
  ],
};
const GPUS = "AMPERE_16";

/** @param step 0: as it is made; 1: each updatable argument is another; 2: what can't be updated is another, too */
const program = (step: 0 | 1 | 2, { prefix, dataCenter }: Account): Resources => {
  const [isChanged, isReplaced] = [step > 0, step > 1];
  const renamed = (name: string) => `${prefix}${name}${isChanged ? "-renamed" : ""}`;
  const replaced = (name: string) => `${prefix}${name}${isReplaced ? "-2" : ""}`;
  const container = {
    image: isChanged ? "busybox:1.37" : "busybox:1.36",
    disk: isChanged ? 6 : 5,
    env: { STEP: isChanged ? "one" : "none" },
    ports: isChanged ? ["8080/http"] : ["8081/http", "22/tcp"],
  };
  const credentials = isChanged ? { registry: "$registry.id" } : {};
  const shell = { args: isChanged ? "sleep 3601" : "sleep 3600" };
  const words = { entrypoint: [isChanged ? "/bin/ash" : "/bin/sh"], cmd: ["-c", isChanged ? "sleep 60" : "sleep 30"] };
  return {
    registry: {
      kind: "Registry",
      args: {
        name: replaced("registry"),
        username: isChanged ? "other" : "nobody",
        password: isChanged ? "$secret:other-password" : "$secret:not-a-password",
      },
    },
    worker: {
      kind: "Template",
      args: { name: `${prefix}worker`, ...container, ...words, ...credentials, serverless: true },
    },
    machine: {
      kind: "Template",
      args: {
        name: renamed("machine"),
        ...container,
        ...credentials,
        ...shell,
        mounts: { persistent: { size: isChanged ? 11 : 10, path: "/data" } },
        category: isChanged ? "CPU" : "NVIDIA",
        startSsh: !isChanged,
        startJupyter: !isChanged,
        allowedCudaVersions: isChanged ? [] : ["12.8"],
      },
    },
    secret: {
      kind: "Secret",
      args: {
        name: replaced("secret"),
        value: isChanged ? "$secret:two" : "$secret:one",
        description: isChanged ? "two" : "one",
      },
    },
    volume: { kind: "NetworkVolume", args: { name: renamed("volume"), size: isChanged ? 11 : 10, dataCenter } },
    everywhere: { kind: "GlobalVolume", args: { name: renamed("everywhere") } },
    endpoint: {
      kind: "ServerlessEndpoint",
      args: {
        name: renamed("endpoint"),
        template: "$worker",
        gpuIds: isChanged ? "AMPERE_24" : GPUS,
        gpuCount: isChanged ? 2 : 1,
        workersMax: 0,
        idleTimeout: isChanged ? 6 : 5,
        flashBootType: isChanged ? "FLASHBOOT" : "OFF",
        ...(isChanged && { locations: dataCenter, networkVolumeId: "$volume.id" }),
      },
    },
    scaled: {
      kind: "ServerlessEndpoint",
      args: {
        name: `${prefix}scaled`,
        template: "$worker",
        gpuIds: GPUS,
        workersMax: 0,
        scalerType: isChanged ? "REQUEST_COUNT" : "QUEUE_DELAY",
        scalerValue: isChanged ? 2 : 4,
      },
    },
    container: {
      kind: "ServerlessContainer",
      args: {
        name: renamed("container"),
        type: "QUEUE",
        ...container,
        ...credentials,
        ...words,
        gpu: { pools: [isChanged ? "AMPERE_24" : GPUS] },
        workers: { max: 0, idleTimeout: isChanged ? 6 : 5 },
        scaling: { type: "QUEUE_DELAY", queueDelay: isChanged ? 5 : 4 },
        timeout: isChanged ? 60_000 : 300_000,
        flashboot: isChanged ? "FLASHBOOT" : "OFF",
        ...(isChanged && { dataCenterIds: [dataCenter], networkVolumes: ["$volume.id"] }),
      },
    },
    fleet: {
      kind: "ServerlessFleet",
      args: {
        defaults: { gpuIds: GPUS, workersMax: 0, idleTimeout: isChanged ? 6 : 5 },
        endpoints: { member: { name: `${prefix}member`, image: container.image, disk: container.disk } },
      },
    },
    tag: {
      kind: "Tag",
      args: {
        key: renamed("tag"),
        value: isChanged ? "two" : "one",
        resources: [{ type: "SERVERLESS_ENDPOINT", id: isChanged ? "$container.id" : "$scaled.id" }],
      },
    },
    pod: {
      kind: "Pod",
      args: {
        name: renamed("pod"),
        ...container,
        ...shell,
        cpu: { id: "cpu3c", vcpuCount: isReplaced ? 4 : 2 },
        desiredStatus: step === 1 ? "EXITED" : "RUNNING",
      },
    },
    served: {
      kind: "ServerlessContainer",
      args: {
        name: `${prefix}served`,
        type: "QUEUE",
        ...WORKER,
        gpu: { pools: [GPUS] },
        workers: { max: 1 },
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      },
    },
    job: { kind: "SmokeJob", args: { endpointId: "$served.id", input: { bytes: 4 }, expect: { output: "xxxx" } } },
    // #result-too-large of docs/service.md: it passes where the service drops the result.
    dropped: {
      kind: "SmokeJob",
      args: { endpointId: "$served.id", input: { bytes: 12_000_000 }, expect: { schema: { not: { type: "string" } } } },
    },
  };
};

/** The arguments of a kind that an update changes in place; what steers the provider is not among them. */
const argumentsInPlace = (inputs: { readonly shape: Readonly<Record<string, z.ZodType>> }): string[] =>
  Object.entries(inputs.shape)
    .filter(([, schema]) => {
      const { replaces, control } = factsOf(schema);
      return replaces !== "any" && control === undefined;
    })
    .map(([name]) => name);

const argumentOf = (resources: Resources, name: string, argument: string): unknown =>
  new Map(Object.entries(resources[name]?.args ?? {})).get(argument);

/** What a run does, such as `update volume`. */
const changesIn = ({ steps }: Update): string[] =>
  steps
    .filter(({ op }) => op !== "same" && op !== "refresh")
    .map(({ op, name }) => `${op} ${name}`)
    .toSorted();

let account: Account;
let stack: Stack;
let folder: string;
let before: Awaited<ReturnType<Account["others"]>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "acceptance-"));
  account = await openAccount(randomBytes(4).toString("hex"), folder);
  before = await account.others();
  stack = await newStack({ program: programOf(program(0, account)), emulator: account.addresses });
});
afterAll(async () => {
  // A step that failed may have left something.
  await account.clean();
  await account[Symbol.asyncDispose]();
  await stack.remove();
  await rm(folder, { recursive: true });
});

test("every kind has a life, or a reason to have none", () => {
  const lived = new Set(Object.values(program(0, account)).map(({ kind }) => kind));
  const kinds = Object.entries(definitions).map(([name, { kind }]) => [name, kind] as const);
  expect(kinds.filter(([name, kind]) => lived.has(kind) === name in LEFT_OUT)).toEqual([]);
});

test("every argument that updates in place changes, or has a reason not to", () => {
  const [first, second] = [program(0, account), program(1, account)];
  for (const { kind, inputs } of Object.values(definitions)) {
    const names = Object.keys(first).filter((name) => first[name]?.kind === kind);
    if (names.length === 0 || UNCHANGED.has(kind)) continue;
    const isUnchanged = (argument: string) =>
      names.every((name) => isDeepStrictEqual(argumentOf(first, name, argument), argumentOf(second, name, argument)));
    const unchangedArguments = argumentsInPlace(inputs).filter(isUnchanged);
    expect({ kind, kept: unchangedArguments.toSorted() }).toEqual({
      kind,
      kept: Object.keys(KEPT[kind] ?? {}).toSorted(),
    });
  }
});

// Each step begins where the one before it has ended.
const unchanged = async () => {
  expect(changesIn(await stack.preview())).toEqual([]);
  expect(changesIn(await stack.preview({ args: ["--refresh"] }))).toEqual([]);
};
const changesOf = async (step: 1 | 2) => {
  await stack.edit(programOf(program(step, account)));
  return changesIn(await stack.up());
};

test("a life begins, and stays as it is, also after a refresh", async () => {
  await stack.up();
  await unchanged();
});

test("a life goes on with other arguments, in place", async () => {
  const unaffected = ["job", "dropped", "served"];
  const updated = Object.keys(program(1, account)).filter((name) => !unaffected.includes(name));
  expect(await changesOf(1)).toEqual(updated.map((name) => `update ${name}`).toSorted());
  await unchanged();
});

test("a life is replaced where it can't be changed in place", async () => {
  const replaced = (await changesOf(2)).filter((change) => change.startsWith("replace "));
  expect(replaced).toEqual(["replace pod", "replace registry", "replace secret"]);
  await unchanged();
});

test("a life ends, and leaves nothing; what was there before is as it was", async () => {
  await stack.destroy();
  expect(await account.others()).toEqual(before);
  expect(await account.clean()).toBe(0);
});
