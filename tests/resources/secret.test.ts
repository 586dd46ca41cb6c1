import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { secret } from "../../provider/resources/account/secret";
import { pod } from "../../provider/resources/pods/pod";
import { emulatorForAll } from "../harness/account";
import { checked, contextOf, createResource, previewAfterRefresh, refreshed, up } from "../harness/context";

const { emulator, service } = emulatorForAll();
let secrets: Lifecycle;
beforeEach(async () => {
  await service.setState({ secrets: [], pods: [] });
  await service.clearFaults();
  const context = contextOf(emulator);
  secrets = new Lifecycle(secret, async () => context);
});

const create = (args: Properties) => createResource(secrets, { name: "token", value: "one", ...args });
const liveSecret = async () => (await service.state()).secrets[0];
/** The same instant may come in the same millisecond from a machine that is quick. */
const later = () => service.advance(60_000);

test("a secret tells its reference, and never its value", async () => {
  const { id, state } = await create({ description: "of the team" });
  expect(state).toMatchObject({ reference: "{{ RUNPOD_SECRET_token }}", valueUpdatedAt: expect.any(String) });
  expect((await secrets.read(id, state))?.state).toEqual(state);
  expect(await secrets.preview(state, await checked(secrets, { name: "token", value: "two" }))).toMatchObject({
    reference: "{{ RUNPOD_SECRET_token }}",
  });
});

test("a secret that somebody else has set is set back, once", async () => {
  const created = await create({});
  await later();
  await service.rest("PATCH", `/v2/account/secrets/${created.id}`, { value: "theirs" });
  const drifted = await refreshed(secrets, created);
  const planned = await secrets.diff(drifted.id, drifted.state, drifted.inputs);
  expect(planned).toMatchObject({ changes: true, replaces: [], differences: [{ path: "value" }] });
  const after = await up(secrets, drifted, { name: "token", value: "one" });
  expect(await liveSecret()).toMatchObject({ value: "one" });
  expect(await previewAfterRefresh(secrets, after)).toMatchObject({ changes: false });
});

test("a secret whose description alone changed keeps its value, and what others set of it stays to be seen", async () => {
  const created = await create({ description: "old" });
  await later();
  await service.rest("PATCH", `/v2/account/secrets/${created.id}`, { description: "theirs" });
  const cleared = { name: "token", value: "one" };
  const after = await up(secrets, await refreshed(secrets, created), cleared);
  expect(await liveSecret()).toMatchObject({ value: "one", description: null });
  expect((await secrets.diff(after.id, after.state, after.inputs)).changes).toBe(false);
});

test("a secret sets its value last, so that a refused description leaves the old one in force", async () => {
  const { id, state } = await create({});
  await service.forgetCalls();
  const inputs = await checked(secrets, { name: "token", value: "two", description: "new" });
  await service.fault({ match: { operation: "updateSecret", times: 1 }, act: { status: 403 } });
  await expect(secrets.update(id, state, inputs)).rejects.toThrow("secrets");
  expect(await liveSecret()).toMatchObject({ value: "one", description: null });
  await secrets.update(id, state, inputs);
  expect(await liveSecret()).toMatchObject({ value: "two", description: "new" });
  expect(await service.count("updateSecret")).toBe(3);
});

test("a secret that exists is adopted with the value of the program", async () => {
  const id = await service.create("/v2/account/secrets", { name: "theirs", value: "1" });
  await createResource(secrets, { name: "theirs", value: "2", adoptId: id });
  expect(await liveSecret()).toMatchObject({ id, value: "2" });
});

test.each([
  ["1st", /must begin with a letter/],
  ["with space", /must begin with a letter/],
  ["Runpod_token", /must not begin with RUNPOD/],
])("a secret is not called %s, which the preview says", async (name, reason) => {
  for (const args of [{ name }, { __logicalName: name, __seed: "seed" }]) {
    const { failures } = await secrets.check({}, { value: "v", ...args });
    expect(failures).toEqual([{ property: "name", reason: expect.stringMatching(reason) }]);
  }
});

describe("a reference to a secret", () => {
  const pods = () => {
    const context = contextOf(emulator);
    return { secrets: new Lifecycle(secret, async () => context), pods: new Lifecycle(pod, async () => context) };
  };
  const args = (env: Properties) => ({ name: "p", image: "i:1", cpu: { id: "cpu5c", vcpuCount: 2 }, env });

  test("that nobody has is found in the preview, with the name that was meant", async () => {
    await create({ name: "hf-token" });
    const env = { GOOD: "Bearer {{ RUNPOD_SECRET_hf-token }}", BAD: "{{RUNPOD_SECRET_hf-tokem}}" };
    expect((await pods().pods.check({}, args(env))).failures).toEqual([
      { property: "env.BAD", reason: expect.stringMatching(/"hf-tokem".*did you mean "hf-token"/) },
    ]);
  });

  test("that this program declares, or that is made meanwhile, is right", async () => {
    const run = pods();
    await run.secrets.check({}, { name: "soon", value: "v" });
    expect((await run.pods.check({}, args({ A: "{{ RUNPOD_SECRET_soon }}" }))).failures).toEqual([]);
    expect((await run.pods.check({}, args({ A: "{{ RUNPOD_SECRET_token }}" }))).failures).toHaveLength(1);
    await create({});
    expect((await run.pods.check({}, args({ A: "{{ RUNPOD_SECRET_token }}" }))).failures).toEqual([]);
  });

  test("costs no call where there is none, and one where several are new; one that is recorded is not asked for again", async () => {
    await create({});
    const run = pods();
    await service.forgetCalls();
    await run.pods.check({}, args({ A: "plain" }));
    expect(await service.count("listSecrets")).toBe(0);
    const env = { A: "{{ RUNPOD_SECRET_token }}", B: "{{ RUNPOD_SECRET_token }}" };
    const { inputs } = await run.pods.check({}, args(env));
    expect(await service.count("listSecrets")).toBe(1);
    await service.setState({ secrets: [] });
    expect((await pods().pods.check(inputs, args(env))).failures).toEqual([]);
    expect(await service.count("listSecrets")).toBe(1);
  });
});
