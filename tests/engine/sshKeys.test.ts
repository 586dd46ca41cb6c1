// @long: a life of its own: SSH keys.
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Resources } from "../harness/program";
import { said, scenarioForAll } from "../harness/scenario";

const ANN = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAnn ann@example.com";
const BOB = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBob bob@example.com";

describe.each(["dynamic", "native"])("the account's SSH keys, kept by a %s resource,", (host) => {
  const options = host === "native" ? { provider: "$cloud" } : {};
  const named = (name: string, list: readonly string[], more: object = {}, others: object = {}): Resources => ({
    ...(host === "native" && { cloud: { kind: "Provider", args: {} } }),
    [name]: { kind: "SshKeys", args: { keys: list, ...more }, options: { ...options, ...others } },
  });

  const { stack, service, declare, up, watch } = scenarioForAll({ resources: named("team", [ANN]) });
  beforeAll(() => stack.up());
  const held = async () => (await service.state()).sshKeys.map(({ key }) => key);

  test("are still there after a replacement, as after a taint", async () => {
    const { urn } = await stack.resource("team");
    expect((await stack.up({ args: ["--replace", urn] })).changes).toMatchObject({ replace: 1 });
    expect(await held()).toEqual([ANN]);
    await stack.pulumi(["state", "taint", urn, "--yes"]);
    expect((await stack.up()).changes).toMatchObject({ replace: 1 });
    expect(await held()).toEqual([ANN]);
  });

  test("are those of the program after a replacement that changes them", async () => {
    const { urn } = await stack.resource("team");
    expect((await up(named("team", [BOB]), ["--replace", urn])).changes).toMatchObject({ replace: 1 });
    expect(await held()).toEqual([BOB]);
    const replacing = named("team", [ANN], {}, { replaceOnChanges: ["keys"] });
    expect((await up(replacing)).changes).toMatchObject({ replace: 1 });
    expect(await held()).toEqual([ANN]);
  });

  // finds mutant replaced-keys-leave
  test("are still there after a rename without an alias, whatever else it changes", async () => {
    expect((await up(named("crew", [ANN]))).changes).toMatchObject({ create: 1, delete: 1 });
    expect(await held()).toEqual([ANN]);
    const renamed = named("staff", [BOB], { adoptId: "account" });
    expect((await up(renamed)).changes).toMatchObject({ create: 1, delete: 1 });
    expect(await held()).toEqual([BOB]);
  });

  // finds mutant others-keys-leave
  test.each([["a refresh", true] as const, ["no refresh", false] as const])(
    "leave with it, and those of others stay, after %s",
    async (_, refreshes) => {
      await up(named("staff", [ANN], { adoptId: "account" }));
      await service.rest("PUT", "/v2/account/ssh-keys", { keys: [BOB, ANN] });
      if (refreshes) await stack.refresh();
      await stack.destroy();
      expect(await held()).toEqual([BOB]);
    },
  );

  test("are refused in the preview when one is not a public key", async () => {
    await declare(named("team", [ANN, "-----BEGIN OPENSSH PRIVATE KEY-----"]));
    const message = said(await stack.preview({ fails: true }));
    expect(message).toContain("keys.1");
    expect(message).toContain("must be one public key in OpenSSH form");
  });

  test("are taken over with adoptId, after a preview that says what changes", async () => {
    await service.rest("PUT", "/v2/account/ssh-keys", { keys: [BOB] });
    await declare(named("team", [ANN]));
    const message = said(await stack.up({ fails: true }));
    expect(message).toContain("holds 1 other keys (bob@example.com)");
    expect(message).toContain('adoptId: "account"');
    await declare(named("team", [ANN, BOB], { adoptId: "account" }));
    expect(said(await stack.preview())).toContain("SshKeys account is adopted: changes keys");
    expect(await held()).toEqual([BOB]);
    const { writes } = await watch(stack.up());
    expect(writes).toEqual([{ call: "PUT /v2/account/ssh-keys", body: { keys: [ANN, BOB] } }]);
    expect((await up(named("team", [ANN, BOB]))).changes).toEqual({ same: 1 });
    await stack.destroy();
    expect(await held()).toEqual([]);
  });
});
