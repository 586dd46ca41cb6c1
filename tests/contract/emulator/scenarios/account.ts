import { expect } from "@jest/globals";
import type { Scenario } from "./scenario";

export const account: readonly Scenario[] = [
  {
    name: "SSH keys are replaced as a whole and refused when one is no key",
    async run(talk) {
      const keys = ["ssh-ed25519 AAAAC3NzaC1 me@laptop", "ecdsa-sha2-nistp256 AAAAE2VjZHNh"];
      expect(await talk.call("updateSshKeys", 200, { body: { keys } })).toEqual({ keys });
      expect(await talk.call("getSshKeys", 200)).toEqual({ keys });
      await talk.call("updateSshKeys", 422, { body: { keys: ["not a key"] } });
      await talk.call("updateSshKeys", 422, { body: { keys: [], note: "unknown" } });
      expect(await talk.call("updateSshKeys", 200, { body: { keys: [] } })).toEqual({ keys: [] });
    },
  },
];
