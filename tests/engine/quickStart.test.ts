/* @long: Pulumi's own start beside the quick one, in every command. All other stacks of the tests start quickly. */
import { expect, test } from "@jest/globals";
import { newStack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/forAll";

const { emulator } = emulatorForAll();

const program = `
  import * as pulumi from "@pulumi/pulumi";
  import { NetworkVolume, Provider } from "pulumi-computecloud";

  export const files = Object.keys(require.cache).length;
  const args = { size: 10, dataCenter: "EU-RO-1" };
  new NetworkVolume("dynamic", args);
  new NetworkVolume("native", args, { provider: new Provider("cloud") });
  const word = "closure";
  class Own extends pulumi.dynamic.Resource {
    constructor(name: string) {
      super({ create: async () => ({ id: word }) }, name, {});
    }
  }
  export const id = new Own("own").id;
`;

const quick = { env: { NODE_OPTIONS: "--require=pulumi-computecloud/quick-start" } };

test("a quick start loads less than half of Pulumi's files, and does the same in every command", async () => {
  await using stack = await newStack({ program: { files: { "index.ts": program } }, emulator, asUsers: true });

  expect((await stack.up(quick)).changes).toEqual({ create: 3 });
  const { id, files } = await stack.outputs();
  expect(id).toBe("closure");

  expect((await stack.up()).changes).toEqual({ same: 3 });
  expect(Number((await stack.outputs()).files)).toBeGreaterThan(2 * Number(files));

  expect((await stack.refresh(quick)).changes).toEqual({ same: 3 });
  expect((await stack.destroy(quick)).changes).toEqual({ delete: 3 });
});

test("a closure that can't be serialised is refused with its line, with a quick start as without", async () => {
  const refused = `
    const { dynamic } = require("@pulumi/pulumi");
    const max = Math.max.bind(Math);
    class Own extends dynamic.Resource {}
    new Own({ create: async () => ({ id: String(max(1)) }) }, "own", {});
  `;
  await using stack = await newStack({ program: refused, asUsers: true });
  const { diagnostics } = await stack.preview({ ...quick, fails: true });
  expect(diagnostics[0]?.message).toContain("'async () => ({ id: String(max(1)) })': index.js(5,22)");
  expect((await stack.preview({ fails: true })).diagnostics).toEqual(diagnostics);
});
