/* The key of another account before a stack of both hosts, as a pipeline would run it. */
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { markOf } from "../../provider/engine/account";
import { addressVariables } from "../../tools/run/environment";
import type { Update } from "../../tools/run/update";
import { emulatorForAll } from "../harness/account";
import { said, stackForAll } from "../harness/scenario";

const THEIRS = { id: "user_theirs", email: "ops@theirs.example.com" };
const ROTATED = "another-key-of-the-same-account";
const THEIR_ROTATED = "another-key-of-theirs";
const BLIND = {
  key: "a-key-that-may-not-ask-whose-it-is",
  kind: "restricted",
  areas: { volumes: "read-write" },
} as const;

const { emulator: mine, service } = emulatorForAll({ settings: { keys: [{ key: ROTATED }, BLIND] } });
const { emulator: theirs, service: elsewhere } = emulatorForAll({
  settings: { account: THEIRS, keys: [{ key: THEIR_ROTATED }] },
});
const stack = stackForAll(() => ({ program: program(10), emulator: mine }));
/** The environment of whoever has the wrong key. */
const wrong = () => addressVariables(theirs);

const program = (size: number, more = "") => `
  const { NetworkVolume, Provider } = require("pulumi-computecloud");
  const native = { provider: new Provider("native") };
  ${more}
  new NetworkVolume("dynamic", { size: ${size}, dataCenter: "EU-RO-1" });
  new NetworkVolume("native", { size: ${size}, dataCenter: "EU-RO-1" }, native);
`;

beforeAll(async () => {
  await stack.up();
});
beforeEach(() => elsewhere.forgetCalls());

const recorded = async () => (await stack.resources()).map(({ urn, id, outputs }) => ({ urn, id, outputs }));
const ids = async () => (await service.state()).networkVolumes.map(({ id }) => id).sort();

test.each<[string, () => Promise<Update>]>([
  ["up --refresh", () => stack.up({ env: wrong(), args: ["--refresh"], fails: true })],
  ["destroy", () => stack.destroy({ env: wrong(), fails: true })],
])("%s with it fails, and neither account nor state is another one than before", async (_, command) => {
  const [before, there] = [await recorded(), await ids()];
  const text = said(await command());
  expect(text).toContain(`is in the account ${markOf("user_emulated")}, but the key belongs to`);
  expect(text).toContain(`${THEIRS.id}, ${THEIRS.email}`);
  expect(await recorded()).toEqual(before);
  expect(await ids()).toEqual(there);
  // One at most for the dynamic resources, and one for the plugin.
  const calls = await elsewhere.calls();
  expect(new Set(calls)).toEqual(new Set(["getAccount"]));
  expect(calls.length).toBeLessThanOrEqual(2);
});

test.each([
  ["a new resource before all others", program(10, 'new NetworkVolume("new", { size: 10, dataCenter: "EU-RO-1" });')],
  ["a new native one", program(10, 'new NetworkVolume("new", { size: 10, dataCenter: "EU-RO-1" }, native);')],
])("the preview of %s with it fails", async (_, changed) => {
  await stack.edit(changed);
  // By what the engine asks of first: a recorded resource, or the new one.
  const refusal = /but the key belongs to|but the stack's other resources are in/;
  expect(said(await stack.preview({ env: wrong(), fails: true }))).toMatch(refusal);
  expect(await elsewhere.isEmpty()).toBe(true);
});

test("a refresh with another key of the same account asks once for each host, and changes nothing", async () => {
  await stack.edit(program(10));
  await service.forgetCalls();
  const env = { COMPUTECLOUD_API_KEY: ROTATED };
  expect((await stack.refresh({ env, args: ["--expect-no-changes"] })).changes).toEqual({ same: 2 });
  expect(await service.count("getAccount")).toBe(2);
});

const blind = { COMPUTECLOUD_API_KEY: BLIND.key };

test("a destroy of what was deleted elsewhere, with a key that may not tell whose it is, takes the word of the message", async () => {
  await service.advance(100_000);
  await service.setState({ networkVolumes: [] });
  const text = said(await stack.destroy({ env: blind, fails: true }));
  const [variable = "", value] = /COMPUTECLOUD_\w+=true/.exec(text)?.[0].split("=") ?? [];
  await stack.destroy({ env: { ...blind, [variable]: value } });
  expect(await stack.resources()).toEqual([]);
});

describe("a resource's provider", () => {
  const settings = ({ baseUrl, serverlessUrl, graphqlUrl }: Emulator, apiKey: string) =>
    JSON.stringify({ apiKey, baseUrl, serverlessUrl, graphqlUrl });
  const programWith = (providers: string, name: string) => `
    const { NetworkVolume, Provider } = require("pulumi-computecloud");
    const providers = ${providers};
    new NetworkVolume("moving", { size: 10, dataCenter: "EU-RO-1" }, { provider: providers.${name} });
  `;
  const both = (keyOfB: string) => `{
    a: new Provider("a", ${settings(mine, mine.apiKey)}),
    b: new Provider("b", ${settings(theirs, keyOfB)}),
  }`;
  const volumes = () =>
    Promise.all([service, elsewhere].map(async (each) => (await each.state()).networkVolumes.length));

  test("of another account replaces it, in the preview too, and deletes the old one with the old key", async () => {
    await stack.edit(programWith(both(theirs.apiKey), "a"));
    await stack.up();
    expect(await volumes()).toEqual([1, 0]);
    await stack.edit(programWith(both(theirs.apiKey), "b"));
    expect((await stack.preview()).changes).toEqual({ replace: 1 });
    expect((await stack.up()).changes).toEqual({ replace: 1 });
    expect(await volumes()).toEqual([0, 1]);
    expect((await stack.resource("moving")).outputs?.__account).toBe(markOf(THEIRS.id));
  });

  test("with another key of the same account changes nothing", async () => {
    await stack.edit(programWith(both(THEIR_ROTATED), "b"));
    expect((await stack.up()).changes).toMatchObject({ same: 1 });
    expect(await volumes()).toEqual([0, 1]);
  });

  test("that gets another account's key under the same name is an error", async () => {
    await stack.edit(programWith(`{ b: new Provider("b", ${settings(mine, mine.apiKey)}) }`, "b"));
    const text = said(await stack.preview({ fails: true }));
    expect(text).toContain(`The key of the provider "b" was one of the account ${markOf(THEIRS.id)}`);
    expect(await volumes()).toEqual([0, 1]);
    await stack.edit(programWith(both(THEIR_ROTATED), "b"));
    await stack.destroy();
    expect(await volumes()).toEqual([0, 0]);
  });
});
