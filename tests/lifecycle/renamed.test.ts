/* An argument was renamed: programs and states of before go on. */
import { beforeEach, expect, jest, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { RunAccount } from "../../provider/engine/account";
import { HostedOperations } from "../../provider/engine/hostedOperations";
import type { EngineContext } from "../../provider/engine/operations";
import { secretTexts } from "../../provider/engine/secrecy";
import { deprecates } from "../../provider/lifecycle/fields";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { withNewNames } from "../../provider/lifecycle/newNames";
import { registry } from "../../provider/resources/account/registry";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { classes } from "../../provider/schema/classes";
import { packageSchema } from "../../provider/schema/packageSchema";
import { ComputeCloudResource } from "../../sdk/internal/resource";
import { contextOf } from "../harness/context";
import { Control } from "../harness/control";
import { emulatorForAll } from "../harness/forAll";

const volume = {
  ...networkVolume,
  inputs: networkVolume.inputs.extend({ size: deprecates("sizeGb", networkVolume.inputs.shape.size) }),
};
const credentials = {
  ...registry,
  inputs: registry.inputs.extend({ password: deprecates("token", registry.inputs.shape.password) }),
};
const VOLUME = { name: "models", dataCenter: "EU-RO-1" };

const { emulator } = emulatorForAll();
const warnings: string[] = [];
beforeEach(() => {
  warnings.length = 0;
});

function volumes() {
  const context = contextOf(emulator);
  const log = { ...context.log, warn: (message: string) => warnings.push(message) };
  const account = new RunAccount(context.client, context.settings, log, context.signal);
  const heard: EngineContext = { ...context, log, account };
  const connect = async () => heard;
  return new HostedOperations(new Lifecycle(volume, connect), connect);
}

test("a program with the old name works, and is told the new one", async () => {
  const { inputs, failures } = await volumes().check({}, { ...VOLUME, sizeGb: 10 });
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({ ...VOLUME, size: 10 });
  expect(inputs).not.toHaveProperty("sizeGb");
  expect(warnings).toEqual([
    "NetworkVolume: the argument sizeGb is called size now. A later version removes the old name.",
  ]);
});

test("both names are one too many", async () => {
  expect((await volumes().check({}, { ...VOLUME, size: 10, sizeGb: 20 })).failures).toEqual([
    { property: "sizeGb", reason: "is the old name of size: give only size" },
  ]);
});

test("a state with the old name shows no difference, is updated, read and deleted", async () => {
  const service = new Control(emulator);
  const { id } = (await service.rest("POST", "/v2/network-volumes", { ...VOLUME, size: 10 })) as { id: string };
  const state = { ...VOLUME, sizeGb: 10 };
  const { inputs } = await volumes().check(state, { ...VOLUME, sizeGb: 10 });
  expect(await volumes().diff(id, state, inputs)).toMatchObject({ changes: false, replaces: [] });
  expect(await volumes().read(id, state)).toMatchObject({ inputs: { size: 10 }, state: { size: 10 } });
  expect(await volumes().diff(id, state, { ...inputs, size: 20 })).toMatchObject({ changes: true, replaces: [] });
  expect(await volumes().update(id, state, { ...inputs, size: 20 })).toMatchObject({ size: 20 });
  await volumes().delete(id, state);
  expect((await service.state()).networkVolumes).toEqual([]);
});

test("arguments without old names are not copied", () => {
  expect(withNewNames(networkVolume.inputs, VOLUME)).toBe(VOLUME);
});

test("names are found at any depth, in lists and maps", () => {
  const member = z.object({ gpu: z.object({ count: deprecates("number", z.int()) }).optional() });
  const schema = z.object({ list: z.array(member), members: z.record(z.string(), member) });
  const found: string[] = [];
  const given = { list: [{ gpu: { number: 1 } }], members: { chat: { gpu: { number: 2 } }, idle: {} } };
  expect(withNewNames(schema, given, ({ old, now }) => found.push(`${old} -> ${now}`))).toEqual({
    list: [{ gpu: { count: 1 } }],
    members: { chat: { gpu: { count: 2 } }, idle: {} },
  });
  expect(found).toEqual(["list.0.gpu.number -> list.0.gpu.count", "members.chat.gpu.number -> members.chat.gpu.count"]);
});

test("a secret is one under its old name, too", () => {
  expect(secretTexts(credentials, { username: "ci", token: "hunter2" })).toEqual(["ci", "hunter2"]);
});

test("every language's editor strikes the old name through", () => {
  const facts = {
    version: "1.2.3",
    description: "d",
    license: "l",
    keywords: [],
    homepage: "h",
    repository: { url: "r" },
  };
  expect(packageSchema(facts, { registry: credentials })).toMatchObject({
    resources: {
      "computecloud:index:Registry": {
        inputProperties: { token: { secret: true, deprecationMessage: "It is called password now." } },
        requiredInputs: ["username"],
      },
    },
  });
  const text = classes({ registry: credentials }).get("sdk/registry.ts");
  expect(text).toContain("/** @deprecated It is called password now. */\n  token?: Input<string>;");
  expect(text).toContain('renamed: {"token":"password"}');
});

test("the class gives the engine the new name, which it encrypts", async () => {
  const given: object[] = [];
  const said: string[] = [];
  jest.spyOn(pulumi.log, "warn").mockImplementation(async (message) => {
    said.push(message);
  });
  await pulumi.runtime.setMocks({
    newResource: ({ inputs }) => {
      given.push(inputs);
      return { id: "r1", state: inputs };
    },
    call: () => ({}),
  });
  class Credentials extends ComputeCloudResource {
    declare readonly password: pulumi.Output<string>;
    constructor(name: string, args: object) {
      super(
        {
          provider: "registry",
          type: "Registry",
          outputs: ["password"],
          secrets: ["password"],
          renamed: { token: "password" },
        },
        name,
        args,
      );
    }
  }
  const made = new Credentials("images", { name: "images", username: "ci", token: "hunter2" });
  expect(await new Promise((resolve) => made.password.apply(resolve))).toBe("hunter2");
  expect(await pulumi.isSecret(made.password)).toBe(true);
  expect(given[0]).not.toHaveProperty("token");
  expect(said).toEqual([
    'Registry "images": the argument token is called password now. A later version removes the old name.',
  ]);
});
