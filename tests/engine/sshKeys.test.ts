// @long: a life of its own: SSH keys.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { newScenario, type Resources, type Scenario, said } from "../harness/scenario";

const ANN = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAnn ann@example.com";
const BOB = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBob bob@example.com";

const keys = (list: readonly string[], more: object = {}): Resources => ({
  team: { kind: "SshKeys", args: { keys: list, ...more } },
});

let scenario: Scenario;
beforeAll(async () => {
  scenario = await newScenario({ resources: keys([ANN]) });
});
afterAll(() => scenario[Symbol.asyncDispose]());

const held = async () => (await scenario.service.state()).sshKeys.map(({ key }) => key);

describe("the account's SSH keys", () => {
  test("are not overwritten while others use the account", async () => {
    const { service, stack } = scenario;
    await service.rest("PUT", "/v2/account/ssh-keys", { keys: [BOB] });
    const message = said(await stack.up({ fails: true }));
    expect(message).toContain("holds 1 other keys (bob@example.com)");
    expect(message).toContain('adoptId: "account"');
    expect(await held()).toEqual([BOB]);
    await service.rest("PUT", "/v2/account/ssh-keys", { keys: [] });
  });

  test("are saved, and left alone by a second up", async () => {
    const { service, stack } = scenario;
    expect((await stack.up()).changes).toEqual({ create: 1 });
    expect(await held()).toEqual([ANN]);
    await service.forgetCalls();
    expect((await stack.up()).changes).toEqual({ same: 1 });
    expect(await service.log()).toEqual([]);
  });

  test("may be read from files, which end in a line feed", async () => {
    const { stack, declare } = scenario;
    await declare(keys([`${ANN}\n`]));
    expect((await stack.up()).changes).toEqual({ same: 1 });
  });

  test("are saved as a whole when one is added", async () => {
    const { stack, declare, watch } = scenario;
    await declare(keys([ANN, BOB]));
    const { update, writes } = await watch(stack.up());
    expect(update.changes).toEqual({ update: 1 });
    expect(writes).toEqual([{ call: "PUT /v2/account/ssh-keys", body: { keys: [ANN, BOB] } }]);
  });

  test("show what was removed in the console, and are repaired by the next up", async () => {
    const { service, stack } = scenario;
    await service.rest("PUT", "/v2/account/ssh-keys", { keys: [ANN] });
    expect((await stack.preview({ args: ["--refresh"] })).changes).toMatchObject({ update: 1 });
    await stack.refresh();
    expect((await stack.up()).changes).toEqual({ update: 1 });
    expect(await held()).toEqual([ANN, BOB]);
  });

  test("are refused in the preview when one is not a public key", async () => {
    const { stack, declare } = scenario;
    await declare(keys([ANN, "-----BEGIN OPENSSH PRIVATE KEY-----"]));
    const message = said(await stack.preview({ fails: true }));
    expect(message).toContain("keys.1");
    expect(message).toContain("must be one public key in OpenSSH form");
  });

  test("are removed with the resource", async () => {
    const { service, stack, watch } = scenario;
    const { writes } = await watch(stack.destroy());
    expect(writes).toEqual([{ call: "PUT /v2/account/ssh-keys", body: { keys: [] } }]);
    expect(await service.isEmpty()).toBe(true);
  });

  test("are taken over with adoptId, after a preview that says what changes", async () => {
    const { service, stack, declare, watch } = scenario;
    await service.rest("PUT", "/v2/account/ssh-keys", { keys: [BOB] });
    await declare(keys([ANN, BOB], { adoptId: "account" }));
    const preview = await stack.preview();
    expect(said(preview)).toContain("SshKeys account is adopted: changes keys");
    expect(await held()).toEqual([BOB]);
    const { writes } = await watch(stack.up());
    expect(writes).toEqual([{ call: "PUT /v2/account/ssh-keys", body: { keys: [ANN, BOB] } }]);
    await declare(keys([ANN, BOB]));
    expect((await stack.up()).changes).toEqual({ same: 1 });
    await stack.destroy();
    expect(await held()).toEqual([]);
  });
});
