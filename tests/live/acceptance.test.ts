/*
 * Every kind's life on one account, with the cheapest choice there is. Runs before the emulator with all other tests, and on
 * the account of the environment with `npm run test:live`, for some cents.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { definitions } from "../../provider/resources";
import { programOf, type Resources } from "../harness/scenario";
import { newStack, type Stack } from "../harness/stack";
import type { Update } from "../harness/update";
import { type Account, openAccount } from "./account";

/** Kinds that are not taken through a life here. */
const LEFT_OUT: { readonly [Kind in keyof typeof definitions]?: string } = {
  cluster: "the smallest costs tens of dollars an hour",
  sshKeys: "there is one list an account, and it is somebody's",
  ecrDelegation: "it takes a role at another cloud",
  serverlessFleet: "its members are ServerlessEndpoints",
  globalVolume: "what an empty one costs is not known",
  tag: "no page that was read shows its path",
  costCenter: "no page that was read shows its path",
};

/** A worker's image that answers any input; on an account a public one, without which no job is run. */
const WORKER = process.env.TEST_LIVE === "true" ? process.env.TEST_LIVE_IMAGE : "emulator/echo:1";
const GPUS = "AMPERE_16";

/** @param step 0: as it is made; 1: each updatable argument is another; 2: what can't be updated is another, too */
const program = (step: 0 | 1 | 2, { prefix, dataCenter }: Account): Resources => {
  const [isChanged, isReplaced] = [step > 0, step > 1];
  const image = isChanged ? "busybox:1.37" : "busybox:1.36";
  const container = { image, disk: isChanged ? 6 : 5, env: { STEP: isChanged ? "one" : "none" } };
  return {
    worker: { kind: "Template", args: { name: `${prefix}worker`, ...container, serverless: true } },
    machine: {
      kind: "Template",
      args: {
        name: `${prefix}machine${step > 0 ? "-renamed" : ""}`,
        ...container,
        args: isChanged ? "sleep 60" : "sleep 30",
        ports: isChanged ? ["8080/http"] : ["8081/http", "22/tcp"],
        startJupyter: !isChanged,
      },
    },
    registry: {
      kind: "Registry",
      args: {
        name: `${prefix}registry${isReplaced ? "-2" : ""}`,
        username: isChanged ? "other" : "nobody",
        password: isChanged ? "$secret:other-password" : "$secret:not-a-password",
      },
    },
    secret: {
      kind: "Secret",
      args: {
        name: `${prefix}secret${isReplaced ? "-2" : ""}`,
        value: isChanged ? "$secret:two" : "$secret:one",
        description: isChanged ? "two" : "one",
      },
    },
    volume: {
      kind: "NetworkVolume",
      args: { name: `${prefix}volume${isChanged ? "-renamed" : ""}`, size: isChanged ? 11 : 10, dataCenter },
    },
    endpoint: {
      kind: "ServerlessEndpoint",
      args: {
        name: `${prefix}endpoint`,
        template: "$worker",
        gpuIds: GPUS,
        workersMax: 0,
        idleTimeout: isChanged ? 6 : 5,
        scalerValue: isChanged ? 5 : 4,
      },
    },
    container: {
      kind: "ServerlessContainer",
      args: {
        name: `${prefix}container`,
        type: "QUEUE",
        ...container,
        gpu: { pools: [GPUS] },
        workers: { max: 0, idleTimeout: isChanged ? 6 : 5 },
        scaling: { type: "QUEUE_DELAY", queueDelay: isChanged ? 5 : 4 },
      },
    },
    pod: {
      kind: "Pod",
      args: {
        name: `${prefix}pod${isChanged ? "-renamed" : ""}`,
        ...container,
        args: "sleep 3600",
        cpu: { id: "cpu3c", vcpuCount: isReplaced ? 4 : 2 },
      },
    },
    ...(WORKER !== undefined && {
      served: {
        kind: "ServerlessContainer",
        args: {
          name: `${prefix}served`,
          type: "QUEUE",
          image: WORKER,
          gpu: { pools: [GPUS] },
          workers: { max: 1 },
          scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
        },
      },
      job: { kind: "SmokeJob", args: { endpointId: "$served.id", input: { prompt: "ping" } } },
    }),
  };
};

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

// Each step begins where the one before it has ended.
describe("a life", () => {
  const unchanged = async () => {
    expect(changesIn(await stack.preview())).toEqual([]);
    expect(changesIn(await stack.preview({ args: ["--refresh"] }))).toEqual([]);
  };
  const changesOf = async (step: 1 | 2) => {
    await stack.edit(programOf(program(step, account)));
    return changesIn(await stack.up());
  };

  test("begins, and stays as it is, also after a refresh", async () => {
    await stack.up();
    await unchanged();
  });

  test("goes on with other arguments, in place", async () => {
    const kept = ["job", "served"];
    const updated = Object.keys(program(1, account)).filter((name) => !kept.includes(name));
    expect(await changesOf(1)).toEqual(updated.map((name) => `update ${name}`).toSorted());
    await unchanged();
  });

  test("is replaced where it can't be changed in place", async () => {
    const replaced = (await changesOf(2)).filter((change) => change.startsWith("replace "));
    expect(replaced).toEqual(["replace pod", "replace registry", "replace secret"]);
    await unchanged();
  });

  test("ends, and leaves nothing; what was there before is as it was", async () => {
    await stack.destroy();
    expect(await account.others()).toEqual(before);
    expect(await account.clean()).toBe(0);
  });
});
